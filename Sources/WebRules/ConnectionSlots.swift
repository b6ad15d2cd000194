/// Decides who keeps a connection to a web server when more callers come than there is room for.
///
/// Neither the loopback nor a network identifies callers, so room is shared by addresses: the address with most connections
/// makes room first. Streams of events, which stay for years, never take the last slots, which are reserved for short requests.
/// The wall's own screen, which identifies itself by its token, always gets its stream.
package struct ConnectionSlots<ID: Hashable & Sendable>: Sendable {
    /// The scope of a caller's address.
    package struct Source: Hashable, Sendable {
        /// `nil` for this machine: its callers cannot be distinguished.
        fileprivate let address: [UInt8]?

        package static var machine: Source { Source(address: nil) }

        /// - Parameter bytes: an IPv4 or IPv6 address in network byte order.
        package static func network(_ bytes: [UInt8]) -> Source {
            let isMapped =
                bytes.count == 16 && bytes[..<10].allSatisfy { $0 == 0 } && bytes[10...11] == [255, 255]
            return Source(address: isMapped ? Array(bytes[12...]) : bytes)
        }

        /// The first half of an IPv6 address: one machine may use any number of addresses with the same half.
        fileprivate var prefix: [UInt8]? { address.flatMap { $0.count == 16 ? Array($0[..<8]) : nil } }
    }

    package enum Verdict: Equatable, Sendable {
        case admitted
        /// The newcomer is admitted once this connection is closed, which has lost its slot.
        case inPlaceOf(ID)
        case turnedAway
    }

    /// The most connections at once.
    package struct Limits: Sendable, Equatable {
        /// The number of connections, and how many of them are reserved for short requests.
        package struct Room: Sendable, Equatable {
            let most: Int
            let short: Int

            package init(most: Int, short: Int) {
                self.most = most
                self.short = short
            }
        }

        let all: Room
        let network: Room
        /// The room of one IPv6 /64 prefix.
        let prefix: Room
        let address: Room

        package init(all: Room, network: Room, prefix: Room, address: Room) {
            self.all = all
            self.network = network
            self.prefix = prefix
            self.address = address
        }

        /// Makes the limits of a server without streams.
        package init(most: Int, ofOneAddress: Int) {
            let all = Room(most: most, short: most)
            self.init(
                all: all, network: all, prefix: all, address: Room(most: ofOneAddress, short: ofOneAddress))
        }
    }

    private enum Scope: Hashable {
        case all, network
        case prefix([UInt8])
        case address(Source)

    }

    private enum Use { case short, stream, wall }

    private struct ConnectionSlot {
        let source: Source
        var use = Use.short
        /// A counter that rises with every event: the least value has been idle the longest.
        var lastActive: UInt64
    }

    private struct Tally {
        var all = 0
        var streams = 0
    }

    /// The streams of the wall's own screens: a page that is reloaded leaves one behind for a moment.
    private static var mostWalls: Int { 16 }

    private let limits: Limits
    private var slots: [ID: ConnectionSlot] = [:]
    private var tallies: [Scope: Tally] = [:]
    private var events: UInt64 = 0

    package init(_ limits: Limits) {
        self.limits = limits
    }

    package var count: Int { slots.count }

    /// Adds a connection. It counts as a short request until it becomes a stream.
    package mutating func arrive(_ id: ID, from source: Source) -> Verdict {
        var verdict = Verdict.admitted
        // Removing a connection from a narrow scope removes it from the wider ones as well.
        if let full = Self.scopes(of: source).first(where: { self[$0].all >= limit($0).most }) {
            guard let longest = longestIdle(in: full) else { return .turnedAway }
            leave(longest)
            verdict = .inPlaceOf(longest)
        }
        events += 1
        slots[id] = ConnectionSlot(source: source, lastActive: events)
        count(source, 1, streams: 0)
        return verdict
    }

    /// Records that a request came, or that its answer was sent.
    package mutating func noteActivity(of id: ID) {
        events += 1
        slots[id]?.lastActive = events
    }

    /// Turns a connection into a stream of events.
    /// - Parameter chance: selects the stream that makes room if none has more right to stay than another.
    package mutating func beginStream(
        _ id: ID, isWall: Bool, by chance: inout some RandomNumberGenerator
    ) -> Verdict {
        guard let slot = slots[id], slot.use == .short else { return .turnedAway }
        var verdict = Verdict.admitted
        if isWall {
            let walls = slots.filter { $0.value.use == .wall }
            if walls.count >= Self.mostWalls,
                let oldest = walls.min(by: { $0.value.lastActive < $1.value.lastActive })
            {
                leave(oldest.key)
                verdict = .inPlaceOf(oldest.key)
            }
        } else if let full = Self.scopes(of: slot.source).first(where: {
            self[$0].streams >= limit($0).most - limit($0).short
        }) {
            guard
                let other = newestOfMost(in: full, for: slot.source)
                    ?? oneOfNewer(in: full, for: slot.source, by: &chance)
            else { return .turnedAway }
            leave(other)
            verdict = .inPlaceOf(other)
        }
        noteActivity(of: id)
        slots[id]?.use = isWall ? .wall : .stream
        if !isWall { count(slot.source, 0, streams: 1) }
        return verdict
    }

    package mutating func leave(_ id: ID) {
        guard let slot = slots.removeValue(forKey: id) else { return }
        count(slot.source, -1, streams: slot.use == .stream ? -1 : 0)
    }

    // MARK: Who makes room

    /// The connection that has been idle longest, among the short requests of the address with most of them.
    private func longestIdle(in scope: Scope) -> ID? {
        let short = slots.filter {
            $0.value.use == .short && Self.holds(scope, $0.value.source)
        }
        let crowds = Dictionary(grouping: short, by: \.value.source)
        let most = crowds.values.max { $0.count < $1.count }
        return most?.min { $0.value.lastActive < $1.value.lastActive }?.key
    }

    /// The newest stream of the address with most streams, if that has more than the newcomer's would have: a screen that has
    /// long been connected stays. Addresses with the same prefix count together first.
    private func newestOfMost(in scope: Scope, for source: Source) -> ID? {
        let newest = streams(in: scope).max { first, second in
            let (a, b) = (share(first.value.source), share(second.value.source))
            return a == b ? first.value.lastActive < second.value.lastActive : a < b
        }
        guard let newest else { return nil }
        let isCloser = source.prefix != nil && newest.value.source.prefix == source.prefix
        let (most, own) = (share(newest.value.source), share(source, with: 1))
        return (isCloser ? most.1 > own.1 : most.0 > own.0) ? newest.key : nil
    }

    /// Makes room for the first stream of an address, if no other address has more than one: picks any of the newer half of the
    /// streams whose prefix has at least as many as the newcomer's. All machines of a network share one IPv6 prefix, which a
    /// single machine can fill with addresses. A newcomer still gets in, and such a machine, however often it returns, never
    /// displaces the older half.
    private func oneOfNewer(
        in scope: Scope, for source: Source, by chance: inout some RandomNumberGenerator
    ) -> ID? {
        guard self[.address(source)].streams == 0 else { return nil }
        let own = share(source).0
        let crowd = streams(in: scope).filter { share($0.value.source).0 >= own }
            .sorted { $0.value.lastActive < $1.value.lastActive }
        return crowd.suffix((crowd.count + 1) / 2).randomElement(using: &chance)?.key
    }

    private func streams(in scope: Scope) -> [ID: ConnectionSlot] {
        slots.filter { $0.value.use == .stream && Self.holds(scope, $0.value.source) }
    }

    /// The number of streams of the address's prefix, if it has one, and of the address itself.
    private func share(_ source: Source, with more: Int = 0) -> (Int, Int) {
        let own = self[.address(source)].streams + more
        return (source.prefix.map { self[.prefix($0)].streams + more } ?? own, own)
    }

    // MARK: Counting

    private func limit(_ scope: Scope) -> Limits.Room {
        switch scope {
        case .all: limits.all
        case .network: limits.network
        case .prefix: limits.prefix
        case .address: limits.address
        }
    }

    /// The scopes of a source, the narrowest first. This machine is in one scope only.
    private static func scopes(of source: Source) -> [Scope] {
        guard source.address != nil else { return [.all] }
        return [.address(source)] + (source.prefix.map { [.prefix($0)] } ?? []) + [.network, .all]
    }

    /// Whether a scope contains a source.
    private static func holds(_ scope: Scope, _ source: Source) -> Bool {
        switch scope {
        case .all: true
        case .network: source.address != nil
        case .prefix(let prefix): source.prefix == prefix
        case .address(let other): source.address != nil && other == source
        }
    }

    private subscript(_ scope: Scope) -> Tally { tallies[scope] ?? Tally() }

    private mutating func count(_ source: Source, _ all: Int, streams: Int) {
        for scope in Set(Self.scopes(of: source) + [.address(source)]) {
            var tally = self[scope]
            tally.all += all
            tally.streams += streams
            tallies[scope] = tally.all > 0 ? tally : nil
        }
    }
}
