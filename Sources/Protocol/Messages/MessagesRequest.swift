/// One request about the address to which alerts about missed adhans are sent, from the phone page to adhan-bridge: this document
/// as one line of JSON.
package struct MessagesRequest: Codable, Sendable, Equatable {
    package enum Act: String, Codable, Sendable, CaseIterable {
        case show
        /// Sends a test message to a new address, which is kept if the message was accepted.
        case set
        /// Sends a test message to the present address.
        case test
        case remove
        /// Removes what the bridge has kept of a fleet that this box has left; for root alone, by `adhanctl fleet leave`.
        case forgetFleet = "forget-fleet"
    }

    package var act: Act
    /// The address as typed, for `set`.
    package var address: String?
    /// The place, by which the reader of the test message recognises the box.
    package var place: String?

    package init(_ act: Act, address: String? = nil) { (self.act, self.address) = (act, address) }

    /// The most bytes of the line.
    package static let mostBytes = 4096
    /// The most seconds for an answer: a web server has 15, and another message may be on its way.
    package static let longestSeconds = 40.0
    /// The most seconds for the answer to `forget-fleet`: adhand is asked, and then the farewell to the fleet is awaited.
    package static let longestForgetSeconds = 20.0
}

/// The answer, as one line of JSON.
package struct MessagesReply: Codable, Sendable, Equatable {
    package enum Refusal: String, Codable, Sendable, CaseIterable {
        /// The line is not one of these requests.
        case request
        /// The address cannot be used, or not from a phone.
        case address
        /// The server did not accept the message.
        case undelivered
        /// Another message is being sent.
        case busy
        /// The phone page has no address.
        case nothing
        /// bridge.toml has an alert with the phone page's name.
        case pinned
        /// bridge.toml cannot be used, and therefore no address beside it.
        case configuration
        /// It could not be saved.
        case notSaved = "not-saved"
        /// The caller is not root.
        case notPermitted = "not-permitted"
        /// adhand belongs to a fleet, which needs what would be removed.
        case member
        /// The service is still connected to the fleet's broker.
        case connected
    }

    package var error: Refusal?
    /// The outcome for people.
    package var message: String
    /// The phone page's address, if it has one.
    package var address: String?
    /// The names of all other alerts.
    package var others: [String] = []
    /// Whether the service that sends the messages is running.
    package var isRunning = false

    package init(_ message: String, error: Refusal? = nil) { (self.message, self.error) = (message, error) }

    /// The most bytes of the line.
    package static let mostBytes = 1 << 16
}
