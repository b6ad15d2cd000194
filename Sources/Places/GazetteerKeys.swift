/// Walks the sorted keys of a gazetteer, each with the ranks of the places that have this name.
///
/// A key is stored as the number of bytes that it shares with the previous key, followed by its other bytes.
struct GazetteerKeys {
    /// A buffer whose first ``length`` bytes are the key.
    private(set) var key = [UInt8](repeating: 0, count: 256)
    private(set) var length = 0
    private let bytes: [UInt8]
    private let end: Int
    private var offset: Int
    private var ranksOffset: Int

    init(_ gazetteer: Gazetteer) {
        bytes = gazetteer.bytes
        offset = gazetteer[.keys].lowerBound
        end = gazetteer[.keys].upperBound
        ranksOffset = offset
    }

    /// Moves to the next key; false at the end.
    mutating func advance() -> Bool {
        guard offset < end else { return false }
        let head = bytes[offset]
        offset += 1
        let shared = number(Int(head >> 4))
        let rest = number(Int(head & 15))
        length = shared + rest
        for index in shared..<length {
            key[index] = bytes[offset]
            offset += 1
        }
        ranksOffset = offset
        var more = true
        while more {
            more = bytes[offset] & 1 == 1
            while bytes[offset] & 0x80 != 0 { offset += 1 }
            offset += 1
        }
        return true
    }

    /// The places of this key, the largest first, and whether the key is a name other than the one that is shown.
    var owners: [(rank: Int, isOther: Bool)] {
        var (owners, rank, offset, more) = ([(rank: Int, isOther: Bool)](), 0, ranksOffset, true)
        while more {
            var (value, shift) = (0, 0)
            while bytes[offset] & 0x80 != 0 {
                value |= Int(bytes[offset] & 0x7F) << shift
                shift += 7
                offset += 1
            }
            value |= Int(bytes[offset]) << shift
            offset += 1
            more = value & 1 == 1
            rank += value >> 2
            owners.append((rank, value & 2 != 0))
        }
        return owners
    }

    /// The number in half a byte, or in the byte that follows it.
    private mutating func number(_ half: Int) -> Int {
        guard half == 15 else { return half }
        defer { offset += 1 }
        return Int(bytes[offset])
    }
}
