import Foundation
import Protocol
import Synchronization

/// A fake daemon: a Unix socket that answers calls as a test wants, on threads of its own.
final class FakeService: Sendable {
    enum Answer: Sendable {
        case reply(Reply)
        /// Several replies, after which the connection is closed.
        case stream([Reply])
        /// These bytes, whatever they are, and then the end.
        case raw([UInt8])
        /// The same, with this many seconds between two bytes.
        case trickle([UInt8], interval: Double)
        /// Nothing, ever.
        case silence
    }

    let path: String
    private let listener: Int32
    private let asked = Mutex<[ControlRequest]>([])

    /// The questions that were asked, in order.
    var requests: [ControlRequest] { asked.withLock { $0 } }

    /// The connection of a hanging answer stays open as long as the service lives.
    private let held = Mutex<[Int32]>([])

    init(in home: HomeFolder, _ answer: @escaping @Sendable (ControlRequest) -> Answer) {
        path = home.path + "/control.sock"
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: Array(path.utf8)) }
        let bound = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        precondition(bound == 0 && listen(listener, 8) == 0, "cannot listen on \(path)")
        Thread.detachNewThread { [weak self] in
            // Closed here alone: a listener of another test would have its number while this one still accepts.
            defer { _ = close(listener) }
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                guard let self else {
                    _ = close(connection)
                    return
                }
                self.serve(connection, answer)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        held.withLock { descriptors in
            for descriptor in descriptors { close(descriptor) }
        }
    }

    /// One call a connection, as adhanctl makes them.
    private func serve(_ connection: Int32, _ answer: (ControlRequest) -> Answer) {
        var message: [UInt8] = []
        var byte: UInt8 = 1
        while unsafe recv(connection, &byte, 1, 0) == 1, byte != 0 { message.append(byte) }
        guard case .call(let call) = Varlink.parse(message), case .control(let request) = call.action else {
            _ = close(connection)
            return
        }
        asked.withLock { $0.append(request) }
        switch answer(request) {
        case .reply(let reply): send((try? Varlink.reply(reply)) ?? [], over: connection)
        case .stream(let replies):
            for reply in replies {
                send((try? Varlink.reply(reply, continues: true)) ?? [], over: connection)
            }
        case .raw(let bytes): send(bytes, over: connection)
        case .trickle(let bytes, let interval):
            for byte in bytes {
                send([byte], over: connection)
                Thread.sleep(forTimeInterval: interval)
            }
        case .silence: return held.withLock { $0.append(connection) }
        }
        close(connection)
    }

    private func send(_ bytes: [UInt8], over connection: Int32) {
        _ = unsafe bytes.withUnsafeBytes {
            unsafe Foundation.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
    }
}
