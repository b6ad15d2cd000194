/// The camera's orientation by Exif 2.3: 1 upright, 2 to 8 turned or mirrored.
enum Orientation {
    /// - Returns: `nil` if none is recorded, or it cannot be read.
    static func read(_ segment: ArraySlice<UInt8>) -> Int? {
        guard segment.starts(with: Array("Exif".utf8) + [0, 0]) else { return nil }
        let notes = Array(segment.dropFirst(6))
        let isLittle = notes.starts(with: "II".utf8)
        guard isLittle || notes.starts(with: "MM".utf8) else { return nil }
        func number(_ offset: Int, _ count: Int) -> Int? {
            guard offset >= 0, offset <= notes.count - count else { return nil }
            let bytes = notes[offset..<offset + count]
            return isLittle
                ? bytes.reversed().reduce(0) { $0 << 8 | Int($1) } : ByteReader.number(bytes)
        }
        guard number(2, 2) == 42, let directory = number(4, 4), let entries = number(directory, 2) else {
            return nil
        }
        for entry in 0..<entries {
            let offset = directory + 2 + 12 * entry
            guard let tag = number(offset, 2) else { return nil }
            // Tag 0x0112 has the type SHORT.
            if tag == 0x0112 { return number(offset + 8, 2).flatMap { (1...8).contains($0) ? $0 : nil } }
        }
        return nil
    }
}
