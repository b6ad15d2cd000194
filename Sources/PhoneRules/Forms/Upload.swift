/// Parses the body of an upload (`multipart/form-data`) as it arrives: text fields and at most one file. Bytes of the file are
/// returned by each call and not stored. ``mostHead`` and ``mostField`` limit the stored bytes.
package struct Upload: Sendable {
    package enum Event: Sendable, Equatable {
        case field(Form.Field)
        /// The start of a file. The browser's name is for display only; no path is made from it.
        case file(field: String, name: String)
        case bytes([UInt8])
        case endOfFile
    }

    package enum UnreadableError: Error, Sendable, Equatable, CaseIterable {
        /// The bytes are not a valid multipart body.
        case shape
        /// The head of a part or a text field is too long, or there are too many of them.
        case tooLong
        /// More than one file.
        case files
        /// The file is larger than this address accepts.
        case tooLarge
        /// A name or a field is not valid text.
        case text
        /// The body ended before its last boundary.
        case cutOff
    }

    package static let mostHead = 4096
    package static let mostField = 4096
    package static let mostFields = 16

    private enum State: Sendable {
        case preamble, head
        case field(String)
        case file, end
    }

    private let delimiter: [UInt8]
    private let mostBytes: Int
    private var state = State.preamble
    private var buffer: [UInt8]
    private var fields = 0
    private var files = 0
    private var fileBytes = 0
    /// The number of bytes parsed so far, without the two that were added in front of the body.
    private var consumed = -2
    /// The offset of the file's first byte in the body, once it has begun.
    package private(set) var fileOffset: Int?

    /// - Parameters:
    ///   - boundary: the boundary in ``ContentType``.
    ///   - mostBytes: the largest file.
    package init(boundary: String, mostBytes: Int) {
        delimiter = Array("\r\n--\(boundary)".utf8)
        self.mostBytes = mostBytes
        // The first line may be a boundary, which otherwise begins with a line end.
        buffer = [0x0D, 0x0A]
    }

    /// The number of bytes after the file if it is the last part, as browsers end a body.
    package var closing: Int { delimiter.count + "--\r\n".utf8.count }

    package var isComplete: Bool { if case .end = state { true } else { false } }

    package mutating func add(_ bytes: some Collection<UInt8>) throws(UnreadableError) -> [Event] {
        guard !isComplete else { return [] }
        buffer += bytes
        var events: [Event] = []
        while try step(&events) {}
        return events
    }

    /// Handles the end of the body.
    package func finish() throws(UnreadableError) {
        guard isComplete else { throw .cutOff }
    }

    /// - Returns: `false` if more bytes are needed.
    private mutating func step(_ events: inout [Event]) throws(UnreadableError) -> Bool {
        switch state {
        case .end: return false
        case .preamble:
            guard let after = try boundary(at: find(delimiter)) else {
                guard buffer.count <= Self.mostHead else { throw .tooLong }
                return false
            }
            remove(after)
            return true
        case .head: return try head(&events)
        case .field(let name): return try field(name, &events)
        case .file: return try file(&events)
        }
    }

    /// The number of bytes up to the head of the part after a delimiter. Sets the next state. `nil` while bytes are missing.
    private mutating func boundary(at index: Int?) throws(UnreadableError) -> Int? {
        guard let index else { return nil }
        let end = index + delimiter.count
        guard end + 2 <= buffer.count else { return nil }
        switch (buffer[end], buffer[end + 1]) {
        case (0x0D, 0x0A): state = .head
        case (UInt8(ascii: "-"), UInt8(ascii: "-")): state = .end
        default: throw .shape
        }
        return end + 2
    }

    private mutating func head(_ events: inout [Event]) throws(UnreadableError) -> Bool {
        guard let end = find([0x0D, 0x0A, 0x0D, 0x0A]) else {
            guard buffer.count <= Self.mostHead else { throw .tooLong }
            return false
        }
        guard end <= Self.mostHead else { throw .tooLong }
        let head = try PartHead(buffer[..<end])
        remove(end + 4)
        fields += 1
        guard fields <= Self.mostFields else { throw .tooLong }
        if let file = head.file {
            files += 1
            guard files == 1 else { throw .files }
            fileOffset = consumed
            events.append(.file(field: head.name, name: file))
            state = .file
        } else {
            state = .field(head.name)
        }
        return true
    }

    private mutating func field(_ name: String, _ events: inout [Event]) throws(UnreadableError) -> Bool {
        guard let end = find(delimiter) else {
            guard buffer.count <= Self.mostField + delimiter.count else { throw .tooLong }
            return false
        }
        guard end <= Self.mostField else { throw .tooLong }
        let value = buffer[..<end]
        guard let after = try boundary(at: end) else { return false }
        guard !value.contains(0), let text = String(validating: value, as: UTF8.self) else { throw .text }
        events.append(.field(Form.Field(name, text)))
        remove(after)
        return true
    }

    private mutating func file(_ events: inout [Event]) throws(UnreadableError) -> Bool {
        let end = find(delimiter)
        // Without a delimiter, the last bytes may be the start of one, and all others belong to the file.
        let count = end ?? max(0, buffer.count - delimiter.count + 1)
        if count > 0 {
            fileBytes += count
            guard fileBytes <= mostBytes else { throw .tooLarge }
            events.append(.bytes(Array(buffer[..<count])))
            remove(count)
        }
        guard end != nil, let after = try boundary(at: 0) else { return false }
        events.append(.endOfFile)
        remove(after)
        return true
    }

    private mutating func remove(_ count: Int) {
        buffer.removeFirst(count)
        consumed += count
    }

    /// The offset of a text in the buffer.
    private func find(_ text: [UInt8]) -> Int? {
        guard buffer.count >= text.count, let first = text.first else { return nil }
        var index = 0
        let last = buffer.count - text.count
        while index <= last {
            if buffer[index] == first, buffer[index..<(index + text.count)].elementsEqual(text) {
                return index
            }
            index += 1
        }
        return nil
    }
}

/// `Content-Disposition: form-data; name="file"; filename="adhan.mp3"`
private struct PartHead {
    let name: String
    let file: String?

    init(_ bytes: ArraySlice<UInt8>) throws(Upload.UnreadableError) {
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else { throw .text }
        var disposition: Substring?
        for line in text.split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else { throw .shape }
            if line[..<colon].lowercased() == "content-disposition" {
                guard disposition == nil else { throw .shape }
                disposition = line[line.index(after: colon)...].drop { $0 == " " }
            }
        }
        guard let disposition, disposition.lowercased().hasPrefix("form-data;") else { throw .shape }
        let values = try Self.parameters(disposition.dropFirst("form-data".count))
        guard let name = values["name"], !name.isEmpty, name.utf8.count <= Form.longestName else {
            throw .shape
        }
        self.name = name
        file = values["filename"]
    }

    /// Parses `; name="a"; filename="b"`: browsers quote each value and write `"` as `%22`.
    private static func parameters(_ text: Substring) throws(Upload.UnreadableError) -> [String: String] {
        var values: [String: String] = [:]
        var rest = text
        while !rest.isEmpty {
            guard rest.first == ";" else { throw .shape }
            rest = rest.dropFirst().drop { $0 == " " }
            guard let equals = rest.firstIndex(of: "=") else { throw .shape }
            let name = rest[..<equals].lowercased()
            rest = rest[equals...].dropFirst()
            guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { throw .shape }
            let value = String(rest[rest.index(after: rest.startIndex)..<end])
            guard values.updateValue(value, forKey: name) == nil else { throw .shape }
            rest = rest[end...].dropFirst()
        }
        return values
    }
}
