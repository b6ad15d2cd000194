internal import Glibc
package import NIOCore
package import WebRules

/// The server's connections and the room that they take. On the loop only.
package final class Connections {
    package typealias Slots = ConnectionSlots<ObjectIdentifier>

    private var slots: Slots
    private var chance = SystemRandomNumberGenerator()
    private var channels: [ObjectIdentifier: any Channel] = [:]
    private let left: () -> Void

    /// - Parameter left: called whenever one has ended.
    package init(_ limits: Slots.Limits, left: @escaping () -> Void = {}) {
        slots = Slots(limits)
        self.left = left
    }

    /// Adds a connection; returns whether there is room for it.
    /// - Parameter isNear: the caller is taken for one of this machine, whose callers cannot be distinguished.
    package func admit(_ channel: any Channel, isNear: Bool) -> Bool {
        let id = ObjectIdentifier(channel)
        guard makeRoom(slots.arrive(id, from: Self.source(of: channel, isNear: isNear))) else { return false }
        channels[id] = channel
        channel.closeFuture.assumeIsolated().whenComplete { [self] _ in
            channels[id] = nil
            slots.leave(id)
            left()
        }
        return true
    }

    /// Notes that a request came on it, or that an answer was sent.
    package func noteActivity(of channel: any Channel) {
        slots.noteActivity(of: ObjectIdentifier(channel))
    }

    /// Whether it may become a stream of events.
    package func beginStream(_ channel: any Channel, isWall: Bool) -> Bool {
        makeRoom(slots.beginStream(ObjectIdentifier(channel), isWall: isWall, by: &chance))
    }

    private func makeRoom(_ verdict: Slots.Verdict) -> Bool {
        switch verdict {
        case .admitted: return true
        case .inPlaceOf(let other):
            channels[other]?.close(promise: nil)
            return true
        case .turnedAway: return false
        }
    }

    private static func source(of channel: any Channel, isNear: Bool) -> Slots.Source {
        guard !isNear, let bytes = channel.remoteAddress?.addressBytes else { return .machine }
        return .network(bytes)
    }
}

extension NIOCore.SocketAddress {
    /// As the network sends it: four bytes or sixteen.
    package var addressBytes: [UInt8]? {
        guard let text = ipAddress else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        let family = text.contains(":") ? AF_INET6 : AF_INET
        // A scope may stand behind an address of the link alone.
        let address = String(text.prefix { $0 != "%" })
        let isRead =
            unsafe bytes.withUnsafeMutableBytes { unsafe inet_pton(family, address, $0.baseAddress) } == 1
        return isRead ? Array(bytes.prefix(family == AF_INET ? 4 : 16)) : nil
    }

    /// As people write it: a socket for both kinds of addresses, such as systemd's, has those of IPv4 written as of IPv6.
    package var plainAddress: String? {
        guard let address = ipAddress else { return nil }
        let mapped = "::ffff:"
        let isMapped = address.lowercased().hasPrefix(mapped) && address.contains(".")
        return isMapped ? String(address.dropFirst(mapped.count)) : address
    }
}
