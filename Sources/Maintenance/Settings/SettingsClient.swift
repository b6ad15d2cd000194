import CommandKit
import Console
package import ControlClient
import Glibc
import Protocol
package import Settings
package import Texts

/// Changes settings through the running daemon, which keeps them in a separate layer over the files.
package struct SettingsClient {
    private let daemon: ControlClient
    /// The number of the newest change.
    private let change: Int
    private let settings: [SettingDocument]

    /// - Returns: `nil` if no daemon answers, or an older one without settings.
    package init?(_ daemon: ControlClient) {
        let patienceSeconds = 5.0
        guard
            let reply = try? daemon.call(
                .getSettings, SettingsPrefixParameters(),
                patienceSeconds: patienceSeconds)
        else { return nil }
        (self.daemon, change, settings) = (daemon, reply.change, reply.settings)
    }

    /// Whether any setting was ever changed by command.
    package var hasChanges: Bool { change > 0 }

    package func has(_ key: String) -> Bool {
        let key = SettableKey(key)?.key ?? key
        return settings.contains { $0.key == key }
    }

    /// Whether the daemon keeps all of these settings: not other keys, nor a sound by its path. Root writes changes of the
    /// place into the file, because they also need a decision about the timetable and the exceptions.
    package static func accepts(_ changes: [ConfigChange.KeyChange]) -> Bool {
        changes.allSatisfy { change in
            // Invalid values are refused without reading a file.
            guard let meant = try? ConfigChange.understood(change) else { return true }
            guard let key = SettableKey(change.key), geteuid() != 0 || !key.isOfPlace else { return false }
            return key.isCompound || (try? SettingValue(meant.value, of: key)) != nil
        }
    }

    /// Warns about keys that were written to the file although a setting by command overrides them.
    package static func warn(of keys: [String], _ daemon: ControlClient) {
        guard let client = SettingsClient(daemon) else { return }
        let paths = keys.map { SettableKey($0)?.key ?? $0 }
        for setting in client.settings where paths.contains(setting.key) && setting.state == .set {
            StandardError.write(
                "adhanctl: note: \(setting.key) was set by command, which goes before the file; "
                    + "\"adhanctl settings reset \(setting.key)\" lets the file count")
        }
    }

    package func set(_ typed: [ConfigChange.KeyChange]) throws(CommandError) -> SettingsChangeDocument {
        var changes: [SettingChange] = []
        for change in typed {
            do throws(ConfigRefusal) {
                let (key, value) = try ConfigChange.understood(change)
                changes.append(SettingChange(key: key, value: value))
            } catch {
                throw CommandError(.usage, "\(error.message); nothing was changed")
            }
        }
        return try send(changes)
    }

    package func unset(_ keys: [String]) throws(CommandError) -> SettingsChangeDocument {
        try send(keys.map { SettingChange(key: SettableKey($0)?.key ?? $0, value: nil) })
    }

    /// Undoes a change; without a number, the newest.
    package func undo(_ number: Int?) throws(CommandError) -> SettingsChangeDocument {
        let reply = try ask(
            .undoSettings, SettingsChangeParameters(change: number))
        return SettingsChangeDocument(
            change: reply.change, changed: reply.change != change, message: reply.message,
            details: reply.details ?? [], problems: (reply.problems ?? []) + Self.note(reply.awaitsTrial))
    }

    private func send(_ changes: [SettingChange]) throws(CommandError) -> SettingsChangeDocument {
        let asked = SettingsParameters(changes: changes, expect: change)
        let reply = try ask(.setSettings, asked)
        return SettingsChangeDocument(
            change: reply.change, changed: reply.change != change, message: reply.message,
            details: reply.details ?? [], problems: reply.problems + Self.note(reply.awaitsTrial))
    }

    private static func note(_ awaitsTrial: Bool?) -> [String] {
        awaitsTrial == true ? [LaterTrial.sentence] : []
    }

    private func ask<Parameters, Answer>(
        _ method: MethodSignature<Parameters, Answer>, _ parameters: Parameters
    ) throws(CommandError) -> Answer {
        do throws(ControlClientError) {
            return try daemon.call(method, parameters)
        } catch {
            // A setting can wait, so adhand does not put it in force if it cannot be saved.
            if case .refused(let refused) = error, refused.code == .stateNotSaved {
                let reason = refused.parameters.reason ?? ""
                var refusal = CommandError(.failed, "not set, as it cannot be saved: \(reason)")
                refusal.name = "StateNotSaved"
                throw refusal
            }
            throw CommandError(error)
        }
    }
}

/// `set --json` for settings that adhand keeps itself.
package struct SettingsChangeDocument: Codable, Sendable, Equatable {
    /// The number of the newest change.
    let change: Int
    /// Whether this command made a change; `false` if all values were already set.
    let changed: Bool
    /// A sentence with the values in force before and now.
    let message: String
    /// A sentence for each key; empty if all values were already set.
    let details: [String]
    /// Problems that the configuration had before, outputs that are inaudible now, and the note that devices are tried later.
    let problems: [String]

    package func text(_ style: Style) -> String {
        (details.isEmpty ? [message] : details).map { style($0, .good) + "\n" }.joined()
            + (changed
                ? "Kept by adhand over the files, and in force; \"adhanctl set --undo\" undoes it.\n" : "")
            + problems.map { "Note: \($0)\n" }.joined()
    }
}
