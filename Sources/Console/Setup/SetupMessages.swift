import Settings
import Texts

/// Whether setup can write the recipient of alerts about missed adhans.
package enum SetupMessages: Sendable, Equatable {
    /// The configuration is a user's own, but alerts belong to the machine.
    case unavailable
    /// adhan-bridge, which sends them, is not installed.
    case notInstalled
    /// Its file cannot be read or is not valid, with the reason.
    case unreadable(String)
    case ready(Address)

    package struct Address: Sendable, Equatable {
        /// adhan-bridge's file.
        package let file: String
        /// The present address of setup's own alert.
        package let now: String?
        /// Whether the file has other alerts, which setup leaves unchanged.
        package let hasOthers: Bool
        /// A topic at ntfy that cannot be guessed.
        package let proposal: String

        package init(file: String, now: String?, hasOthers: Bool, proposal: String) {
            self.file = file
            self.now = now
            self.hasOthers = hasOthers
            self.proposal = proposal
        }
    }

    package var address: Address? { if case .ready(let address) = self { address } else { nil } }
}

/// The recipient of alerts about missed adhans.
package enum MessageAnswer: Sendable, Equatable {
    /// `isTried`: whether a test message was sent there already.
    case to(String, isTried: Bool)
    case nobody

    package static let nobodyWords = ["-", "none", "nobody"]

    /// An address as typed, or the reason why the text is not an address.
    package init(_ text: String) throws(MessageAnswerError) {
        if Self.nobodyWords.contains(text.lowercased()) {
            self = .nobody
            return
        }
        switch DeliveryAddress.typed(text) {
        case .failure(let problem): throw MessageAnswerError(reason: problem.reason)
        case .success(let address):
            guard !address.isFrontPage else { throw MessageAnswerError(reason: DeliveryAddress.noTopic) }
            self = .to(address.text, isTried: false)
        }
    }

    var decision: String {
        switch self {
        case .to(let address, _): "\(address) learns when an adhan is not heard"
        case .nobody: "nobody learns any more when an adhan is not heard"
        }
    }
}

/// An answer that is no address for messages, with the reason.
package struct MessageAnswerError: Error, Sendable, Equatable {
    package let reason: String
}
