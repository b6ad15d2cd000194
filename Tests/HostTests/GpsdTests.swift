import Foundation
import Host
import Places
import Testing

@Suite("Asking gpsd", .serialized)
struct GpsdTests {
    /// A listener on a port of the loopback interface that answers every caller with the same bytes, and then waits.
    private final class FakeGpsd: @unchecked Sendable {
        let port: UInt16
        private let listener: Int32

        init(answer: String?) throws {
            listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let listener = self.listener
            let bound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe bind(listener, $0, size) == 0 && listen(listener, 4) == 0
                        && getsockname(listener, $0, &size) == 0
                }
            }
            try #require(bound)
            port = UInt16(bigEndian: address.sin_port)
            guard let answer else { return }
            Thread.detachNewThread {
                let caller = accept(listener, nil, nil)
                guard caller >= 0 else { return }
                let bytes = Array(answer.utf8)
                _ = unsafe write(caller, bytes, bytes.count)
                // Open until the caller goes.
                var byte: UInt8 = 0
                while unsafe read(caller, &byte, 1) > 0 {}
                close(caller)
            }
        }

        deinit { close(listener) }
    }

    @Test("The position of a receiver that knows it comes at once")
    func position() throws {
        let fake = try FakeGpsd(
            answer: #"{"class":"VERSION"}"# + "\n" + #"{"class":"TPV","mode":2,"lat":21.42,"lon":39.83}"#
                + "\n")
        let gpsd = Gpsd(port: fake.port)
        #expect(gpsd.isThere)
        #expect(gpsd.position(within: 5) == .point(latitude: 21.42, longitude: 39.83))
    }

    @Test("One that says nothing, or nothing useful, is given up in time")
    func silent() throws {
        for answer in [nil, #"{"class":"DEVICES","devices":[]}"# + "\n"] {
            let fake = try FakeGpsd(answer: answer)
            let start = MonotonicClock.now()
            #expect(Gpsd(port: fake.port).position(within: 0.6) == .unknown(reason: "gpsd has no receiver"))
            #expect(MonotonicClock.now() - start < 3)
        }
    }

    @Test("Where nobody listens that is said")
    func absent() throws {
        let port = try FakeGpsd(answer: nil).port
        #expect(!Gpsd(port: port).isThere)
        guard case .unknown(let reason) = Gpsd(port: port).position(within: 1) else {
            Issue.record("a position from nobody")
            return
        }
        #expect(reason.contains("does not answer"))
    }
}
