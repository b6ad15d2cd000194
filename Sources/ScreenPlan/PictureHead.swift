/// Reads a picture's first bytes: its kind, whatever its name is, and how many pixels a browser would have to hold.
package struct PictureHead: Sendable, Equatable {
    /// The browsers' name for the format.
    package let type: String
    package let width: Int
    package let height: Int

    /// The most pixels: a browser needs four bytes for each, and the box's own may use 1.2 GB in all.
    package static let mostPixels = 36_000_000
    private static let longestSide = 16_384
    /// Segments of a JPEG before its size.
    private static let mostSegments = 500

    package var isShowable: Bool {
        width > 0 && height > 0 && max(width, height) <= Self.longestSide
            && width * height <= Self.mostPixels
    }

    /// - Parameter read: this many bytes from an offset on, or fewer at the end.
    package init?(_ read: (_ offset: Int, _ count: Int) -> [UInt8]) {
        let head = read(0, 32)
        func has(_ text: String, _ offset: Int) -> Bool { head.dropFirst(offset).starts(with: text.utf8) }
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47]), has("IHDR", 12), head.count >= 24 {
            self.init("image/png", Self.big(head[16..<20]), Self.big(head[20..<24]))
        } else if has("GIF8", 0), head.count >= 10 {
            self.init("image/gif", Self.little(head[6..<8]), Self.little(head[8..<10]))
        } else if has("RIFF", 0), has("WEBP", 8), head.count >= 30, let size = Self.webp(head) {
            self.init("image/webp", size.width, size.height)
        } else if head.starts(with: [0xFF, 0xD8, 0xFF]), let size = Self.jpeg(read) {
            self.init("image/jpeg", size.width, size.height)
        } else {
            return nil
        }
    }

    private init(_ type: String, _ width: Int, _ height: Int) {
        (self.type, self.width, self.height) = (type, width, height)
    }

    private static func big(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
    private static func little(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// The size of a WebP, each of whose three forms has it in another place.
    private static func webp(_ head: [UInt8]) -> (width: Int, height: Int)? {
        switch String(decoding: head[12..<16], as: UTF8.self) {
        case "VP8X": (little(head[24..<27]) + 1, little(head[27..<30]) + 1)
        case "VP8 ": (little(head[26..<28]) & 0x3FFF, little(head[28..<30]) & 0x3FFF)
        case "VP8L":
            ((little(head[21..<25]) & 0x3FFF) + 1, (little(head[21..<25]) >> 14 & 0x3FFF) + 1)
        default: nil
        }
    }

    /// The size of a JPEG, found by skipping from segment to segment to the one that begins the picture.
    private static func jpeg(_ read: (Int, Int) -> [UInt8]) -> (width: Int, height: Int)? {
        var offset = 2
        for _ in 0..<mostSegments {
            let bytes = read(offset, 9)
            guard bytes.count == 9, bytes[0] == 0xFF else { return nil }
            switch bytes[1] {
            case 0xFF: offset += 1
            case 0xC4, 0xC8, 0xCC: offset += 2 + big(bytes[2..<4])
            case 0xC0...0xCF: return (big(bytes[7..<9]), big(bytes[5..<7]))
            case 0x01, 0xD0...0xD8: offset += 2
            case 0xD9, 0xDA: return nil
            default: offset += 2 + big(bytes[2..<4])
            }
        }
        return nil
    }
}
