/// A QR code (ISO/IEC 18004) of versions 1 to 10, error correction level M, byte mode: up to 213 bytes. Codes for
/// donations may be longer: adhan-display makes those with libqrencode.
package struct QRCode: Sendable, Equatable {
    /// The modules in a row, without the quiet zone: 21 to 57.
    package let size: Int
    /// The modules row by row; `true` is dark.
    package private(set) var modules: [Bool]

    package subscript(row: Int, column: Int) -> Bool { modules[row * size + column] }

    /// Returns `nil` if the text has more than 213 bytes.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let version = QRVersion.all.first(where: { $0.capacity >= bytes.count }) else { return nil }
        let matrix = QRMatrix(version, codewords: QRCodewords.all(bytes, version))
        // Ties go to the mask with the lower number.
        let masked = (0..<8).map { matrix.masked($0) }
        var best = masked[0]
        for candidate in masked.dropFirst() where candidate.penalty < best.penalty { best = candidate }
        size = version.size
        modules = best.dark
    }
}

/// The parameters of a version at level M (table 9 of the standard).
struct QRVersion: Sendable {
    let number: Int
    /// The error correction codewords of each block.
    let correction: Int
    /// The data codewords of each block, in order.
    let blocks: [Int]
    /// The rows and columns of alignment patterns.
    let alignment: [Int]

    var size: Int { 17 + 4 * number }
    var dataCodewords: Int { blocks.reduce(0, +) }
    /// The bits of the character count, which follow 4 bits for the mode.
    var countBits: Int { number < 10 ? 8 : 16 }
    var capacity: Int { dataCodewords - (4 + countBits + 7) / 8 }

    static let all = [
        QRVersion(number: 1, correction: 10, blocks: [16], alignment: []),
        QRVersion(number: 2, correction: 16, blocks: [28], alignment: [6, 18]),
        QRVersion(number: 3, correction: 26, blocks: [44], alignment: [6, 22]),
        QRVersion(number: 4, correction: 18, blocks: [32, 32], alignment: [6, 26]),
        QRVersion(number: 5, correction: 24, blocks: [43, 43], alignment: [6, 30]),
        QRVersion(number: 6, correction: 16, blocks: [27, 27, 27, 27], alignment: [6, 34]),
        QRVersion(number: 7, correction: 18, blocks: [31, 31, 31, 31], alignment: [6, 22, 38]),
        QRVersion(number: 8, correction: 22, blocks: [38, 38, 39, 39], alignment: [6, 24, 42]),
        QRVersion(number: 9, correction: 22, blocks: [36, 36, 36, 37, 37], alignment: [6, 26, 46]),
        QRVersion(number: 10, correction: 26, blocks: [43, 43, 43, 43, 44], alignment: [6, 28, 50]),
    ]
}

/// The codewords of data and error correction in drawing order.
enum QRCodewords {
    static func all(_ bytes: [UInt8], _ version: QRVersion) -> [UInt8] {
        let data = padded(bytes, version)
        var blocks: [[UInt8]] = []
        var start = 0
        for count in version.blocks {
            blocks.append(Array(data[start..<(start + count)]))
            start += count
        }
        let corrections = blocks.map { ReedSolomon.remainder($0, version.correction) }
        return interleaved(blocks) + interleaved(corrections)
    }

    private static func padded(_ bytes: [UInt8], _ version: QRVersion) -> [UInt8] {
        var bits: [Bool] = []
        func add(_ value: Int, _ count: Int) {
            for bit in stride(from: count - 1, through: 0, by: -1) { bits.append(value >> bit & 1 == 1) }
        }
        add(0b0100, 4)
        add(bytes.count, version.countBits)
        for byte in bytes { add(Int(byte), 8) }
        add(0, min(4, version.dataCodewords * 8 - bits.count))
        add(0, (8 - bits.count % 8) % 8)
        var codewords = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<(start + 8)].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        var isFirst = true
        while codewords.count < version.dataCodewords {
            codewords.append(isFirst ? 0xEC : 0x11)
            isFirst.toggle()
        }
        return codewords
    }

    /// The first codeword of each block, then the second of each, and so on; shorter blocks end earlier.
    private static func interleaved(_ blocks: [[UInt8]]) -> [UInt8] {
        (0..<(blocks.map(\.count).max() ?? 0)).flatMap { index in
            blocks.filter { index < $0.count }.map { $0[index] }
        }
    }
}

/// Reed-Solomon error correction over the field of 256 elements with the polynomial 0x11D.
enum ReedSolomon {
    static func remainder(_ data: [UInt8], _ count: Int) -> [UInt8] {
        let generator = generator(count)
        var remainder = [UInt8](repeating: 0, count: count)
        for byte in data {
            let factor = byte ^ remainder[0]
            remainder.removeFirst()
            remainder.append(0)
            for index in 0..<count { remainder[index] ^= product(generator[index], factor) }
        }
        return remainder
    }

    /// The coefficients of (x - 1)(x - 2)(x - 4)…, without the leading one.
    private static func generator(_ count: Int) -> [UInt8] {
        var coefficients = [UInt8](repeating: 0, count: count - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<count {
            for index in 0..<count {
                coefficients[index] = product(coefficients[index], root)
                if index + 1 < count { coefficients[index] ^= coefficients[index + 1] }
            }
            root = product(root, 2)
        }
        return coefficients
    }

    static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
        var result = 0
        for bit in stride(from: 7, through: 0, by: -1) {
            result = result << 1 ^ (result >> 7) * 0x11D
            result ^= Int(b >> UInt8(bit) & 1) * Int(a)
        }
        return UInt8(result)
    }
}
