import Glibc
import LabSupport
import Testing

@testable import Host

@Suite("Whose program calls by loopback")
struct LoopbackCallerTests {
    /// A connection within this machine: the listener, the caller's end, ours.
    private static func connect() throws -> (listener: Int32, caller: Int32, own: Int32) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let caller = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let isConnected = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(listener, address, size) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, address, &size) == 0 && Glibc.connect(caller, address, size) == 0
            }
        }
        try #require(isConnected)
        return (listener, caller, accept(listener, nil, nil))
    }

    @Test("The kernel says whose the other end is, and nothing of one that is closed")
    func user() throws {
        let (listener, caller, own) = try Self.connect()
        defer { for one in [listener, own] { close(one) } }
        #expect(LoopbackCaller.user(of: own) == geteuid())
        #expect(LoopbackCaller.user(of: caller) == geteuid())
        close(caller)
        #expect(LoopbackCaller.user(of: own) == nil)
    }

    @Test("What is no connection of this kind has no user")
    func others() {
        let ends = SocketPair()
        #expect(ends.own != ends.other)
        #expect(LoopbackCaller.user(of: ends.own) == nil)
        withExtendedLifetime(ends) {}
        #expect(LoopbackCaller.user(of: -1) == nil)
    }

    @Test("An answer that is short, an error, or about another state has no user")
    func answers() {
        var answer = [UInt8](repeating: 0, count: 88)
        (answer[4], answer[17], answer[80], answer[81]) = (20, 1, 0xE8, 0x03)
        #expect(LoopbackCaller.user(in: answer) == 1000)
        #expect(LoopbackCaller.user(in: Array(answer[..<83])) == nil)
        #expect(LoopbackCaller.user(in: []) == nil)
        answer[17] = 8
        #expect(LoopbackCaller.user(in: answer) == nil)
        (answer[17], answer[4]) = (1, 2)
        #expect(LoopbackCaller.user(in: answer) == nil)
    }
}
