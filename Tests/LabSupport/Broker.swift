public import Foundation
import Synchronization

/// A mosquitto of a test's own on a random port of the loopback.
public final class Broker: Sendable {
    public enum Security: Sendable {
        case none
        case password(user: String, password: String)
        /// By a certificate of the test's authority; `asksForCertificate`: clients need one, too.
        case tls(TestAuthority, asksForCertificate: Bool)
    }

    public let port: Int
    public let directory: URL
    private let process = ChildProcess()

    public init(_ security: Security = .none, options: String = "") throws {
        port = try FreePort.find()
        directory = FileManager.default.temporaryDirectory.appending(path: "broker-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        // Run by root it would become another user, which may not read its files.
        var lines = ["listener \(port) 127.0.0.1", "persistence false", "user root", options]
        switch security {
        case .none: lines.append("allow_anonymous true")
        case .password(let user, let password):
            let file = directory.appending(path: "passwords").path
            try Tool.run(["mosquitto_passwd", "-b", "-c", file, user, password])
            lines += ["allow_anonymous false", "password_file \(file)"]
        case .tls(let authority, let asksForCertificate):
            lines += [
                "allow_anonymous true", "cafile \(authority.caFile)",
                "certfile \(authority.brokerCertificate)", "keyfile \(authority.brokerKey)",
                "require_certificate \(asksForCertificate)",
            ]
        }
        try lines.joined(separator: "\n")
            .write(to: directory.appending(path: "broker.conf"), atomically: true, encoding: .utf8)
        try start()
    }

    deinit {
        process.end(SIGKILL)
        try? FileManager.default.removeItem(at: directory)
    }

    /// Starts it, again if it was killed, and waits until it answers.
    public func start() throws {
        let command = ["/usr/sbin/mosquitto", "-c", directory.appending(path: "broker.conf").path]
        try process.run(command, environment: ["PATH": "/usr/sbin:/usr/bin:/bin"])
        // Beside a build and a browser it took more than five seconds.
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            if FreePort.isOpen(port) { return }
            Thread.sleep(forTimeInterval: 0.01)
        }
        throw LabCard.Trouble(description: "mosquitto does not answer on port \(port)")
    }

    public func kill() { process.end(SIGKILL) }

    /// Holds it up: its port is open, and it says nothing.
    public func suspend() { process.send(SIGSTOP) }
    public func resume() { process.send(SIGCONT) }
}

/// Ports of the loopback.
public enum FreePort {
    private static let given = Mutex<Set<Int>>([])

    /// A port that nothing listens on, given out once. It lies below those that the kernel gives to connections: one of
    /// another test could take it before its owner listens.
    public static func find() throws -> Int {
        for _ in 0..<1000 {
            let port = Int.random(in: 10_240..<32_768)
            guard given.withLock({ $0.insert(port).inserted }) else { continue }
            if let descriptor = bound(port) {
                close(descriptor)
                return port
            }
        }
        throw LabCard.Trouble(description: "no port is free")
    }

    /// A socket that is bound to that port.
    static func bound(_ port: Int) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = loopback(port)
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    public static func isOpen(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = loopback(port)
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}

/// Another program, run to its end.
public enum Tool {
    public static func run(_ command: [String]) throws {
        let child = ChildProcess()
        try child.run(command, environment: ["PATH": "/usr/sbin:/usr/bin:/bin", "HOME": "/nonexistent"])
        guard child.wait() == 0 else {
            throw LabCard.Trouble(description: "\(command.joined(separator: " ")) failed")
        }
    }
}

/// A throw-away authority, and a certificate for `localhost` and 127.0.0.1 of it, and one for a client.
public final class TestAuthority: Sendable {
    public let directory: URL
    public var caFile: String { directory.appending(path: "ca.crt").path }
    public var brokerCertificate: String { directory.appending(path: "broker.crt").path }
    public var brokerKey: String { directory.appending(path: "broker.key").path }
    public var clientCertificate: String { directory.appending(path: "client.crt").path }
    public var clientKey: String { directory.appending(path: "client.key").path }

    public init(broker name: String = "localhost") throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "authority-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let path = directory.path
        try Tool.run([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-days", "2", "-subj", "/CN=A test's authority", "-keyout", "\(path)/ca.key", "-out",
            "\(path)/ca.crt",
        ])
        try sign("broker", names: "subjectAltName=DNS:\(name)")
        try sign("client", names: "subjectAltName=DNS:client")
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    private func sign(_ name: String, names: String) throws {
        let path = directory.path
        try names.write(toFile: "\(path)/\(name).ext", atomically: true, encoding: .utf8)
        try Tool.run([
            "openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
            "/CN=\(name)", "-keyout", "\(path)/\(name).key", "-out", "\(path)/\(name).csr",
        ])
        try Tool.run([
            "openssl", "x509", "-req", "-days", "2", "-in", "\(path)/\(name).csr", "-CA", "\(path)/ca.crt",
            "-CAkey", "\(path)/ca.key", "-CAcreateserial", "-extfile", "\(path)/\(name).ext", "-out",
            "\(path)/\(name).crt",
        ])
    }
}
