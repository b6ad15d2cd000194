/// `/r/pair`
package struct PairFacts: Sendable, Equatable {
    /// The name to start with, such as the browser's kind of machine.
    package let suggestedName: String
    /// The page came over HTTPS.
    package let isSecure: Bool
    /// Whether the key of the box's own network or the word of its card counts, beside six digits.
    package let takesWords: Bool
    /// Whether the box's own network was the code: a name is all that is asked for.
    package let hasJoined: Bool
    /// Whether the page is in the network of a box that was claimed before: its key opens the page about the network alone.
    package var namesNetwork = false

    package init(
        suggestedName: String = "", isSecure: Bool = false, takesWords: Bool = false, hasJoined: Bool = false
    ) {
        (self.suggestedName, self.isSecure) = (suggestedName, isSecure)
        (self.takesWords, self.hasJoined) = (takesWords, hasJoined)
    }
}

/// `/r/phones`
package struct PhonesFacts: Sendable, Equatable {
    package let phones: [Phone]

    package init(phones: [Phone]) { self.phones = phones }
}
