import PrayerEngine

/// Why nothing is called although times could be computed: no place is set.
public struct PlaceProblem: Sendable, Equatable {
    /// The kinds of problem.
    public enum Code: String, Codable, Sendable, CaseIterable {
        /// The time zone names no place either.
        case noPlace = "no-place"
        /// Times could be computed for the main place of the time zone, and this box does not call them.
        case approximate
    }

    /// The problem, for programs.
    public let code: Code
    /// The name of the time zone, such as `America/New_York`.
    public let zone: String

    package init(code: Code, zone: String) {
        self.code = code
        self.zone = zone
    }

    /// The command with which root resolves it.
    public static let fix = "adhanctl setup"

    /// One sentence without its full stop.
    public var message: String {
        switch code {
        case .noPlace:
            "no place is set, and the time zone \(zone) does not say where this is; nothing is called until somebody sets a place"
        case .approximate:
            "no place is set, only the time zone \(zone) is known; nothing is called until somebody sets a place"
        }
    }
}
