internal import Glibc
internal import Host
internal import PhoneRules
internal import Protocol
internal import Texts

/// The box's networks: the state that `box/hotspot.sh` writes, and the socket on which the box receives the network to join.
/// The socket exists only while the box runs its own network.
struct JoinSocket: Sendable {
    let path: String
    let file: String

    private static let longestFile = 1 << 16
    private static let patienceSeconds = 10

    init(in environment: Environment) {
        path = environment.value("ADHAN_JOIN_SOCKET") ?? "/run/adhan-box/join.sock"
        file = environment.value("ADHAN_NETWORK_FILE") ?? "/run/adhan-box/network.json"
    }

    /// The network's state; `nil` on a machine that is not a flashed box with a radio.
    var network: NetworkDocument? {
        (try? FileBytes.read(file, limit: Self.longestFile)).flatMap {
            try? JSON.decode(NetworkDocument.self, from: $0)
        }
    }

    /// Sends the network to join as one line of JSON, and reads one word. The password exists only in that line.
    func join(_ request: JoinRequest) throws(RemoteRefusal) {
        let away = RemoteRefusal(503, "away", "The box does not take a network now.", problem: .away)
        guard let address = try? SocketAddress(path), let line = try? JSON.encode(request) + [0x0A],
            line.count <= JoinRequest.longest
        else { throw away }
        let connection = OwnedDescriptor(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0))
        var limit = timeval(tv_sec: Self.patienceSeconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            unsafe setsockopt(
                connection.raw, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        guard unsafe address.withPointer({ unsafe connect(connection.raw, $0, $1) }) == 0,
            OwnedDescriptor.write(line, to: connection.raw) == nil
        else { throw away }
        var answer = [UInt8](repeating: 0, count: 64)
        let count = unsafe answer.withUnsafeMutableBytes {
            unsafe recv(connection.raw, $0.baseAddress, $0.count, 0)
        }
        guard count > 0, answer.prefix(count).starts(with: Array("ok".utf8)) else { throw away }
    }
}
