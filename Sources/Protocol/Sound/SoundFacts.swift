package import Settings
public import Texts

/// The findings about devices and sound files.
public struct SoundFacts: Sendable {
    /// Says that the mixer keeps a device silent.
    public struct Silence: Sendable, Equatable {
        /// A sentence without its end.
        public let reason: String
        /// The command to type.
        public let fix: String

        public init(reason: String, fix: String) {
            (self.reason, self.fix) = (reason, fix)
        }

        public var sentence: String { "\(reason); \(fix)" }
    }

    /// Trying to open one configured device.
    public struct Device: Sendable, Equatable {
        public enum Outcome: Sendable, Equatable {
            case opens
            /// `needsServer`: the name leads to a sound server, and none of this user's answers.
            case fails(reason: String, isBusy: Bool, needsServer: Bool = false)
            /// It did not come back in time, as when a sound server is stuck.
            case hangs
        }

        public var name: String
        public var outcome: Outcome
        public var silence: Silence?

        public init(name: String, outcome: Outcome, silence: Silence? = nil) {
            self.name = name
            self.outcome = outcome
            self.silence = silence
        }
    }

    /// One file for some prayers.
    public struct File: Sendable, Equatable {
        public enum Outcome: Sendable, Equatable {
            /// Seconds of sound.
            case decodes(seconds: Double)
            /// It is played, and a person should listen to it first: a tail such as "only 20 % of it can be heard".
            case questionable(seconds: Double, reason: String)
            /// The time signal is played instead.
            case broken(reason: String)
            /// It is not fit to be called, and its readable part is played: a tail such as "only 2.0 s of its 7.3 s
            /// decode".
            case doubtful(reason: String)
            /// There is none.
            case missing
            /// There, and not for adhand to read.
            case unreadable(reason: String)
            /// There was no time left to look.
            case unread

            /// How long it is, where all of it is played.
            var seconds: Double? {
                switch self {
                case .decodes(let seconds), .questionable(let seconds, _): seconds
                case .broken, .doubtful, .missing, .unreadable, .unread: nil
                }
            }
        }

        /// As the configuration has it.
        public var name: String
        public var prayers: [Prayer]
        public var occasion = SoundUse.Purpose.adhan
        /// `nil` when there is none.
        public var path: String?
        public var isShipped = false
        public var outcome: Outcome

        package init(name: String, prayers: [Prayer], path: String?, outcome: Outcome) {
            self.name = name
            self.prayers = prayers
            self.path = path
            self.outcome = outcome
        }
    }

    /// The reason why no program with adhand's rights could look; then the rest is unknown.
    public var unseen: String?
    /// Why no device was tried: adhand is playing, or about to.
    public var untried: String?
    public var devices: [Device] = []
    public var holders: [CardHolder] = []
    public var hasCards = true
    public var files: [File] = []

    public init() {}

    /// How long each prayer's adhan is; `nil` where a recording could not be read.
    package func adhanSeconds(_ config: Config) -> (Prayer) -> Double? {
        var lengths: [Prayer: Double] = [:]
        for prayer in Prayer.allCases {
            var whole = 0.0
            for name in config[prayer].sound where name != AdhanSettings.silent {
                let file = files.first {
                    $0.occasion == .adhan && $0.name == name && $0.prayers.contains(prayer)
                }
                whole += file?.outcome.seconds ?? .nan
            }
            if whole > 0 { lengths[prayer] = whole }
        }
        return { lengths[$0] }
    }
}
