import Foundation
import LabSupport
import Testing

/// adhan-display in a directory of its own, with a fake daemon (Tests/display/fake_adhand.py).
final class Display {
    let directory: URL
    private(set) var process = Process()
    private var daemon: Process?
    private var daemonInput: FileHandle?
    private(set) var port: UInt16 = 0
    let socket: String

    static let checkout = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// `$ADHAN_DISPLAY_BIN`, or what was built beside the tests.
    static let program = BuiltProgram.path("adhan-display", variable: "ADHAN_DISPLAY_BIN")

    private let environment: [String: String]

    init(
        _ arguments: [String] = [], withDaemon: Bool = true, environment: [String: String] = [:]
    ) throws {
        self.environment = environment
        directory = FileManager.default.temporaryDirectory.appending(
            path: "adhan-display-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        socket = directory.appending(path: "s").path
        if withDaemon { try startDaemon() }
        try start(
            Self.program, ["--socket", socket, "--listen", "127.0.0.1:0"] + arguments)
    }

    /// Started by something that hands a listening socket over.
    init(passing launcher: String, _ arguments: [String] = []) throws {
        environment = [:]
        directory = FileManager.default.temporaryDirectory.appending(
            path: "adhan-display-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        socket = directory.appending(path: "s").path
        try startDaemon()
        try start(
            "/usr/bin/env",
            ["python3", "-c", launcher, Self.program, "--socket", socket, "--listen", "127.0.0.1:1"]
                + arguments)
    }

    deinit {
        for one in [process, daemon].compactMap(\.self) where one.isRunning {
            kill(one.processIdentifier, SIGKILL)
            one.waitUntilExit()
        }
        try? FileManager.default.removeItem(at: directory)
    }

    private func start(_ path: String, _ arguments: [String]) throws {
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "TZ": "Europe/London"]
            .merging(TestClock.under(environment)) { $1 }
        let errors = Pipe()
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        var text = ""
        while !text.contains("\n") {
            let chunk = errors.fileHandleForReading.availableData
            try #require(!chunk.isEmpty, "adhan-display has ended: \(text)")
            text += String(decoding: chunk, as: UTF8.self)
        }
        let match = try #require(text.firstMatch(of: /:(\d+)\//), "\(text)")
        port = try #require(UInt16(match.1))
    }

    func startDaemon() throws {
        let process = Process()
        // Not by way of PATH: what stands before it there may be a script that starts another process.
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [
            Self.checkout.appending(path: "Tests/display/fake_adhand.py").path, socket,
        ]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        daemon = process
        daemonInput = input.fileHandleForWriting
        _ = output.fileHandleForReading.availableData
    }

    func endDaemon() {
        guard let daemon else { return }
        kill(daemon.processIdentifier, SIGKILL)
        daemon.waitUntilExit()
    }

    /// Changes the fake daemon's answers from now on.
    func change(_ json: String) throws {
        try daemonInput?.write(contentsOf: Data((json + "\n").utf8))
    }

    var residentKilobytes: Int {
        let status =
            (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return line.split(separator: " ").compactMap { Int($0) }.first ?? 0
    }

    // MARK: Asking

    struct Reply {
        let status: Int
        let head: String
        let body: String
    }

    func get(
        _ path: String, method: String = "GET", host: String? = nil, more: String = "", port: UInt16? = nil
    ) throws -> Reply {
        let port = port ?? self.port
        let line = Line(port: port)
        line.send(
            "\(method) \(path) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(port)")\r\n\(more)Connection: close\r\n\r\n"
        )
        return try Self.parse(line.readAll())
    }

    static func parse(_ text: String) throws -> Reply {
        let head = text.components(separatedBy: "\r\n\r\n")[0]
        let status = try #require(head.split(separator: " ").dropFirst().first.flatMap { Int($0) }, "\(text)")
        return Reply(
            status: status, head: head,
            body: text.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n"))
    }

    func becomes(_ status: Int, within seconds: Double) async throws -> Double? {
        let began = ContinuousClock.now
        while ContinuousClock.now < began + .seconds(seconds) {
            if try get("/healthz").status == status {
                return Double((ContinuousClock.now - began).components.attoseconds) / 1e18
                    + Double((ContinuousClock.now - began).components.seconds)
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        return nil
    }
}

/// A TCP connection as rude as a test wants it.
final class Line {
    let descriptor: Int32
    private var pending = ""

    /// - Parameters:
    ///   - source: the last two bytes of an address of the loopback network, from which it comes.
    ///   - target: the last byte of that to which it goes.
    init(port: UInt16, receiveBuffer: Int32? = nil, source: Int? = nil, target: Int = 1) {
        descriptor = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if let source {
            var own = sockaddr_in()
            own.sin_family = sa_family_t(AF_INET)
            own.sin_addr.s_addr = UInt32(0x7F01_0000 + source).bigEndian
            _ = unsafe withUnsafePointer(to: &own) {
                unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
        if var size = receiveBuffer {
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var patienceSeconds = timeval(tv_sec: 15, tv_usec: 0)
        unsafe setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &patienceSeconds, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0000 + target).bigEndian
        _ = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// To a Unix socket.
    init(path: String) {
        descriptor = Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var patienceSeconds = timeval(tv_sec: 15, tv_usec: 0)
        unsafe setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &patienceSeconds, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        _ = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe bytes.withUnsafeBytes {
            unsafe Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
    }

    /// The bytes that have come by now; `nil` at the end.
    func read() -> String? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe buffer.withUnsafeMutableBytes {
            unsafe recv(descriptor, $0.baseAddress, $0.count, 0)
        }
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    func readAll() -> String {
        var text = ""
        while let chunk = read() { text += chunk }
        return text
    }

    /// The next server-sent event.
    func event() -> (name: String, data: String)? {
        while true {
            if let start = pending.range(of: "event: "),
                let end = pending.range(of: "\n\n", range: start.upperBound..<pending.endIndex)
            {
                // Chunks of the transfer encoding may stand in between.
                let lines = pending[start.upperBound..<end.lowerBound].components(separatedBy: "\ndata: ")
                pending = String(pending[end.upperBound...])
                return (lines[0], lines.count > 1 ? lines[1] : "")
            }
            guard let chunk = read() else { return nil }
            pending += chunk
        }
    }

    static func listening(to port: UInt16, source: Int? = nil) -> Line {
        let line = Line(port: port, source: source)
        line.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return line
    }
}
