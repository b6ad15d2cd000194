/// Why a text is not TOML 1.0, and where.
package struct TOMLError: Error, Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// A byte that is not UTF-8.
        case notUTF8(UInt8)
        /// A character that no text may contain as it is.
        case controlCharacter(UInt32)
        /// A carriage return that no newline follows.
        case loneCarriageReturn
        /// Neither a key nor a table begins like this.
        case noKey
        /// A key without "=" behind it.
        case noEquals
        /// Nothing stands behind "=".
        case noValue
        /// No value looks like this.
        case unknownValue
        /// A number with zeros in front.
        case leadingZero
        /// A whole number of more than 64 bits.
        case tooLarge
        /// A day or time that does not exist.
        case badDate
        /// A text without its closing quotation mark.
        case unclosedText
        /// A backslash before something that it does not go with.
        case unknownEscape
        /// Something behind a value, or behind a table's header, that does not belong there.
        case unexpected
        /// A table's header without a name, or without its bracket.
        case emptyHeader, unclosedHeader
        /// A list without its bracket, begun at this offset; or with something else than a comma between elements.
        case unclosedList(start: Int)
        case noComma
        /// A table in braces that does not end on its line, or has a comma before its brace.
        case unclosedInlineTable, trailingComma
        /// A key or table that is there already, at this offset.
        case duplicate(first: Int)
        /// More levels than ``TOMLDocument/deepest``.
        case tooDeep
    }

    package let kind: Kind
    /// In bytes; at most the length of the text.
    package let offset: Int
    /// The key whose value is at fault, or which is there twice, from the top; `nil` when no key is concerned.
    package var path: [String]?
    /// Where that key's value begins.
    package var valueOffset: Int?

    package init(_ kind: Kind, at offset: Int, path: [String]? = nil) {
        self.kind = kind
        self.offset = offset
        self.path = path
    }
}
