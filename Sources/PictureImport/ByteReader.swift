/// Reads numbers from a file, and never beyond its end.
struct ByteReader {
    let bytes: [UInt8]
    private(set) var offset: Int

    init(_ bytes: [UInt8], from offset: Int) {
        (self.bytes, self.offset) = (bytes, offset)
    }

    mutating func read(_ count: Int) throws(PictureRefusal) -> ArraySlice<UInt8> {
        guard count <= bytes.count - offset else { throw .cut }
        defer { offset += count }
        return bytes[offset..<offset + count]
    }

    mutating func byte() throws(PictureRefusal) -> UInt8 {
        guard offset < bytes.count else { throw .cut }
        defer { offset += 1 }
        return bytes[offset]
    }

    /// Reads a big-endian number.
    mutating func number(_ count: Int) throws(PictureRefusal) -> Int { Self.number(try read(count)) }

    static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
