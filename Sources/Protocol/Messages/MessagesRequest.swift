/// One question or act about the address at which people learn that an adhan was not heard, asked of adhan-bridge by the phone page:
/// this document as one line of JSON.
package struct MessagesRequest: Codable, Sendable, Equatable {
    package enum Act: String, Codable, Sendable, CaseIterable {
        case show
        /// Sends a test message to a new address, which is kept if the message was taken.
        case set
        /// Sends a test message to the address that is kept.
        case test
        case remove
        /// Of root alone, by `adhanctl fleet leave`: removes what the bridge has kept of a fleet that this box has left.
        case forgetFleet = "forget-fleet"
    }

    package var act: Act
    /// Of `set`, as somebody typed it.
    package var address: String?
    /// The place, by which whoever reads the test message knows the box.
    package var place: String?

    package init(_ act: Act, address: String? = nil) { (self.act, self.address) = (act, address) }

    /// Bytes of the line.
    package static let mostBytes = 4096
    /// Seconds for an answer: a web server has 15, and another message may be on its way.
    package static let longestSeconds = 40.0
    /// Seconds for the answer to `forget-fleet`: adhand is asked, and then the farewell to the fleet is awaited.
    package static let longestForgetSeconds = 20.0
}

/// The answer, as one line of JSON.
package struct MessagesReply: Codable, Sendable, Equatable {
    package enum Refusal: String, Codable, Sendable, CaseIterable {
        /// The line is none of these requests.
        case request
        /// The address cannot be used, or not from a phone.
        case address
        /// The server did not take the message.
        case undelivered
        /// Another message is being sent.
        case busy
        /// There is no address of the phone page.
        case nothing
        /// bridge.toml has an alert of the phone page's name.
        case pinned
        /// bridge.toml cannot be used, and so nothing beside it.
        case configuration
        /// The disk did not take it.
        case notSaved = "not-saved"
        /// The caller is not root.
        case notPermitted = "not-permitted"
        /// adhand belongs to a fleet, which needs what is to be forgotten.
        case member
        /// The service still speaks with the broker of the fleet.
        case connected
    }

    package var error: Refusal?
    /// For people.
    package var message: String
    /// The phone page's address, where it has one.
    package var address: String?
    /// The names of all other alerts.
    package var others: [String] = []
    /// Whether the service runs that sends the messages.
    package var isRunning = false

    package init(_ message: String, error: Refusal? = nil) { (self.message, self.error) = (message, error) }

    /// Bytes of the line.
    package static let mostBytes = 1 << 16
}
