import Announcements
package import Protocol
package import Settings
package import Texts
package import Times

/// A change of settings that somebody waits for.
package struct SettingsAsk: Sendable, Equatable {
    package enum Change: Sendable, Equatable {
        case set(SettingsParameters)
        /// The newest when left out.
        case undo(Int?)
    }

    package let request: RequestID
    let change: Change
    let author: SettingAuthor
    let role: SettingRole

    var isDryRun: Bool { if case .set(let asked) = change { asked.dryRun == true } else { false } }
}

/// A draft on its way through the world: the configuration that it leads to is to be resolved, with the machine's part in it.
package struct SettingsTrial: Sendable, Equatable {
    package let ask: SettingsAsk
    package let draft: SettingsDraft
}

/// The result of a trial.
package struct SettingsFinding: Sendable {
    package let trial: SettingsTrial
    @Boxed package private(set) var inputs: DaemonInputs
    /// Devices that the change names and that are not among those of this machine.
    package let unknownDevices: [String]
    /// Problems of sounds and of the mosque's times without the change, found on the same day, with the same files and the same
    /// timetable: these are not the fault of the change.
    package let problemsBefore: Set<InputsProblem>
    /// Outputs to which the change gives other devices, of which nothing would be heard now, and why; in sentences.
    package let silentOutputs: [String]
    /// Whether devices that the change brings in were not tried, as a sound needs them.
    package var isUntried = false

    package init(
        _ trial: SettingsTrial, _ inputs: DaemonInputs, unknownDevices: [String] = [],
        problemsBefore: Set<InputsProblem> = [], silentOutputs: [String] = []
    ) {
        (self.trial, self.inputs, self.unknownDevices) = (trial, inputs, unknownDevices)
        (self.problemsBefore, self.silentOutputs) = (problemsBefore, silentOutputs)
    }
}

/// The loss of the file of settings at a start.
package struct SettingsLoss: Sendable, Equatable {
    /// One sentence: what was damaged, what is in force instead, and where the damaged file is.
    package let message: String

    package init(message: String) { self.message = message }

    package static let code = "damaged"
    package static let fix = "adhanctl settings"
}
