import Foundation

/// A session bus of its own with a notification server that writes down what it receives.
final class Desktop {
    private let directory: String
    private(set) var bus: Process
    private var server: Process?
    private var input: Pipe?
    let address: String
    private var log: String { directory + "/notified" }

    struct Trouble: Error { let text: String }

    private static let program: Result<String, any Error> = Result {
        let path = NSTemporaryDirectory() + "notify_lab-\(getpid())"
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = [
            "gcc", "-O2", "-Wall", Person.checkout.appending(path: "Tests/Lab/notify_lab.c").path, "-o", path,
            "-lsystemd",
        ]
        try compiler.run()
        compiler.waitUntilExit()
        guard compiler.terminationStatus == 0 else { throw Trouble(text: "gcc failed") }
        return path
    }

    init(in directory: String) throws {
        self.directory = directory
        address = "unix:path=\(directory)/bus"
        bus = try Self.startBus(address)
    }

    deinit {
        if let server { kill(server.processIdentifier, SIGKILL) }
        kill(bus.processIdentifier, SIGKILL)
    }

    /// A bus that listens already: its socket is in the folder a moment earlier, and refuses whoever comes then.
    private static func startBus(_ address: String) throws -> Process {
        let bus = Process()
        bus.executableURL = URL(filePath: "/usr/bin/dbus-daemon")
        bus.arguments = ["--session", "--nofork", "--nopidfile", "--address=\(address)", "--print-address=1"]
        let output = Pipe()
        bus.standardOutput = output
        bus.standardError = FileHandle.nullDevice
        try bus.run()
        // It is printed when the bus listens; the end of the output comes where it has ended instead.
        guard !output.fileHandleForReading.availableData.isEmpty else { throw Trouble(text: "no bus") }
        return bus
    }

    func restartBus() throws {
        kill(bus.processIdentifier, SIGKILL)
        bus.waitUntilExit()
        try? FileManager.default.removeItem(atPath: directory + "/bus")
        bus = try Self.startBus(address)
    }

    func startServer(_ capabilities: String = "actions,body") throws {
        if let server { kill(server.processIdentifier, SIGKILL) }
        server?.waitUntilExit()
        let before = lines.count { $0 == ["ready"] }
        let process = Process()
        process.executableURL = URL(filePath: try Self.program.get())
        process.arguments = [log, capabilities]
        process.environment = ["DBUS_SESSION_BUS_ADDRESS": address]
        let pipe = Pipe()
        process.standardInput = pipe
        try process.run()
        (server, input) = (process, pipe)
        guard eventually(within: 60, { lines.count { $0 == ["ready"] } > before }) else {
            throw Trouble(text: "the notification server is not on the bus")
        }
    }

    /// Whether a program is connected to the bus: it has a socket beside the one that listens.
    var isInUse: Bool {
        let sockets = (try? String(contentsOfFile: "/proc/net/unix", encoding: .utf8)) ?? ""
        return sockets.split(separator: "\n").count { $0.hasSuffix(" \(directory)/bus") } > 1
    }

    func press(_ id: String, _ key: String) {
        input?.fileHandleForWriting.write(Data("press \(id) \(key)\n".utf8))
    }

    /// The signals that any other program on the bus can send: the server's signal, to everybody and to each that is there.
    func forge(_ id: String, _ key: String) throws {
        let names = [""] + (0..<20).map { "--dest=:1.\($0)" }
        for name in names {
            let sender = Process()
            sender.executableURL = URL(filePath: "/usr/bin/dbus-send")
            sender.arguments =
                ["--session", "--type=signal"] + (name.isEmpty ? [] : [name]) + [
                    "/org/freedesktop/Notifications", "org.freedesktop.Notifications.ActionInvoked",
                    "uint32:\(id)", "string:\(key)",
                ]
            sender.environment = ["DBUS_SESSION_BUS_ADDRESS": address]
            sender.standardError = FileHandle.nullDevice
            try sender.run()
            sender.waitUntilExit()
        }
    }

    var lines: [[String]] {
        ((try? String(contentsOfFile: log, encoding: .utf8)) ?? "").split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }

    struct Notified {
        let id, replaced, title, body, actions, hints, timeout: String
    }

    var notified: [Notified] {
        lines.filter { $0.first == "notify" && $0.count == 8 }.map {
            Notified(
                id: $0[1], replaced: $0[2], title: $0[3], body: $0[4], actions: $0[5], hints: $0[6],
                timeout: $0[7])
        }
    }

    var closed: [String] { lines.filter { $0.first == "close" }.map { $0[1] } }

    /// Waits until something has come true; whether it has.
    func eventually(within seconds: Double = 20, _ condition: () throws -> Bool) rethrows -> Bool {
        let deadline = Date().addingTimeInterval(seconds)
        while Date() < deadline {
            if try condition() { return true }
            usleep(20_000)
        }
        return try condition()
    }
}
