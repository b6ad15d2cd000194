/// The modules of a QR code during drawing.
struct QRMatrix {
    let version: QRVersion
    var dark: [Bool]
    /// Modules that carry no data: no mask changes them.
    private var isFixed: [Bool]

    private var size: Int { version.size }

    init(_ version: QRVersion, codewords: [UInt8]) {
        self.version = version
        dark = [Bool](repeating: false, count: version.size * version.size)
        isFixed = dark
        drawTiming()
        for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] { drawFinder(row, column) }
        drawAlignment()
        drawFormat(mask: 0)
        drawVersion()
        draw(codewords)
    }

    private mutating func fix(_ row: Int, _ column: Int, _ isDark: Bool) {
        dark[row * size + column] = isDark
        isFixed[row * size + column] = true
    }

    // MARK: Patterns

    private mutating func drawTiming() {
        for index in 0..<size {
            fix(6, index, index % 2 == 0)
            fix(index, 6, index % 2 == 0)
        }
    }

    /// Draws a finder pattern with its light border, as far as that lies within the code.
    private mutating func drawFinder(_ row: Int, _ column: Int) {
        for down in -4...4 {
            for right in -4...4 {
                let distance = max(abs(down), abs(right))
                let (y, x) = (row + down, column + right)
                if (0..<size).contains(y), (0..<size).contains(x) {
                    fix(y, x, distance != 2 && distance != 4)
                }
            }
        }
    }

    private mutating func drawAlignment() {
        let centres = version.alignment
        for (i, row) in centres.enumerated() {
            for (j, column) in centres.enumerated() {
                // Skip the three corners that have finder patterns.
                let last = centres.count - 1
                if (i, j) == (0, 0) || (i, j) == (0, last) || (i, j) == (last, 0) { continue }
                for down in -2...2 {
                    for right in -2...2 { fix(row + down, column + right, max(abs(down), abs(right)) != 1) }
                }
            }
        }
    }

    /// Draws the format twice, 15 bits: level M (00), the mask, and 10 bits of error correction.
    private mutating func drawFormat(mask: Int) {
        var remainder = mask
        for _ in 0..<10 { remainder = remainder << 1 ^ (remainder >> 9) * 0x537 }
        let bits = (mask << 10 | remainder) ^ 0x5412
        func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
        for index in 0...5 { fix(index, 8, bit(index)) }
        fix(7, 8, bit(6))
        fix(8, 8, bit(7))
        fix(8, 7, bit(8))
        for index in 9..<15 { fix(8, 14 - index, bit(index)) }
        for index in 0..<8 { fix(8, size - 1 - index, bit(index)) }
        for index in 8..<15 { fix(size - 15 + index, 8, bit(index)) }
        fix(size - 8, 8, true)
    }

    /// Draws the version twice, from version 7 on: 6 bits and 12 bits of error correction.
    private mutating func drawVersion() {
        guard version.number >= 7 else { return }
        var remainder = version.number
        for _ in 0..<12 { remainder = remainder << 1 ^ (remainder >> 11) * 0x1F25 }
        let bits = version.number << 12 | remainder
        for index in 0..<18 {
            let isDark = bits >> index & 1 == 1
            fix(index / 3, size - 11 + index % 3, isDark)
            fix(size - 11 + index % 3, index / 3, isDark)
        }
    }

    /// Draws the codewords upwards and downwards in pairs of columns from the right, skipping the timing pattern's column.
    private mutating func draw(_ codewords: [UInt8]) {
        var index = 0
        var right = size - 1
        while right >= 1 {
            if right == 6 { right = 5 }
            let isUpward = (right + 1) & 2 == 0
            for step in 0..<size {
                let row = isUpward ? size - 1 - step : step
                for column in [right, right - 1] where !isFixed[row * size + column] {
                    // The remaining bits at the end stay light.
                    guard index < codewords.count * 8 else { return }
                    dark[row * size + column] = codewords[index >> 3] >> UInt8(7 - index & 7) & 1 == 1
                    index += 1
                }
            }
            right -= 2
        }
    }

    // MARK: Masks

    func masked(_ mask: Int) -> QRMatrix {
        var matrix = self
        for row in 0..<size {
            for column in 0..<size
            where !isFixed[row * size + column] && Self.inverts(mask, row, column) {
                matrix.dark[row * size + column].toggle()
            }
        }
        matrix.drawFormat(mask: mask)
        return matrix
    }

    private static func inverts(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
        switch mask {
        case 0: (row + column) % 2 == 0
        case 1: row % 2 == 0
        case 2: column % 3 == 0
        case 3: (row + column) % 3 == 0
        case 4: (row / 2 + column / 3) % 2 == 0
        case 5: row * column % 2 + row * column % 3 == 0
        case 6: (row * column % 2 + row * column % 3) % 2 == 0
        default: ((row + column) % 2 + row * column % 3) % 2 == 0
        }
    }

    /// The penalty by which the standard compares masks, from four rules: less is easier to read.
    var penalty: Int {
        let lines = (0..<size).map { row in (0..<size).map { dark[row * size + $0] } }
        let columns = (0..<size).map { column in (0..<size).map { dark[$0 * size + column] } }
        var sum = (lines + columns).reduce(0) { $0 + Self.runs($1) + Self.finders($1) }
        for row in 1..<size {
            for column in 1..<size {
                let colour = lines[row][column]
                if colour == lines[row - 1][column], colour == lines[row][column - 1],
                    colour == lines[row - 1][column - 1]
                {
                    sum += 3
                }
            }
        }
        let share = dark.count { $0 } * 20
        return sum + abs(share - dark.count * 10) / dark.count * 10
    }

    /// The penalty for runs: five modules of one colour count 3, each further one counts 1.
    private static func runs(_ line: [Bool]) -> Int {
        var (sum, length) = (0, 0)
        for (index, isDark) in line.enumerated() {
            length = index > 0 && isDark == line[index - 1] ? length + 1 : 1
            if length == 5 { sum += 3 } else if length > 5 { sum += 1 }
        }
        return sum
    }

    /// The penalty for finder-like patterns: each with four light modules on one side counts 40.
    private static func finders(_ line: [Bool]) -> Int {
        let finder = [true, false, true, true, true, false, true]
        let light = [Bool](repeating: false, count: 4)
        var sum = 0
        for start in 0..<max(0, line.count - 10) {
            let part = line[start..<(start + 11)]
            if part.elementsEqual(finder + light) || part.elementsEqual(light + finder) { sum += 40 }
        }
        return sum
    }
}
