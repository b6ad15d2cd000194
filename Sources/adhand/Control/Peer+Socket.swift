internal import CLinux
internal import Daemon
internal import Glibc

extension Peer {
    /// The connecting process, according to the kernel; `nil` where the kernel does not report it, which does not happen with a
    /// Unix socket.
    init?(connectedTo descriptor: Int32) {
        var credentials = ucred()
        var length = socklen_t(MemoryLayout<ucred>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else {
            return nil
        }
        self.init(user: credentials.uid, groups: [credentials.gid] + Self.groups(of: descriptor))
    }

    /// The supplementary groups at the time of connecting.
    private static func groups(of descriptor: Int32) -> [UInt32] {
        var capacity = 64
        // The kernel reports the size that is needed (ERANGE); a process has 65536 groups at most.
        for _ in 0..<2 {
            var groups = [UInt32](repeating: 0, count: capacity)
            var length = socklen_t(capacity * MemoryLayout<UInt32>.size)
            let result = unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, &groups, &length)
            let count = Int(length) / MemoryLayout<UInt32>.size
            if result == 0 { return Array(groups.prefix(count)) }
            guard errno == ERANGE, count <= 65536 else { return [] }
            capacity = count
        }
        return []
    }
}
