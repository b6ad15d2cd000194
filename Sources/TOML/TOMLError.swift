/// Why a text is not TOML 1.0, with the position.
package struct TOMLError: Error, Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// A byte that is not UTF-8.
        case notUTF8(UInt8)
        /// A character that must be escaped.
        case controlCharacter(UInt32)
        /// A carriage return without a newline after it.
        case loneCarriageReturn
        /// Neither a key nor a table begins like this.
        case noKey
        /// A key without "=" after it.
        case noEquals
        /// Nothing after "=".
        case noValue
        /// Text that is no kind of value.
        case unknownValue
        /// A number with leading zeros.
        case leadingZero
        /// A whole number of more than 64 bits.
        case tooLarge
        /// A day or time that does not exist.
        case badDate
        /// A text without its closing quotation mark.
        case unclosedText
        /// A backslash before a character that cannot be escaped.
        case unknownEscape
        /// Further text after a value or after a table's header.
        case unexpected
        /// A table's header without a name, or without its bracket.
        case emptyHeader, unclosedHeader
        /// A list without its closing bracket, begun at this offset; or with something other than a comma between elements.
        case unclosedList(start: Int)
        case noComma
        /// A table in braces that does not end on its line, or has a comma before its brace.
        case unclosedInlineTable, trailingComma
        /// A key or table that already exists, at this offset.
        case duplicate(first: Int)
        /// More levels than ``TOMLDocument/deepest``.
        case tooDeep
    }

    package let kind: Kind
    /// The offset in bytes; at most the length of the text.
    package let offset: Int
    /// The path from the top level to the key whose value is wrong, or which is a duplicate; `nil` if no key is concerned.
    package var path: [String]?
    /// The offset of that key's value.
    package var valueOffset: Int?

    package init(_ kind: Kind, at offset: Int, path: [String]? = nil) {
        self.kind = kind
        self.offset = offset
        self.path = path
    }
}
