import TOML

/// A position in a text, as editors count.
struct TextPosition: Equatable {
    /// The line, counted from 1.
    let line: Int
    /// The column, counted from 1, in Unicode scalars.
    let column: Int

    /// The position of the byte at `offset`, which may be the end of the text.
    init(offset: Int, in bytes: [UInt8]) {
        var line = 1
        var lineStart = bytes.starts(with: TOMLDocument.byteOrderMark) ? TOMLDocument.byteOrderMark.count : 0
        for (index, byte) in bytes.prefix(offset).enumerated() where byte == UInt8(ascii: "\n") {
            line += 1
            lineStart = index + 1
        }
        let end = min(offset, bytes.count)
        // Continuation bytes belong to the scalar before them.
        column = 1 + (lineStart < end ? bytes[lineStart..<end].count(where: { $0 & 0xC0 != 0x80 }) : 0)
        self.line = line
    }
}
