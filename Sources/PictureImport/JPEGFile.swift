/// A JPEG (ITU-T T.81): segments that begin with a marker, and scans of compressed image data between them.
struct JPEGFile {
    static let signature: [UInt8] = [0xFF, 0xD8, 0xFF]
    /// The most scans. A progressive picture has about ten, each of which takes a browser the time of a whole picture.
    private static let mostScans = 50
    private static let mostSegments = 2_000

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func copy() throws(PictureRefusal) -> PictureImport {
        var reader = ByteReader(bytes, from: 2)
        var new: [UInt8] = [0xFF, 0xD8]
        var size: (width: Int, height: Int)?
        var scans = 0
        for _ in 0..<Self.mostSegments {
            let marker = try Self.marker(&reader)
            if marker == 0xD9 {
                guard let size, scans > 0 else { throw .damaged("there is no picture in it") }
                return PictureImport(
                    kind: .jpeg, width: size.width, height: size.height, bytes: new + [0xFF, 0xD9])
            }
            guard marker != 0x01, !(0xD0...0xD8).contains(marker) else {
                throw .damaged("a part out of place")
            }
            let length = try reader.number(2)
            guard length >= 2 else { throw .damaged("the length of a part") }
            let content = try reader.read(length - 2)
            guard try Self.isNeeded(marker, content) else { continue }
            if Self.isFrame(marker) {
                guard size == nil else { throw .damaged("it has two sizes") }
                size = try Self.size(content)
            }
            new += [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content
            guard marker == 0xDA else { continue }
            scans += 1
            guard size != nil else { throw .damaged("its size comes too late") }
            guard scans <= Self.mostScans else {
                throw .unsupported("is packed in more than \(Self.mostScans) scans")
            }
            new += try Self.scan(&reader)
        }
        throw .unsupported("has more than \(Self.mostSegments) parts")
    }

    /// The next marker; a run of 0xFF before it means nothing.
    private static func marker(_ reader: inout ByteReader) throws(PictureRefusal) -> UInt8 {
        guard try reader.byte() == 0xFF else {
            throw .damaged("a part does not begin where the last one ends")
        }
        var marker: UInt8 = 0xFF
        while marker == 0xFF { marker = try reader.byte() }
        guard marker != 0 else { throw .damaged("a part does not begin where the last one ends") }
        return marker
    }

    private static func isFrame(_ marker: UInt8) -> Bool { [0xC0, 0xC1, 0xC2].contains(marker) }

    /// Whether a segment is needed: tables, size, scans and colour information are; metadata of cameras and programs is not.
    private static func isNeeded(_ marker: UInt8, _ content: ArraySlice<UInt8>) throws(PictureRefusal) -> Bool
    {
        switch marker {
        case 0xC0, 0xC1, 0xC2, 0xC4, 0xDA, 0xDB, 0xDD: return true
        // Adobe's segment: without it, CMYK or RGB pictures have wrong colours.
        case 0xEE: return content.starts(with: "Adobe".utf8) && content.count == 12
        case 0xE1:
            if let turn = Orientation.read(content), turn != 1 { throw .turned }
            return false
        case 0xE0, 0xE2...0xEF, 0xFE: return false
        case 0xC3, 0xC5...0xCF: throw .unsupported("is packed in a way that browsers do not read")
        default: throw .unsupported("has parts that are not known")
        }
    }

    private static func size(_ content: ArraySlice<UInt8>) throws(PictureRefusal) -> (width: Int, height: Int)
    {
        let start = content.startIndex
        guard content.count >= 6, content.count == 6 + 3 * Int(content[start + 5]) else {
            throw .damaged("its head")
        }
        guard content[start] == 8, [1, 3, 4].contains(content[start + 5]) else {
            throw .unsupported("has colours that browsers do not read")
        }
        let height = ByteReader.number(content[start + 1..<start + 3])
        let width = ByteReader.number(content[start + 3..<start + 5])
        try PictureImport.check(width, height)
        return (width, height)
    }

    /// Reads compressed image data up to the next marker. Within the data, 0xFF is followed by 0 or by a restart marker.
    private static func scan(_ reader: inout ByteReader) throws(PictureRefusal) -> ArraySlice<UInt8> {
        let start = reader.offset
        while true {
            guard try reader.byte() == 0xFF else { continue }
            let next = try reader.byte()
            guard next != 0, !(0xD0...0xD7).contains(next) else { continue }
            let end = reader.offset - 2
            reader = ByteReader(reader.bytes, from: end)
            return reader.bytes[start..<end]
        }
    }
}
