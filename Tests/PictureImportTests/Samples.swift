@testable import PictureImport

/// Pictures built part by part, so that each part can be wrong.
enum Sample {
    static func png(
        width: Int = 3, height: Int = 2, extra: [(String, [UInt8])] = [], rows: [UInt8]? = nil,
        tail: [UInt8] = [],
        interlaced: Bool = false
    ) -> [UInt8] {
        let head = big(width, 4) + big(height, 4) + [8, 2, 0, 0, interlaced ? 1 : 0]
        let picture = rows ?? [UInt8](repeating: 0, count: height * (1 + width * 3))
        return PNGFile.signature + chunk("IHDR", head) + extra.flatMap { chunk($0.0, $0.1) }
            + chunk("IDAT", packed(picture)) + chunk("IEND", []) + tail
    }

    static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let summed = Array(name.utf8) + content
        return big(content.count, 4) + summed + big(Int(crc(summed)), 4)
    }

    /// A stream of zlib's that packs nothing.
    static func packed(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var start = 0
        repeat {
            let end = min(bytes.count, start + 0xFFFF)
            let count = end - start
            stream += [end == bytes.count ? 1 : 0, UInt8(count & 0xFF), UInt8(count >> 8)]
            stream += [UInt8(~count & 0xFF), UInt8(~count >> 8 & 0xFF)] + bytes[start..<end]
            start = end
        } while start < bytes.count
        let sums = bytes.reduce((1, 0)) { sums, byte in
            let first = (sums.0 + Int(byte)) % 65_521
            return (first, (sums.1 + first) % 65_521)
        }
        return stream + big(sums.1 << 16 | sums.0, 4)
    }

    static func jpeg(
        width: Int = 16, height: Int = 8, notes: [(UInt8, [UInt8])] = [], frame: UInt8 = 0xC0, scans: Int = 1,
        tail: [UInt8] = []
    ) -> [UInt8] {
        let size = [8] + big(height, 2) + big(width, 2) + [1, 1, 0x11, 0]
        let packed: [UInt8] = [0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56]
        let scan = segment(0xDA, [1, 1, 0, 0, 63, 0]) + packed
        return [0xFF, 0xD8] + segment(0xE0, Array("JFIF".utf8) + [0, 1, 2, 0, 0, 1, 0, 1, 0, 0])
            + notes.flatMap { segment($0.0, $0.1) } + segment(0xDB, [UInt8](repeating: 1, count: 65))
            + segment(frame, size) + segment(0xC4, [UInt8](repeating: 0, count: 17))
            + (0..<scans).flatMap { _ in scan } + [0xFF, 0xD9] + tail
    }

    static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker] + big(content.count + 2, 2) + content
    }

    static func exif(orientation: UInt8) -> [UInt8] {
        let head: [UInt8] = Array("Exif".utf8) + [0, 0] + Array("MM".utf8) + [0, 42] + big(8, 4)
        let entry: [UInt8] = big(0x0112, 2) + big(3, 2) + big(1, 4) + [0, orientation, 0, 0]
        return head + big(1, 2) + entry + big(0, 4)
    }

    static func big(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(number >> (8 * $0) & 0xFF) }
    }

    /// Bit by bit, so that it is not the function under test.
    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : (sum >> 1) ^ 0xEDB8_8320 }
        }
        return ~sum
    }
}
