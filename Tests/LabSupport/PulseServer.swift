public import Foundation

/// A PulseAudio server of a test's own: a null sink named `out`, paced in real time, whose monitor is
/// recorded to the frame. Nothing of the machine's or the user's own server is touched.
public final class PulseServer: Sendable {
    public let directory: URL
    /// ALSA's name for the sink, for programs that use `LabCard`'s description of devices.
    public let device: String
    private let server: ChildProcess

    private static let sink = [
        "module-null-sink", "sink_name=out", "rate=44100", "channels=2", "format=s16le", "norewinds=1",
    ]

    public init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "pulse-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory.appending(path: "pulse"), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        device = "pulse_at:SERVER=\"unix:\(directory.path)/native\",SINK=out"
        let script = """
            load-module module-native-protocol-unix auth-anonymous=1 socket=\(directory.path)/native
            load-module \(Self.sink.joined(separator: " "))

            """
        try script.write(
            to: directory.appending(path: "server.pa"), atomically: true, encoding: .utf8)
        server = ChildProcess()
        try start()
    }

    deinit {
        server.end(SIGKILL)
        try? FileManager.default.removeItem(at: directory)
    }

    /// Starts the server, again if it was killed.
    public func start() throws {
        try? FileManager.default.removeItem(at: directory.appending(path: "native"))
        try server.run(
            [
                "pulseaudio", "-n", "-F", "\(directory.path)/server.pa", "--daemonize=no",
                "--use-pid-file=no",
                "--exit-idle-time=-1", "--disallow-exit=no", "--realtime=no", "--high-priority=no",
                "--log-target=file:\(directory.path)/log",
            ], environment: environment)
        for _ in 0..<200 {
            if (try? control(["info"])) != nil { return }
            Thread.sleep(forTimeInterval: 0.02)
        }
        throw LabCard.Trouble(description: "pulseaudio does not answer; `make sound-rig` installs it")
    }

    /// Ends the server as a crash would.
    public func crash() { server.end(SIGKILL) }
    /// Holds the server up: it exists and does not answer.
    public func suspend() { server.send(SIGSTOP) }
    public func resume() { server.send(SIGCONT) }

    public func unloadSink() throws { try control(["unload-module", Self.sink[0]]) }
    public func loadSink() throws { try control(["load-module"] + Self.sink) }

    /// Records the sink from now on; ends with the value.
    public func record() throws -> Recording { try Recording(self) }

    public final class Recording: Sendable {
        private let recorder = ChildProcess()
        private let file: URL

        fileprivate init(_ server: PulseServer) throws {
            file = server.directory.appending(path: "heard-\(UUID().uuidString).raw")
            try recorder.run(
                [
                    "parec", "--device=out.monitor", "--rate=44100", "--channels=2", "--format=s16le",
                    "--raw",
                    "--latency-msec=20", file.path,
                ], environment: server.environment)
            // Recording is under way once silence comes in.
            for _ in 0..<250 where samples.isEmpty { Thread.sleep(forTimeInterval: 0.02) }
        }

        deinit { recorder.end(SIGKILL) }

        /// Interleaved samples heard so far.
        public var samples: [Int16] {
            let bytes = [UInt8]((try? Data(contentsOf: file)) ?? Data())
            return (0..<bytes.count / 2).map {
                Int16(bitPattern: UInt16(bytes[2 * $0]) | UInt16(bytes[2 * $0 + 1]) << 8)
            }
        }
    }

    private func control(_ arguments: [String]) throws {
        let pactl = ChildProcess()
        try pactl.run(["pactl"] + arguments, environment: environment)
        guard pactl.wait() == 0 else {
            throw LabCard.Trouble(description: "pactl \(arguments.joined(separator: " ")) failed")
        }
    }

    private var environment: [String: String] {
        [
            "PATH": "/usr/bin:/bin", "HOME": directory.path, "XDG_RUNTIME_DIR": directory.path,
            "XDG_CONFIG_HOME": directory.path, "PULSE_RUNTIME_PATH": directory.path,
            "PULSE_STATE_PATH": directory.path, "PULSE_SERVER": "unix:\(directory.path)/native",
        ]
    }
}
