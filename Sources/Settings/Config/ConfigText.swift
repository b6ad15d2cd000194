import TOML

/// The text of a configuration file, its content, and its errors.
struct ConfigText {
    let file: String
    let bytes: [UInt8]
    let document: TOMLDocument
    let index: SchemaIndex
    /// The content of each table and list, in the order of the text.
    let children: [Int: [Int]]
    /// The faults that were found before its keys are checked, in the order of the text.
    private(set) var mistakes: [ConfigError] = []

    init(_ source: ConfigSource, _ index: SchemaIndex) {
        self.index = index
        file = source.file
        bytes = source.text
        if let reason = Self.noText(bytes) {
            document = TOMLDocument([])
            children = [:]
            mistakes = [error(at: 0, key: nil, reason)]
            return
        }
        let document = TOMLDocument(bytes)
        self.document = document
        children = Dictionary(grouping: document.nodes.indices.filter { document.nodes[$0].parent != nil }) {
            document.nodes[$0].parent ?? 0
        }
        mistakes = document.faults.map { error($0) }
    }

    func error(at offset: Int, key: String?, _ reason: String) -> ConfigError {
        let position = TextPosition(offset: offset, in: bytes)
        return ConfigError(
            file: file, line: position.line, column: position.column, key: key, reason: reason)
    }

    func line(of offset: Int) -> Int { TextPosition(offset: offset, in: bytes).line }

    /// Why the bytes cannot be read at all.
    private static func noText(_ bytes: [UInt8]) -> String? {
        if bytes.count > ConfigLoader.longestFile {
            return
                "the file has \(bytes.count) bytes, allowed are \(ConfigLoader.longestFile); is it a configuration?"
        }
        // Without a byte order mark, every other byte of plain text in UTF-16 is zero.
        let start = bytes.prefix(64)
        let zeros = start.count { $0 == 0 }
        if zeros == start.count, zeros > 0 {
            return
                "there are only zeros where the file began, as after a loss of power; put a copy back, or move the file away and run \"sudo adhanctl setup\""
        }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
            || start.count >= 4 && zeros * 3 >= start.count
        {
            return "the file is UTF-16; save it as UTF-8"
        }
        return nil
    }
}
