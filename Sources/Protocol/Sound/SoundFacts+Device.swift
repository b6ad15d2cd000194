public import Texts

extension SoundFacts {
    /// Why the mixer silences a device.
    public struct Silence: Sendable, Equatable {
        /// A sentence without its full stop.
        public let reason: String
        /// The command to type.
        public let fix: String

        package init(reason: String, fix: String) {
            (self.reason, self.fix) = (reason, fix)
        }

        /// Reason and remedy in one line.
        public var sentence: String { "\(reason); \(fix)" }
    }

    /// The result of trying one device. Its fields are those of `check --json` and of `GetDevices`; programs read `outcome` and
    /// `silence`.
    public struct Device: Codable, Sendable, Equatable {
        /// The outcome of opening a device without a sound.
        public enum Outcome: Sendable, Equatable {
            case opens
            /// `needsServer`: the name leads to a sound server that does not answer.
            case fails(reason: String, isBusy: Bool, needsServer: Bool = false)
            /// It did not return in time, as when a sound server is stuck.
            case hangs
            /// adhand needs it now, or there was no time; only in `GetDevices`.
            case untried(reason: String)
        }

        /// The outcome on the wire, in one word.
        public enum State: String, Codable, Sendable, CaseIterable {
            case opens, busy, fails, hangs, untried
        }

        private enum CodingKeys: String, CodingKey {
            case name, description, state, reason
            case silenceSentence = "silence"
            case silenceReason, silenceFix, needsServer
        }

        /// The device's ALSA name.
        public let name: String
        /// The system's description for people; omitted where there is none, and by `Check`.
        public var description: String?
        /// The outcome in one word; `busy` is a failure that may pass.
        public let state: State
        /// Why it does not open or was not tried, a sentence; `null` where it opens or hangs.
        @Nullable public private(set) var reason: String?
        /// Why the mixer silences it, with the remedy.
        @Nullable private var silenceSentence: String?
        /// The first half of that sentence; omitted by an older adhand.
        private var silenceReason: String?
        /// The command alone; omitted where there is none.
        private var silenceFix: String?
        /// Whether a sound server is missing; omitted where none is.
        private var needsServer: Bool?

        package init(name: String, outcome: Outcome, silence: Silence? = nil, description: String? = nil) {
            self.name = name
            self.description = description
            switch outcome {
            case .opens: state = .opens
            case .hangs: state = .hangs
            case .fails(let reason, let isBusy, let needsServer):
                state = isBusy ? .busy : .fails
                self.reason = reason
                self.needsServer = needsServer ? true : nil
            case .untried(let reason):
                state = .untried
                self.reason = reason
            }
            silenceSentence = silence?.sentence
            silenceReason = silence?.reason
            silenceFix = silence?.fix
        }

        /// The outcome with its reason, put together from the fields of the JSON.
        public var outcome: Outcome {
            switch state {
            case .opens: .opens
            case .hangs: .hangs
            case .untried: .untried(reason: reason ?? "")
            case .busy: .fails(reason: reason ?? "", isBusy: true)
            case .fails: .fails(reason: reason ?? "", isBusy: false, needsServer: needsServer ?? false)
            }
        }

        /// Why the mixer silences it; `nil` where it does not, or where that is unknown.
        public var silence: Silence? {
            (silenceReason ?? silenceSentence).map { Silence(reason: $0, fix: silenceFix ?? "alsamixer") }
        }
    }
}
