/// Why a key cannot be set.
package struct ConfigRefusal: Error, Sendable, Equatable {
    package enum Kind: Sendable {
        /// The typed words are invalid.
        case word
        /// The content of the files, present or future, is invalid.
        case text
        /// A drop-in overrides it.
        case drop
    }

    package let kind: Kind
    package let message: String

    init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}
