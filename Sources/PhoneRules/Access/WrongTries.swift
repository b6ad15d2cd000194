/// Wrong codes and keys by the address that they came from. Whole addresses count, also of IPv6: a prefix is shared by
/// all phones of a network, and one neighbour must not shut the others out. Guessing is bounded by the window.
struct WrongTries: Sendable {
    static let allowed = 10
    static let spanSeconds = 600.0
    /// A neighbour with many addresses cannot fill the memory: the address that was quiet for longest is forgotten.
    static let mostAddresses = 1024

    private struct Record: Sendable {
        var times: [Double] = []
        var refusedUntil = -Double.infinity
    }

    private var records: [NetworkAddress: Record] = [:]

    /// Seconds for which an address is refused; `nil` if it may try.
    func wait(_ address: NetworkAddress, at uptime: Double) -> Double? {
        guard let record = records[address], uptime < record.refusedUntil else { return nil }
        return record.refusedUntil - uptime
    }

    /// Counts a wrong try. One more than is allowed within the span has the address refused for as long.
    mutating func add(_ address: NetworkAddress, at uptime: Double) {
        var record = records[address] ?? Record()
        record.times = record.times.filter { $0 > uptime - Self.spanSeconds } + [uptime]
        if record.times.count > Self.allowed {
            record.refusedUntil = uptime + Self.spanSeconds
            record.times = []
        }
        records[address] = record
        guard records.count > Self.mostAddresses else { return }
        let quietest = records.min { Self.lastUse($0.value) < Self.lastUse($1.value) }
        if let quietest { records[quietest.key] = nil }
    }

    private static func lastUse(_ record: Record) -> Double {
        max(record.times.last ?? -.infinity, record.refusedUntil - Self.spanSeconds)
    }
}
