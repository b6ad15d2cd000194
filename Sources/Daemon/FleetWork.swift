package import Envelope
import PrayerEngine
import StateFile
package import Texts
package import Times

/// An envelope in progress, one at a time. Only the saved state outlives the program: a restart begins accepted ones again.
struct FleetWork: Sendable {
    enum Step: Sendable, Equatable {
        /// The machine checks whether it can use the body.
        case checking
        /// The envelope is being saved; with the record without it.
        case accepting(before: FleetRecord)
        /// The next adhan is tried as it would be without the change.
        case trying
        /// The file of the timetable is being replaced.
        case writing
        /// The effect is being saved before it takes place; with the state to be saved.
        case saving(SavedState)
    }

    let text: String
    let envelope: CheckedEnvelope
    /// The fleet's name in the record.
    let fleet: String
    /// The request that waits for the outcome.
    var request: RequestID?
    var isAccepted: Bool
    var step = Step.checking
    var finding: FleetFinding?
    /// Whether the next adhan would be heard without the change.
    var passedBefore = false

    init(
        _ text: String, _ envelope: CheckedEnvelope, of fleet: String, request: RequestID? = nil,
        isAccepted: Bool = false
    ) {
        (self.text, self.envelope, self.fleet) = (text, envelope, fleet)
        (self.request, self.isAccepted) = (request, isAccepted)
    }

    /// `configuration 7`
    var title: String { "\(envelope.payload.kind.rawValue) \(envelope.payload.seq)" }

    var actor: String { "fleet \(envelope.payload.org)" }

    /// Whether the next adhan decides about the change.
    var isTrial: Bool { [.configuration, .timetable].contains(envelope.payload.kind) }

    /// The machine's part in the check of the body; `nil` where there is none.
    var task: FleetTask? {
        switch envelope.body {
        case .configuration(let toml):
            .configuration(FleetConfiguration(fleet: fleet, digest: envelope.digest, toml: toml))
        case .timetable(let csv):
            .timetable(
                csv: csv, digest: envelope.digest,
                validFrom: Zone.utc.civilDate(of: envelope.payload.notBefore).description)
        case .revert(.configuration): .configuration(nil)
        default: nil
        }
    }

    /// The change of the timetable's file that precedes the effect.
    func fileChange(since record: FleetRecord) -> FleetFileChange? {
        switch envelope.body {
        case .timetable:
            finding?.fileText.map { text in
                let isChained = record.trial(of: .timetable) != nil
                return .put(text: text, known: record.timetable?.sha256, keepsPrevious: isChained)
            }
        case .revert(.timetable): record.timetable.map { .restoreOwn(known: $0.sha256) }
        default: nil
        }
    }
}

/// A question about this machine that is answered beside the daemon's queue.
package enum FleetTask: Sendable, Equatable {
    /// Reads the files with this fleet configuration; `nil`: without any.
    case configuration(FleetConfiguration?)
    /// Prepares this timetable. The date is written into the file, so that the file is the same whenever it is written.
    case timetable(csv: String, digest: String, validFrom: String)
    /// Reads the files with a fleet configuration that was in force before.
    case back(FleetConfiguration?)

    var isConfiguration: Bool { if case .configuration = self { true } else { false } }
}

/// The answer to a ``FleetTask``.
package struct FleetFinding: Sendable {
    package let task: FleetTask
    /// Why this box cannot use it, in a sentence.
    package let refusal: String?
    /// The inputs with the change.
    @Boxed package private(set) var inputs: DaemonInputs
    package let table: PublishedTimetable?
    /// The text of the timetable's file.
    package let fileText: String?
    /// The SHA-256 of that text.
    package let fileHash: String?
    /// The problems of the mosque's times.
    package let problems: [InputsProblem]

    package init(_ task: FleetTask, _ inputs: DaemonInputs, refusal: String? = nil) {
        (self.task, self.inputs, self.refusal) = (task, inputs, refusal)
        (table, fileText, fileHash, problems) = (nil, nil, nil, [])
    }

    package init(
        _ task: FleetTask, _ inputs: DaemonInputs, table: PublishedTimetable, fileText: String,
        fileHash: String, problems: [InputsProblem]
    ) {
        (self.task, self.inputs, refusal) = (task, inputs, nil)
        (self.table, self.fileText, self.fileHash) = (table, fileText, fileHash)
        self.problems = problems
    }
}

/// A preflight that decides about a change.
package enum FleetPreflight: Sendable, Equatable {
    case before(digest: String)
    case after
}

/// A change of the timetable's file. Repeating it changes nothing.
package enum FleetFileChange: Sendable, Equatable {
    /// Writes the fleet's timetable.
    /// - Parameters:
    ///   - known: SHA-256 of the fleet's timetable in force. Any other file is the box's own, and is kept until the fleet
    ///       withdraws its timetable.
    ///   - keepsPrevious: whether the file from before the last change remains the one to restore.
    case put(text: String, known: String?, keepsPrevious: Bool)
    /// Restores the file from before the trial, unless the fleet's file was replaced meanwhile.
    case undo(known: String)
    /// Restores the box's own file, unless the fleet's file was replaced meanwhile.
    case restoreOwn(known: String)
}
