internal import CommandKit
internal import Glibc
internal import HardwareLines
internal import HookPlan
internal import Host
internal import Settings
internal import Texts

/// `hooks.toml` with its drop-ins, and the programs and devices that it names.
enum HookFile {
    static func read(_ path: String) throws(HooksError) -> HookConfig {
        let found: ConfigFiles
        do throws(FileError) {
            found = try ConfigFiles.read(path)
        } catch {
            throw HooksError(error.isMissing ? .invalidInput : .failed, error.message)
        }
        do throws(ConfigError) {
            return try HookConfig.schema.read(found.sources).settings
        } catch {
            throw HooksError(.invalidInput, sentences: error.all.map(\.message))
        }
    }

    /// The reasons why programs of the file cannot be run or devices not used, one sentence each. They do not make the file
    /// invalid: the programs may appear later, and each is checked again before it runs.
    static func complaints(_ config: HookConfig) -> [String] {
        let hooks = config.hooks.compactMap { hook in
            complaint(hook.command).map { "the hook \"\(hook.name)\": \($0)" }
        }
        let relays = config.relays.flatMap { relay in
            complaints(relay.drive).map { "the relay \"\(relay.name)\": \($0)" }
        }
        let television = config.cec.device.flatMap { Television.complaint($0) }
        let buttons = config.buttons.flatMap { button in
            [complaint(button.source), hotspotComplaint(button)].compactMap { $0 }
                .map { "\(button.source.title): \($0)" }
        }
        return hooks + relays + [television].compactMap { $0 }.map { "the television: \($0)" } + buttons
    }

    private static func complaints(_ drive: RelayDrive) -> [String] {
        switch drive {
        case .commands(let on, let off): [on, off].compactMap(complaint)
        case .line(let line): [GPIOLine.complaint(line.chip, line.line)].compactMap { $0 }
        case .television: []
        }
    }

    private static func complaint(_ source: ButtonSource) -> String? {
        switch source {
        case .key(let device, let name, let code): KeyDevice.complaint(device, name, code: code)
        case .line(let line): GPIOLine.complaint(line.chip, line.line)
        }
    }

    /// The sentence for `hotspot` on a machine where it has no effect, with the remedy.
    static let noBox = "\(Hotspot.noBox); write another action in place of \"hotspot\" in hooks.toml"

    private static func hotspotComplaint(_ button: ButtonSettings) -> String? {
        button.asksForHotspot && !HotspotSocket(in: .process).isThere ? noBox : nil
    }

    /// The reason why a program must not run; `nil` if it may. Only the file itself is checked: anyone who may write it
    /// could do everything that this user may.
    static func complaint(_ command: [String]) -> String? {
        let path = command.first ?? ""
        let shown = "\"\(PlainText.visible(path))\""
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            return "\(shown) cannot be run: \(SystemError.text(errno))"
        }
        guard status.st_mode & S_IFMT == S_IFREG else { return "\(shown) is no file that can be run" }
        guard status.st_uid == 0 || status.st_uid == geteuid() else {
            return
                "\(shown) belongs to another user, who could change it, so it is not run: chown root \(shown)"
        }
        guard status.st_mode & 0o022 == 0 else {
            return "\(shown) may be written by others, so it is not run: chmod go-w \(shown)"
        }
        guard unsafe access(path, X_OK) == 0 else {
            return "\(shown) may not be run by this user: chmod a+rx \(shown)"
        }
        return nil
    }
}
