package import Envelope
import PrayerEngine
package import Texts
package import Times

/// An envelope on its way: one at a time. Only the disk outlives the program: after a restart one that was accepted begins again.
struct FleetWork: Sendable {
    enum Step: Sendable, Equatable {
        /// The machine looks whether it can use the body.
        case checking
        /// The disk is to have the envelope; with the record without it.
        case accepting(before: FleetRecord)
        /// The next adhan is tried out as it would be without the change.
        case trying
        /// The file of the timetable is being replaced.
        case writing
        /// The disk is to have the effect before it takes place; with the state that it is to hold.
        case saving(SavedState)
    }

    let text: String
    let envelope: CheckedEnvelope
    /// As the record names it.
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

    /// Whether the next adhan decides about it.
    var isTrial: Bool { [.configuration, .timetable].contains(envelope.payload.kind) }

    /// The machine's part in the check of the body; `nil` where it has none.
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

    /// The change of the timetable's file that comes before the effect.
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
    /// The files with this configuration between them; `nil`: without any.
    case configuration(FleetConfiguration?)
    /// The date is written into the file, which so is the same whenever it is written.
    case timetable(csv: String, digest: String, validFrom: String)
    /// The same as the first, of a configuration that was in force before.
    case back(FleetConfiguration?)

    var isConfiguration: Bool { if case .configuration = self { true } else { false } }
}

/// The answer.
package struct FleetFinding: Sendable {
    package let task: FleetTask
    /// Why this box cannot use it, in a sentence.
    package let refusal: String?
    /// The inputs with it.
    @Boxed package private(set) var inputs: DaemonInputs
    package let table: PublishedTimetable?
    /// The text of the timetable's file.
    package let fileText: String?
    /// Of that text.
    package let fileHash: String?
    /// Of the mosque's times.
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

/// A change of the timetable's file. Done twice, nothing has changed.
package enum FleetFileChange: Sendable, Equatable {
    /// - known: SHA-256 of the fleet's timetable in force. Any other file is the box's own, and is kept for the day on which the fleet
    ///   takes its timetable back.
    /// - keepsPrevious: whether the file of before the last change stays the one to go back to.
    case put(text: String, known: String?, keepsPrevious: Bool)
    /// The file of before the trial comes back, unless somebody has replaced the fleet's meanwhile.
    case undo(known: String)
    /// The box's own comes back, likewise.
    case restoreOwn(known: String)
}
