import Announcements
package import Protocol

/// The person or event that ends a sound.
package struct EndedBy: Sendable, Equatable {
    package let cause: EndCause
    /// `adhanctl stop (user 1000)`, or the identity of the announcement that was due.
    package let who: String

    package init(_ cause: EndCause, _ who: String) {
        (self.cause, self.who) = (cause, who)
    }
}
