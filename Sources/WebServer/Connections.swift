internal import Glibc
package import NIOCore
package import WebRules

/// The server's connections and the limits on them. Used on the event loop only.
package final class Connections {
    package typealias Slots = ConnectionSlots<ObjectIdentifier>

    private var slots: Slots
    private var chance = SystemRandomNumberGenerator()
    private var channels: [ObjectIdentifier: any Channel] = [:]
    private let left: () -> Void

    /// - Parameter left: called whenever a connection has ended.
    package init(_ limits: Slots.Limits, left: @escaping () -> Void = {}) {
        slots = Slots(limits)
        self.left = left
    }

    /// Adds a connection; returns whether there is room for it.
    /// - Parameter isNear: whether the caller is assumed to be on this machine, whose callers cannot be distinguished.
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

    /// Records that a request came on a connection, or that an answer was sent.
    package func noteActivity(of channel: any Channel) {
        slots.noteActivity(of: ObjectIdentifier(channel))
    }

    /// Whether a connection may become a stream of events.
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
    /// The address in network byte order: four bytes or sixteen.
    package var addressBytes: [UInt8]? {
        guard let text = ipAddress else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        let family = text.contains(":") ? AF_INET6 : AF_INET
        // Remove the scope, which may follow a link-local address.
        let address = String(text.prefix { $0 != "%" })
        let isRead =
            unsafe bytes.withUnsafeMutableBytes { unsafe inet_pton(family, address, $0.baseAddress) } == 1
        return isRead ? Array(bytes.prefix(family == AF_INET ? 4 : 16)) : nil
    }

    /// The address as people write it. A dual-stack socket, such as systemd's, reports IPv4 addresses in IPv6 form; these are
    /// converted.
    package var plainAddress: String? {
        guard let address = ipAddress else { return nil }
        let mapped = "::ffff:"
        let isMapped = address.lowercased().hasPrefix(mapped) && address.contains(".")
        return isMapped ? String(address.dropFirst(mapped.count)) : address
    }
}
