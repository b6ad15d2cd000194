public import PrayerEngine
import Texts

/// The loss of the state file at a start: reported until a person confirms it, whatever has been saved since.
public struct StateLoss: Sendable, Equatable {
    /// The fault of the file.
    public enum Cause: String, Codable, Sendable, CaseIterable {
        /// The file is not there, although adhand ran here before.
        case gone
        /// It is readable, but not a state.
        case damaged
        /// It cannot be read.
        case unreadable
    }

    /// The fault of the file.
    public let cause: Cause
    /// When it was noticed.
    public let at: Instant
    /// Whether people's decisions were restored from their copy.
    public let isRestored: Bool

    package init(_ cause: Cause, at: Instant, isRestored: Bool) {
        (self.cause, self.at, self.isRestored) = (cause, at, isRestored)
    }

    /// The command that ends the notice.
    public static let fix = "adhanctl reload"

    /// Decisions that a person made and that were lost or restored.
    public static let decisions = "mutes, switches, skipped prayers, times set by hand and decided months"

    /// `state.json was damaged when adhand started on Friday 20 November 2026, 12:30; …`
    public func message(in zone: Zone) -> String {
        let fault =
            switch cause {
            case .gone: "was gone"
            case .damaged: "was damaged"
            case .unreadable: "could not be read"
            }
        let when = "\(LocalText.long(zone.civilDate(of: at))), \(InstantText.minute(at, in: zone))"
        let what =
            isRestored
            ? "\(Self.decisions) were restored from the copy; check them"
            : "\(Self.decisions) are forgotten; set them again"
        return "state.json \(fault) when adhand started on \(when); \(what)"
    }

    /// The remedy, around the command.
    public static func remedy(fix: String) -> String {
        "Run \"\(fix)\" to confirm that, and to end this notice."
    }
}
