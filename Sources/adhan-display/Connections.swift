internal import DisplayProgramme
internal import Glibc
internal import NIOCore

/// The server's connections and the room that they take. On the loop only.
final class Connections {
    private var seats = ConnectionSlots<ObjectIdentifier>()
    private var chance = SystemRandomNumberGenerator()
    private var channels: [ObjectIdentifier: any Channel] = [:]
    private let left: () -> Void

    /// - Parameter left: called whenever one has ended.
    init(left: @escaping () -> Void) {
        self.left = left
    }

    /// A new connection by a door; whether there is room for it. Only the kiosk's user and root reach the launcher's door: it is
    /// not counted.
    func admit(_ channel: any Channel, by door: Door) -> Bool {
        guard door != .launcher else { return true }
        let id = ObjectIdentifier(channel)
        guard makeRoom(seats.arrive(id, from: Self.source(of: channel, by: door))) else { return false }
        channels[id] = channel
        channel.closeFuture.assumeIsolated().whenComplete { [self] _ in
            channels[id] = nil
            seats.leave(id)
            left()
        }
        return true
    }

    /// A request came on it, or an answer was taken.
    func isActive(_ channel: any Channel) {
        seats.isActive(ObjectIdentifier(channel))
    }

    /// Whether it may become a stream of events.
    func beginStream(_ channel: any Channel, by door: Door, isWall: Bool) -> Bool {
        door == .launcher
            || makeRoom(seats.beginStream(ObjectIdentifier(channel), isWall: isWall, by: &chance))
    }

    private func makeRoom(_ verdict: ConnectionSlots<ObjectIdentifier>.Verdict) -> Bool {
        switch verdict {
        case .admitted: return true
        case .inPlaceOf(let other):
            channels[other]?.close(promise: nil)
            return true
        case .turnedAway: return false
        }
    }

    private static func source(
        of channel: any Channel, by door: Door
    ) -> ConnectionSlots<ObjectIdentifier>.Source {
        guard door == .network, let bytes = channel.remoteAddress?.addressBytes else { return .machine }
        return .network(bytes)
    }
}

extension SocketAddress {
    /// As the network sends it: four bytes or sixteen.
    fileprivate var addressBytes: [UInt8]? {
        guard let text = ipAddress else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        let family = text.contains(":") ? AF_INET6 : AF_INET
        // A scope may stand behind an address of the link alone.
        let address = String(text.prefix { $0 != "%" })
        let isRead =
            unsafe bytes.withUnsafeMutableBytes { unsafe inet_pton(family, address, $0.baseAddress) } == 1
        return isRead ? Array(bytes.prefix(family == AF_INET ? 4 : 16)) : nil
    }
}
