/// `/r/pair`: pairing a phone.
package struct PairFacts: Sendable, Equatable {
    /// The suggested name, such as the kind of machine that the browser reports.
    package let suggestedName: String
    /// Whether the page came over HTTPS.
    package let isSecure: Bool
    /// Whether the key of the box's own network or the word on its card is accepted besides six digits.
    package let acceptsWords: Bool
    /// Whether access to the box's own network was the code, so that only a name is requested.
    package let hasJoined: Bool
    /// Whether the page is on the network of a box that is already claimed, whose key opens the network page alone.
    package var namesNetwork = false

    package init(
        suggestedName: String = "", isSecure: Bool = false, acceptsWords: Bool = false,
        hasJoined: Bool = false
    ) {
        (self.suggestedName, self.isSecure) = (suggestedName, isSecure)
        (self.acceptsWords, self.hasJoined) = (acceptsWords, hasJoined)
    }
}

/// `/r/phones`: the paired phones.
package struct PhonesFacts: Sendable, Equatable {
    package let phones: [Phone]

    package init(phones: [Phone]) { self.phones = phones }
}
