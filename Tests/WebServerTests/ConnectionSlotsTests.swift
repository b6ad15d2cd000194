import SeededRandom
import Testing

@testable import WebRules

@Suite("Connection slots of a web server")
struct ConnectionSlotsTests {
    private typealias Source = ConnectionSlots<Int>.Source
    /// Those of the screen's server.
    private var slots = ConnectionSlots<Int>(
        .init(
            all: .init(most: 1200, short: 100), network: .init(most: 1000, short: 16),
            prefix: .init(most: 500, short: 16), address: .init(most: 64, short: 4)))
    private var next = 0
    private var chance = SplitMix64(seed: 20_261_123)

    private static func v4(_ number: Int) -> Source {
        .network([10, 0, UInt8(number / 256), UInt8(number % 256)])
    }

    /// An address of the link's prefix number `prefix`.
    private static func v6(_ prefix: Int, _ number: Int) -> Source {
        .network(
            [0x20, 0x01, 0x0D, 0xB8, 0, 0, UInt8(prefix / 256), UInt8(prefix % 256), 0, 0, 0, 0, 0, 0]
                + [UInt8(number / 256), UInt8(number % 256)])
    }

    private mutating func arrive(_ source: Source) -> (id: Int, verdict: ConnectionSlots<Int>.Verdict) {
        next += 1
        return (next, slots.arrive(next, from: source))
    }

    private mutating func stream(_ source: Source, isWall: Bool = false) -> (
        id: Int, verdict: ConnectionSlots<Int>.Verdict
    ) {
        let (id, verdict) = arrive(source)
        guard verdict != .turnedAway else { return (id, verdict) }
        let second = slots.beginStream(id, isWall: isWall, by: &chance)
        if second == .turnedAway { slots.leave(id) }
        return (id, second)
    }

    @Test("Sixteen addresses with as many streams as they may have keep nobody else out")
    mutating func addresses() {
        for address in 0..<16 {
            for _ in 0..<70 { _ = stream(Self.v4(address)) }
        }
        for other in 100..<300 { #expect(stream(Self.v4(other)).verdict != .turnedAway, "\(other)") }
        #expect(slots.count <= 1000)
    }

    @Test("An address alone has at most sixty streams, and short requests still")
    mutating func oneAddress() {
        let verdicts = (0..<200).map { _ in stream(Self.v4(1)).verdict }
        #expect(verdicts.filter { $0 == .admitted }.count == 60)
        #expect(verdicts[60...].allSatisfy { $0 == .turnedAway })
        #expect((0..<4).allSatisfy { _ in arrive(Self.v4(1)).verdict == .admitted })
        #expect((0..<10).allSatisfy { _ in arrive(Self.v4(1)).verdict != .turnedAway })
        #expect(slots.count == 64)
    }

    @Test("The newest stream of the address that has most makes room, never an old screen's")
    mutating func newest() {
        let old = stream(Self.v4(999)).id
        var last: [Int: Int] = [:]
        for address in 0..<16 {
            for _ in 0..<60 { last[address] = stream(Self.v4(address)).id }
        }
        for address in 20..<43 { #expect(stream(Self.v4(address)).verdict == .admitted) }
        let verdict = stream(Self.v4(500)).verdict
        #expect(last.values.contains { verdict == .inPlaceOf($0) })
        for address in 600..<900 { #expect(stream(Self.v4(address)).verdict != .inPlaceOf(old)) }
    }

    @Test("The addresses of one machine's IPv6 prefix count together")
    mutating func prefixes() {
        // Each address has one stream only.
        for number in 0..<2000 { _ = stream(Self.v6(1, number)) }
        #expect(slots.count <= 500)
        for other in 0..<300 { #expect(stream(Self.v4(other)).verdict == .admitted) }
        for prefix in 2..<200 { #expect(stream(Self.v6(prefix, 1)).verdict != .turnedAway) }
        // A machine of the same network, which has the same prefix.
        guard case .inPlaceOf = stream(Self.v6(1, 5000)).verdict else {
            Issue.record("a newcomer in a full prefix is kept out")
            return
        }
        #expect(stream(Self.v6(1, 5000)).verdict == .turnedAway)
    }

    @Test(
        "A machine that fills the slots with addresses keeps no newcomer out, and drives out no screen that was there",
        arguments: [1, 2, 3])
    mutating func manyAddresses(prefixes: Int) {
        var screens: Set<Int> = []
        var old: Set<Int> = []
        func fill(_ slots: inout Self, _ numbers: Range<Int>) -> [ConnectionSlots<Int>.Verdict] {
            numbers.flatMap { number in
                (1...prefixes).map { slots.stream(Self.v6($0, number)).verdict }
            }
        }
        for number in 1...20 { old.insert(stream(Self.v6(1, 60_000 + number)).id) }
        _ = fill(&self, 0..<500)
        for number in 1...20 {
            let (id, verdict) = stream(Self.v6(1, 50_000 + number))
            #expect(verdict != .turnedAway, "\(number)")
            if case .inPlaceOf(let other) = verdict {
                #expect(!old.contains(other))
                screens.remove(other)
            }
            screens.insert(id)
        }
        // They hardly hit one another.
        #expect(screens.count >= 18)
        for verdict in fill(&self, 500..<600) {
            if case .inPlaceOf(let other) = verdict { #expect(!old.contains(other)) }
        }
    }

    @Test("As many addresses of IPv4 as there are streams keep no newcomer out either")
    mutating func manyShortAddresses() {
        for number in 0..<984 { #expect(stream(Self.v4(number)).verdict == .admitted) }
        for number in 2000..<2010 { #expect(stream(Self.v4(number)).verdict != .turnedAway) }
        #expect(stream(Self.v4(2009)).verdict == .turnedAway)
    }

    @Test("Within a prefix the address that has most makes room")
    mutating func withinPrefix() {
        for number in 0..<20 {
            for _ in 0..<60 { _ = stream(Self.v6(1, number)) }
        }
        for number in 100..<200 { #expect(stream(Self.v6(1, number)).verdict != .turnedAway) }
    }

    @Test("An address of IPv4 on a socket for both kinds is the same address")
    mutating func mapped() {
        for _ in 0..<60 { _ = stream(Self.v4(1)) }
        let mapped = Source.network([UInt8](repeating: 0, count: 10) + [255, 255, 10, 0, 0, 1])
        #expect(stream(mapped).verdict == .turnedAway)
    }

    @Test("Streams of this machine leave slots for its short requests, the wall and the network")
    mutating func machine() {
        for _ in 0..<3000 { _ = stream(.machine) }
        #expect(slots.count <= 1101)
        for _ in 0..<500 { #expect(arrive(.machine).verdict != .turnedAway) }
        for _ in 0..<100 { #expect(stream(.machine, isWall: true).verdict != .turnedAway) }
        for number in 0..<200 { #expect(stream(Self.v4(number)).verdict != .turnedAway) }
        #expect(slots.count <= 1200)
    }

    @Test("Of short requests the one that has been idle for longest makes room")
    mutating func short() {
        let first = (0..<1200).map { _ in arrive(.machine).id }
        slots.noteActivity(of: first[0])
        #expect(arrive(.machine).verdict == .inPlaceOf(first[1]))
        // A viewer in the network has fewer than the crowd.
        let viewer = arrive(Self.v4(1)).id
        for _ in 0..<2000 { #expect(arrive(.machine).verdict != .inPlaceOf(viewer)) }
    }

    @Test("Whoever leaves gives the slot back, once")
    mutating func leaving() {
        for round in 0..<5 {
            let ids = (0..<60).map { _ in stream(Self.v4(1)).id }
            #expect(slots.count == 60, "\(round)")
            for id in ids + ids { slots.leave(id) }
            #expect(slots.count == 0)
        }
        #expect(slots.beginStream(4711, isWall: false, by: &chance) == .turnedAway)
    }

    @Test("A server without streams: one address keeps sixteen, and sixty-four are kept in all")
    mutating func shortRequestsOnly() {
        slots = ConnectionSlots(.init(most: 64, ofOneAddress: 16))
        let first = (0..<16).map { _ in arrive(Self.v4(1)).id }
        #expect(arrive(Self.v4(1)).verdict == .inPlaceOf(first[0]))
        for number in 2..<5 { for _ in 0..<16 { #expect(arrive(Self.v4(number)).verdict == .admitted) } }
        #expect(slots.count == 64)
        // The newcomer takes the place of one who has many.
        guard case .inPlaceOf = arrive(Self.v4(9)).verdict else {
            Issue.record("a newcomer is kept out")
            return
        }
        #expect(slots.count == 64)
        #expect(slots.beginStream(first[1], isWall: false, by: &chance) == .turnedAway)
    }
}
