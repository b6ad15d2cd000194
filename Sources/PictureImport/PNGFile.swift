internal import CZlib

/// A PNG (ISO/IEC 15948): chunks that consist of a length, a name, content and a checksum.
struct PNGFile {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// The chunks that are kept: colours, transparency and the image itself. Animations, texts, profiles and times are dropped.
    private static let needed: Set<String> = ["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]
    private static let mostChunks = 20_000

    private struct Head {
        let width, height, depth, colour: Int
        let isInterlaced: Bool
    }

    private struct Chunk {
        let name: String
        let content: ArraySlice<UInt8>
        /// The chunk with its length, name, content and checksum.
        let whole: ArraySlice<UInt8>
    }

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func copy() throws(PictureRefusal) -> PictureImport {
        var reader = ByteReader(bytes, from: Self.signature.count)
        var head: Head?
        var new = Self.signature
        var packed: [UInt8] = []
        var hasColours = false
        var hasTransparency = false
        var before = ""
        for _ in 0..<Self.mostChunks {
            let chunk = try Self.chunk(&reader)
            // The header must be the first chunk, and the only one with its name.
            guard (head == nil) == (chunk.name == "IHDR") else {
                throw .damaged("its head is not in its place")
            }
            switch chunk.name {
            case "IHDR": head = try Self.head(chunk.content)
            case "PLTE":
                let isLegal = !hasColours && packed.isEmpty && chunk.content.count % 3 == 0
                guard isLegal, (3...768).contains(chunk.content.count) else { throw .damaged("its colours") }
                hasColours = true
            case "tRNS":
                guard !hasTransparency, packed.isEmpty, chunk.content.count <= 256 else {
                    throw .damaged("its transparency")
                }
                hasTransparency = true
            case "IDAT":
                guard packed.isEmpty || before == "IDAT" else { throw .damaged("its parts are not in order") }
                packed += chunk.content
            case "IEND":
                guard let head, chunk.content.isEmpty, head.colour != 3 || hasColours else {
                    throw .damaged("its end")
                }
                try Self.checkLength(packed, Self.length(of: head))
                return PictureImport(
                    kind: .png, width: head.width, height: head.height, bytes: new + chunk.whole)
            default:
                // A capital first letter marks a chunk without which a reader would draw something else.
                guard chunk.name.utf8.first.map({ $0 & 0x20 != 0 }) == true else {
                    throw .unsupported("needs parts that are not known")
                }
            }
            before = chunk.name
            if Self.needed.contains(chunk.name) { new += chunk.whole }
        }
        throw .unsupported("has more than \(Self.mostChunks) parts")
    }

    private static func chunk(_ reader: inout ByteReader) throws(PictureRefusal) -> Chunk {
        let start = reader.offset
        let length = try reader.number(4)
        let named = reader.offset
        let name = try reader.read(4)
        guard name.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) else {
            throw .damaged("the name of a part")
        }
        let content = try reader.read(length)
        let summed = reader.bytes[named..<reader.offset]
        let checksum = try reader.number(4)
        guard checksum == Self.checksum(Array(summed)) else { throw .damaged("a checksum does not fit") }
        return Chunk(
            name: String(decoding: name, as: UTF8.self), content: content,
            whole: reader.bytes[start..<reader.offset])
    }

    private static func checksum(_ bytes: [UInt8]) -> Int {
        unsafe bytes.withUnsafeBufferPointer { unsafe Int(crc32(0, $0.baseAddress, UInt32($0.count))) }
    }

    private static func head(_ content: ArraySlice<UInt8>) throws(PictureRefusal) -> Head {
        guard content.count == 13 else { throw .damaged("its head") }
        let start = content.startIndex
        let head = Head(
            width: ByteReader.number(content[start..<start + 4]),
            height: ByteReader.number(content[start + 4..<start + 8]),
            depth: Int(content[start + 8]), colour: Int(content[start + 9]),
            isInterlaced: content[start + 12] == 1)
        try PictureImport.check(head.width, head.height)
        // The bit depths permitted for each colour type: table 11.1 of the standard.
        let depths: [Int: [Int]] = [
            0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
        ]
        guard depths[head.colour]?.contains(head.depth) == true, content[start + 10] == 0,
            content[start + 11] == 0,
            content[start + 12] <= 1
        else { throw .damaged("its head") }
        return head
    }

    /// The bytes of the decompressed image: each row has one extra byte; an interlaced image has seven passes.
    private static func length(of head: Head) -> Int {
        let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][head.colour] ?? 0
        func bytes(_ width: Int, _ height: Int) -> Int {
            width == 0 || height == 0 ? 0 : height * (1 + (width * channels * head.depth + 7) / 8)
        }
        guard head.isInterlaced else { return bytes(head.width, head.height) }
        // Adam7: the start of each pass, and the distance between its pixels.
        let passes = [
            (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
        ]
        return passes.reduce(0) { sum, pass in
            let (x, y, dx, dy) = pass
            return sum + bytes((head.width - x + dx - 1) / dx, (head.height - y + dy - 1) / dy)
        }
    }

    /// Decompresses the image without keeping it: a truncated image, or a bomb, has a length that its size does not imply.
    private static func checkLength(_ packed: [UInt8], _ wanted: Int) throws(PictureRefusal) {
        var packed = packed
        var room = [UInt8](repeating: 0, count: 1 << 16)
        var stream = unsafe z_stream()
        guard unsafe adhand_inflate_begin_zlib(&stream) == Z_OK else {
            throw .damaged("it cannot be unpacked")
        }
        defer { unsafe inflateEnd(&stream) }
        var state = Z_OK
        var length = 0
        unsafe packed.withUnsafeMutableBufferPointer { input in
            unsafe stream.next_in = input.baseAddress
            unsafe stream.avail_in = UInt32(input.count)
            while state == Z_OK, length <= wanted {
                unsafe room.withUnsafeMutableBufferPointer { output in
                    unsafe stream.next_out = output.baseAddress
                    unsafe stream.avail_out = UInt32(output.count)
                    state = unsafe inflate(&stream, Z_NO_FLUSH)
                    length += unsafe output.count - Int(stream.avail_out)
                }
            }
        }
        if state == Z_BUF_ERROR || (state == Z_STREAM_END && length < wanted) { throw .cut }
        guard state == Z_STREAM_END, length == wanted else {
            throw .damaged(length > wanted ? "it unpacks to more than its size" : "it cannot be unpacked")
        }
    }
}
