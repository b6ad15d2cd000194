import Glibc
import LabSupport
import Testing

@testable import Host

@Suite("Lines between two programs", .timeLimit(.minutes(1)))
struct LineConnectionTests {
    private var soon: Double { MonotonicClock.now() + 0.2 }

    @Test("A line, and the bytes behind it that came with it")
    func line() throws {
        let ends = SocketPair()
        var connection = LineConnection(ends.own)
        ends.transmit("first\nsecond\nand more")
        #expect(try connection.line(most: 100, until: soon) == Array("first".utf8))
        #expect(try connection.line(most: 100, until: soon) == Array("second".utf8))
        #expect(connection.bytes(until: soon).map(Array.init) == Array("and more".utf8))
        #expect(connection.bytes(until: soon) == nil)
    }

    @Test("Who says nothing, goes, or never ends a line holds nobody up")
    func hostile() {
        let ends = SocketPair()
        var connection = LineConnection(ends.own)
        #expect(throws: LineConnection.LineError.cut) { try connection.line(most: 100, until: soon) }
        ends.transmit(String(repeating: "x", count: 101))
        #expect(throws: LineConnection.LineError.tooLong) { try connection.line(most: 100, until: soon) }
        shutdown(ends.other, Int32(SHUT_WR))
        #expect(throws: LineConnection.LineError.cut) { try connection.line(most: 100, until: soon) }
    }

    @Test("An answer to somebody who reads nothing has an end; to somebody who reads, it is whole")
    func answers() throws {
        let ends = SocketPair()
        #expect(!LineConnection(ends.own).send(line: [UInt8](repeating: 0x61, count: 8 << 20), until: soon))
        let others = SocketPair()
        #expect(LineConnection(others.own).send(line: Array("yes".utf8), until: soon))
        var reader = LineConnection(others.other)
        #expect(try reader.line(most: 10, until: soon) == Array("yes".utf8))
    }

    @Test("The kernel knows the user at the other end")
    func user() {
        let ends = SocketPair()
        #expect(LineConnection.user(of: ends.own) == geteuid())
        #expect(LineConnection.user(of: -1) == nil)
    }

    @Test("A question to nobody has no answer")
    func unanswered() {
        for path in ["/nonexistent/none.sock", "", String(repeating: "x", count: 200)] {
            #expect(
                LineConnection.ask(["a"], at: path, for: [String].self, most: 100, until: soon) == nil)
        }
    }

    @Test("Where nobody listens there is no connection")
    func nobody() throws {
        #expect(LineConnection.opened(to: try SocketAddress("/nonexistent/none.sock")) == nil)
        let ends = SocketPair()
        #expect(LineConnection.isSocket(ends.own) && !LineConnection.isSocket(-1))
    }
}
