import Announcements
package import Protocol
package import Settings
package import Texts
package import Times

/// A change of settings whose caller waits for the reply.
package struct SettingsAsk: Sendable, Equatable {
    package enum Change: Sendable, Equatable {
        case set(SettingsParameters)
        /// Undoes this change; the newest when left out.
        case undo(Int?)
    }

    package let request: RequestID
    let change: Change
    let author: SettingAuthor
    let role: SettingRole

    var isDryRun: Bool { if case .set(let asked) = change { asked.dryRun == true } else { false } }
}

/// A draft during its trial: the resulting configuration is to be resolved, together with the machine's facts.
package struct SettingsTrial: Sendable, Equatable {
    package let ask: SettingsAsk
    package let draft: SettingsDraft
}

/// The result of a trial: the machine's facts under the changed configuration.
package struct SettingsFinding: Sendable {
    package let trial: SettingsTrial
    @Boxed package private(set) var inputs: DaemonInputs
    /// Devices that the change names and that this machine does not list.
    package let unknownDevices: [String]
    /// Problems of sounds and of the mosque's times without the change, found on the same day, with the same files and the same
    /// timetable: these are not the fault of the change.
    package let problemsBefore: Set<InputsProblem>
    /// Outputs to which the change assigns other devices and that would be inaudible now, and why; in sentences.
    package let silentOutputs: [String]
    /// Whether new devices of the change were not tried, because a sound needs them.
    package var isUntried = false

    package init(
        _ trial: SettingsTrial, _ inputs: DaemonInputs, unknownDevices: [String] = [],
        problemsBefore: Set<InputsProblem> = [], silentOutputs: [String] = []
    ) {
        (self.trial, self.inputs, self.unknownDevices) = (trial, inputs, unknownDevices)
        (self.problemsBefore, self.silentOutputs) = (problemsBefore, silentOutputs)
    }
}

/// The loss of the settings file at a start.
package struct SettingsLoss: Sendable, Equatable {
    /// One sentence: the damaged file, what is in force instead, and where the damaged file was moved.
    package let message: String

    package init(message: String) { self.message = message }

    package static let code = "damaged"
    package static let fix = "adhanctl settings"
}
