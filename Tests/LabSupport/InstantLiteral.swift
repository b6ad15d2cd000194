package import PrayerEngine
import Texts

/// The instant of an RFC 3339 text.
package func instant(_ text: String) throws -> Instant {
    guard let instant = InstantText.parse(text) else { throw NotAnInstant(text: text) }
    return instant
}

package struct NotAnInstant: Error {
    package let text: String

    package init(text: String) { self.text = text }
}
