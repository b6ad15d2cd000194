package import Protocol
internal import Texts

/// The socket on which programs of a flashed box request its own network. A connection is the whole request.
package struct HotspotSocket: Sendable {
    private static let systemPath = "/run/adhan-box/hotspot.sock"
    /// Seconds for the connection and the answer.
    private static let patienceSeconds = 5.0

    private let path: String
    /// Whether this machine is a flashed box.
    package let isThere: Bool

    package init(in environment: Environment) {
        path = environment.value("ADHAN_HOTSPOT_SOCKET") ?? Self.systemPath
        isThere = environment.exists(path)
    }

    /// Requests the network, and waits no longer than its limit.
    package func ask() throws(HotspotSocketError) -> HotspotReply {
        guard isThere else { throw .noBox }
        let bytes: [UInt8]
        do throws(SocketError) {
            bytes = try receive()
        } catch {
            throw .failed(error)
        }
        guard let reply = try? JSON.decode(HotspotReply.self, from: bytes) else { throw .noAnswer }
        return reply
    }

    private func receive() throws(SocketError) -> [UInt8] {
        let deadline = MonotonicClock.now() + Self.patienceSeconds
        let connection = try LocalSocket.connect(
            to: try SocketAddress(path), timeout: Self.patienceSeconds)
        var bytes: [UInt8] = []
        while bytes.count <= HotspotReply.longestBytes {
            let more = try connection.receive(timeout: max(0, deadline - MonotonicClock.now()))
            if more.isEmpty { break }
            bytes += more
        }
        return bytes
    }
}

/// Why the box's own network was not requested.
package enum HotspotSocketError: Error, Sendable, Equatable {
    /// This machine is not a flashed box.
    case noBox
    case failed(SocketError)
    /// The connection ended without a readable answer.
    case noAnswer

    /// One sentence; after `noBox` the program adds the remedy.
    package var message: String {
        switch self {
        case .noBox: Hotspot.noBox
        case .failed(let error) where error.isPermission:
            "\(error.message); only services in the group adhan-hotspot may ask"
        case .failed(let error):
            "\(error.message); look at: systemctl status adhan-box-hotspot-ask.socket"
        case .noAnswer:
            "the box did not answer; ask again, or look at: journalctl -u 'adhan-box-hotspot-ask@*'"
        }
    }
}
