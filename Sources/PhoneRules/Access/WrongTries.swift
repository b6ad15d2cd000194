/// Counts wrong codes and keys by the address that sent them. Whole addresses are counted, even for IPv6: all phones of a
/// network share a prefix, and one of them must not lock out the others. The window limits guessing.
struct WrongTries: Sendable {
    static let allowed = 10
    static let spanSeconds = 600.0
    /// The most addresses in memory, against a neighbour with many. The address that was inactive for longest is forgotten
    /// first.
    static let mostAddresses = 1024

    private struct Record: Sendable {
        var times: [Double] = []
        var refusedUntil = -Double.infinity
    }

    private var records: [NetworkAddress: Record] = [:]

    /// Seconds for which an address is refused; `nil` if it may make an attempt.
    func wait(_ address: NetworkAddress, at uptime: Double) -> Double? {
        guard let record = records[address], uptime < record.refusedUntil else { return nil }
        return record.refusedUntil - uptime
    }

    /// Counts a wrong attempt. One more than is permitted within the span blocks the address for another span.
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
