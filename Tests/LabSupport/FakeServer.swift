import Foundation

/// A server on the loopback that says what a test has it say, to one caller after another.
public final class FakeServer: Sendable {
    public struct Connection: Sendable {
        fileprivate let descriptor: Int32

        /// Some bytes; none at the end.
        public func read() -> [UInt8] {
            var buffer = [UInt8](repeating: 0, count: 1024)
            let count = unsafe Foundation.read(descriptor, &buffer, buffer.count)
            return count > 0 ? Array(buffer[..<count]) : []
        }

        public func write(_ bytes: [UInt8]) {
            _ = unsafe send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }
    }

    public let port: Int
    private let listener: Int32

    public init(_ serve: @escaping @Sendable (Connection) -> Void) throws {
        port = try FreePort.find()
        guard let listener = FreePort.bound(port), listen(listener, 8) == 0 else {
            throw LabCard.Trouble(description: "cannot listen on port \(port)")
        }
        self.listener = listener
        Thread.detachNewThread {
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { break }
                serve(Connection(descriptor: descriptor))
                close(descriptor)
            }
            close(listener)
        }
    }

    // Its number stays taken until the thread has seen it: the listener of another test would have it, and be answered for.
    deinit { shutdown(listener, Int32(SHUT_RDWR)) }
}
