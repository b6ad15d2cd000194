extension Gazetteer {
    /// A name in the form of the keys: without case, marks and punctuation, and with one letter for variants that people
    /// type for each other (İ and i, ё and е, ة and ه). The folding table is stored with the keys, so that both are folded alike.
    func folded(_ text: some StringProtocol) -> [UInt8] {
        var key: [UInt8] = []
        for scalar in text.unicodeScalars { key += folded(scalar) }
        // Separate words by a single space.
        return Array(key.split(separator: UInt8(ascii: " ")).joined(separator: [UInt8(ascii: " ")]))
    }

    private func folded(_ scalar: Unicode.Scalar) -> [UInt8] {
        switch scalar {
        case "A"..."Z": return [UInt8(scalar.value) | 0x20]
        case "a"..."z", "0"..."9": return [UInt8(scalar.value)]
        case " ", "-", ",", "/", "_": return [UInt8(ascii: " ")]
        case _ where scalar.isASCII || scalar.value > 0xFFFF: return []
        default: break
        }
        // A row consists of a character in two bytes, a length, and the letters of the key.
        var offset = self[.folding].lowerBound + 2
        while offset < self[.folding].upperBound {
            let length = Int(bytes[offset + 2])
            let value = UInt32(bytes[offset]) | UInt32(bytes[offset + 1]) << 8
            if value == scalar.value { return Array(bytes[(offset + 3)..<(offset + 3 + length)]) }
            offset += 3 + length
        }
        let value = scalar.value
        return [UInt8(1 + (value >> 12)), UInt8(0x40 + (value >> 6 & 63)), UInt8(0x40 + (value & 63))]
    }
}
