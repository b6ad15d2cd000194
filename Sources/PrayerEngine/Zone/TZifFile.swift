/// The content of a compiled time zone file, RFC 9636 ("The Time Zone Information Format"), versions 1 to 4.
struct TZifFile {
    private(set) var transitions: [Int64] = []
    private(set) var kindIndex: [UInt8] = []
    private(set) var kinds: [LocalTimeKind] = []
    private(set) var rule: PosixRule?

    init(name: String, bytes: [UInt8]) throws(ZoneError) {
        var reader = Reader(zone: name, bytes: bytes)
        let first = try Header(&reader)
        guard first.version != 0 else {
            try readBlock(first, timeSize: 4, &reader)
            return
        }
        // The first block has 32-bit copies of the second one's 64-bit content.
        try reader.skip(first.blockSize(timeSize: 4))
        let second = try Header(&reader)
        try readBlock(second, timeSize: 8, &reader)
        let footer = try reader.footer()
        if !footer.isEmpty { rule = try PosixRule(zone: name, footer) }
    }

    private mutating func readBlock(
        _ header: Header, timeSize: Int, _ reader: inout Reader
    ) throws(ZoneError) {
        guard header.leapCount == 0 else {
            throw reader.damaged("it counts leap seconds (a \"right/\" zone), which clocks here do not")
        }
        for _ in 0..<header.timeCount { transitions.append(try reader.integer(timeSize)) }
        for index in transitions.indices.dropFirst() where transitions[index] <= transitions[index - 1] {
            throw reader.damaged("its transitions are out of order")
        }
        kindIndex = try reader.read(header.timeCount)
        guard kindIndex.allSatisfy({ $0 < header.kindCount }) else {
            throw reader.damaged("a transition names a local time that the file does not hold")
        }
        var raw: [(offset: Int, isDaylight: Bool, nameStart: Int)] = []
        for _ in 0..<header.kindCount {
            let offset = Int(try reader.integer(4))
            let flags = try reader.read(2)
            // RFC 9636 (section 3.2) recommends offsets below 26 hours.
            guard abs(offset) < 26 * 3600 else {
                throw reader.damaged("an offset of \(offset) s is out of range")
            }
            raw.append((offset, flags[0] != 0, Int(flags[1])))
        }
        let names = try reader.read(header.nameBytes)
        for kind in raw {
            guard kind.nameStart < names.count, let end = names[kind.nameStart...].firstIndex(of: 0) else {
                throw reader.damaged("an abbreviation is not closed")
            }
            kinds.append(
                LocalTimeKind(
                    offset: kind.offset, isDaylight: kind.isDaylight,
                    abbreviation: String(decoding: names[kind.nameStart..<end], as: UTF8.self)))
        }
        try reader.skip(header.standardCount + header.universalCount)
    }
}

/// The header of a block, with its counts (RFC 9636, section 3.1).
private struct Header {
    let version: UInt8
    let universalCount: Int
    let standardCount: Int
    let leapCount: Int
    let timeCount: Int
    let kindCount: Int
    let nameBytes: Int

    init(_ reader: inout Reader) throws(ZoneError) {
        let magic: [UInt8] = [0x54, 0x5A, 0x69, 0x66]  // TZif
        guard reader.starts(with: magic) else { throw .notTZif(zone: reader.zone) }
        try reader.skip(4)
        version = try reader.read(1)[0]
        try reader.skip(15)
        universalCount = Int(try reader.integer(4))
        standardCount = Int(try reader.integer(4))
        leapCount = Int(try reader.integer(4))
        timeCount = Int(try reader.integer(4))
        kindCount = Int(try reader.integer(4))
        nameBytes = Int(try reader.integer(4))
        let counts = [universalCount, standardCount, leapCount, timeCount, kindCount, nameBytes]
        guard counts.allSatisfy({ (0...1_000_000).contains($0) }), (1...256).contains(kindCount) else {
            throw reader.damaged("its header holds impossible counts")
        }
    }

    func blockSize(timeSize: Int) -> Int {
        timeCount * (timeSize + 1) + kindCount * 6 + nameBytes + leapCount * (timeSize + 4) + standardCount
            + universalCount
    }
}

/// Reads the bytes of a zone file in their order.
private struct Reader {
    let zone: String
    let bytes: [UInt8]
    var position = 0

    init(zone: String, bytes: [UInt8]) {
        self.zone = zone
        self.bytes = bytes
    }

    func damaged(_ what: String) -> ZoneError { .damaged(zone: zone, what: what) }

    func starts(with magic: [UInt8]) -> Bool { bytes[position...].starts(with: magic) }

    mutating func skip(_ count: Int) throws(ZoneError) {
        guard count <= bytes.count - position else { throw .truncated(zone: zone) }
        position += count
    }

    mutating func read(_ count: Int) throws(ZoneError) -> [UInt8] {
        let start = position
        try skip(count)
        return Array(bytes[start..<position])
    }

    /// A signed big-endian integer of 4 or 8 bytes.
    mutating func integer(_ size: Int) throws(ZoneError) -> Int64 {
        let start = position
        try skip(size)
        var value: Int64 = bytes[start] >= 0x80 ? -1 : 0
        for byte in bytes[start..<position] { value = value << 8 | Int64(byte) }
        return value
    }

    /// The line between two newlines that ends the file.
    mutating func footer() throws(ZoneError) -> String {
        let newline = UInt8(ascii: "\n")
        guard try read(1)[0] == newline, let end = bytes[position...].firstIndex(of: newline) else {
            throw .truncated(zone: zone)
        }
        return String(decoding: bytes[position..<end], as: UTF8.self)
    }
}
