public import Texts

extension SoundFacts {
    /// One file for some prayers. Its fields are those of `check --json`; programs read `outcome`, `prayers` and `occasion`.
    public struct File: Codable, Sendable, Equatable {
        /// The outcome of reading a recording.
        public enum Outcome: Sendable, Equatable {
            /// It decodes; with its length in seconds.
            case decodes(seconds: Double)
            /// It is played, but a person should listen to it first: a clause such as "only 20 % of it can be heard".
            case questionable(seconds: Double, reason: String)
            /// The time signal is played instead.
            case broken(reason: String)
            /// It is not fit to be called, and its readable part is played: a clause such as "only 2.0 s of its 7.3 s decode".
            case doubtful(reason: String)
            /// There is no file.
            case missing
            /// adhand may not read the file.
            case unreadable(reason: String)
            /// There was no time left to examine it.
            case unread

            /// Its length, where all of it is played.
            var seconds: Double? {
                switch self {
                case .decodes(let seconds), .questionable(let seconds, _): seconds
                case .broken, .doubtful, .missing, .unreadable, .unread: nil
                }
            }
        }

        enum State: String, Codable, CaseIterable {
            case decodes, doubtful, broken, missing, unreadable, unread
        }

        private enum CodingKeys: String, CodingKey {
            case name = "sound"
            case prayerNames = "prayers"
            case isReminder = "reminder"
            case purpose = "occasion"
            case path
            case isShipped = "shipped"
            case state, seconds, reason
        }

        /// The sound's name as configured.
        public let name: String
        private var prayerNames: [String]
        private let isReminder: Bool
        /// The purpose; omitted by an older adhand, which only states whether it is a reminder.
        private let purpose: SoundUse.Purpose?
        /// The path; `nil` when there is no file.
        @Nullable public var path: String?
        /// Whether it is one of the recordings that came with adhand.
        public let isShipped: Bool
        let state: State
        @Nullable private var seconds: Double?
        @Nullable private var reason: String?

        package init(
            name: String, prayers: [Prayer], occasion: SoundUse.Purpose = .adhan, path: String?,
            isShipped: Bool = false, outcome: Outcome
        ) {
            self.name = name
            prayerNames = prayers.map(\.rawValue)
            isReminder = occasion == .reminder
            purpose = occasion
            self.isShipped = isShipped
            switch outcome {
            case .decodes: state = .decodes
            case .questionable(_, let why): (state, reason) = (.decodes, why)
            case .doubtful(let why): (state, reason) = (.doubtful, why)
            case .broken(let why): (state, reason) = (.broken, why)
            case .unreadable(let why): (state, reason) = (.unreadable, why)
            case .missing: state = .missing
            case .unread: state = .unread
            }
            seconds = outcome.seconds
            self.path = path
        }

        /// The prayers that this version knows.
        public var prayers: [Prayer] {
            get { prayerNames.compactMap(Prayer.init) }
            set { prayerNames = newValue.map(\.rawValue) }
        }

        /// The occasion for which it is played.
        public var occasion: SoundUse.Purpose { purpose ?? (isReminder ? .reminder : .adhan) }

        /// The outcome with its seconds or its reason, put together from the fields of the JSON.
        public var outcome: Outcome {
            switch state {
            case .decodes:
                reason.map { .questionable(seconds: seconds ?? 0, reason: $0) }
                    ?? .decodes(seconds: seconds ?? 0)
            case .doubtful: .doubtful(reason: reason ?? "")
            case .broken: .broken(reason: reason ?? "")
            case .unreadable: .unreadable(reason: reason ?? "")
            case .missing: .missing
            case .unread: .unread
            }
        }
    }
}
