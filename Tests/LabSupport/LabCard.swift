public import Foundation

/// A sound card for tests, without hardware: paced like a real one, recording what would be heard, and
/// failing on order.
///
/// Every card lives in a directory of its own. In the test's own process its ALSA name is `device`; a program
/// that a test starts finds it as `default` with the variables of `environment`.
public struct LabCard: Sendable {
    /// The faults that `Tests/Lab/pcm_lab.c` can cause its player.
    public enum Fault: String, Sendable {
        case ok, xrun, suspend, unplug, eio, busy, eagain, freeze, hang, wedge, dead
    }

    public struct Trouble: Error, CustomStringConvertible {
        public var description: String

        public init(description: String) { self.description = description }
    }

    public let directory: URL
    /// ALSA's name for the card.
    public let device: String

    /// - Parameters:
    ///   - speed: how much faster than real time its clock runs.
    ///   - rate: the only rate it knows; 0: 44100 and 48000.
    ///   - format: the only sample format it knows, by ALSA's name; empty: all of them.
    ///   - channels: the only number of channels it knows; 0: one and two.
    public init(speed: Double = 1, rate: Int = 0, format: String = "", channels: Int = 0) throws {
        let plugins = try Self.plugins.get()
        directory = FileManager.default.temporaryDirectory.appending(path: "lab-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        device =
            "lab:DIR=\(directory.path),SPEED=\(speed),RATE=\(rate),FORMAT=\"\(format)\",CHANNELS=\(channels)"
        try Self.configuration(plugins: plugins, standard: device)
            .write(to: directory.appending(path: "asound.conf"), atomically: true, encoding: .utf8)
        // alsa-lib reads this variable at every opening; all cards of this process share one description.
        _ = Self.shared
    }

    /// For programs that a test starts.
    public var environment: [String: String] {
        ["ALSA_CONFIG_PATH": directory.appending(path: "asound.conf").path]
    }

    /// Replaces the fault of the moment; the card notices at its next call.
    public func set(_ fault: Fault) throws {
        try fault.rawValue.write(to: directory.appending(path: "fault"), atomically: true, encoding: .utf8)
    }

    /// Everything heard so far, in the format the player chose.
    public var heard: Data { (try? Data(contentsOf: directory.appending(path: "heard.raw"))) ?? Data() }

    /// Everything heard so far from a player that chose S16: interleaved samples.
    public var heardS16: [Int16] {
        let bytes = [UInt8](heard)
        return (0..<bytes.count / 2).map {
            Int16(bitPattern: UInt16(bytes[2 * $0]) | UInt16(bytes[2 * $0 + 1]) << 8)
        }
    }

    /// The card's diary: `open`, `setup FORMAT CHANNELS RATE BUFFER`, `start SECONDS`, `stop SECONDS`,
    /// `close`.
    public var diary: [[Substring]] {
        let text = (try? String(contentsOf: directory.appending(path: "diary"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map { $0.split(separator: " ") }
    }

    /// Unix seconds of every start.
    public var starts: [Double] { diary.filter { $0.first == "start" }.compactMap { Double($0[1]) } }

    public func remove() { try? FileManager.default.removeItem(at: directory) }

    /// Sets the card's mixer: volumes of 0...100, and its switch.
    public func setMixer(left: Int, right: Int, on: Bool) throws {
        try "\(left) \(right) \(on ? 1 : 0)\n"
            .write(to: directory.appending(path: "mixer"), atomically: true, encoding: .utf8)
    }

    // MARK: Building

    /// The plugins, built once for every process that uses them and removed when it ends.
    private static let plugins = Result { () throws -> URL in
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "lab-build-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        for kind in ["pcm", "ctl"] { try build(kind, in: directory) }
        return directory
    }

    private static func build(_ kind: String, in directory: URL) throws {
        let source = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Lab/\(kind)_lab.c")
        let library = directory.appending(path: "libasound_module_\(kind)_lab.so")
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = [
            "gcc", "-shared", "-fPIC", "-O2", "-Wall", "-DPIC", source.path, "-o", library.path, "-lasound",
        ]
        try compiler.run()
        compiler.waitUntilExit()
        guard compiler.terminationStatus == 0 else {
            throw Trouble(description: "cannot build \(source.path): gcc says \(compiler.terminationStatus)")
        }
    }

    private static let shared: Void = {
        guard let plugins = try? plugins.get() else { return }
        let file = plugins.appending(path: "asound.conf")
        try? configuration(plugins: plugins, standard: nil).write(to: file, atomically: true, encoding: .utf8)
        unsafe setenv("ALSA_CONFIG_PATH", file.path, 1)
        atexit {
            guard let plugins = try? LabCard.plugins.get() else { return }
            try? FileManager.default.removeItem(at: plugins)
        }
    }()

    private static func configuration(plugins: URL, standard: String?) -> String {
        let arguments = """
            @args [ DIR SPEED RATE FORMAT CHANNELS ]
                @args.DIR { type string }
                @args.SPEED { type real default 1.0 }
                @args.RATE { type integer default 0 }
                @args.FORMAT { type string default "" }
                @args.CHANNELS { type integer default 0 }
            """
        let common = """
            </usr/share/alsa/alsa.conf>
            pcm_type.lab { lib "\(plugins.path)/libasound_module_pcm_lab.so" }
            ctl_type.lab { lib "\(plugins.path)/libasound_module_ctl_lab.so" }
            pcm.lab {
                \(arguments)
                type lab
                file { @func concat strings [ $DIR "/heard.raw" ] }
                log { @func concat strings [ $DIR "/diary" ] }
                fault { @func concat strings [ $DIR "/fault" ] }
                speed $SPEED
                rate $RATE
                format $FORMAT
                channels $CHANNELS
            }
            ctl.lab {
                \(arguments)
                type lab
                state { @func concat strings [ $DIR "/mixer" ] }
            }
            pcm.pulse_at {
                @args [ SERVER SINK ]
                @args.SERVER { type string }
                @args.SINK { type string }
                type pulse
                server $SERVER
                device $SINK
            }

            """
        guard let standard else { return common }
        return common + """
            pcm.!default { type plug slave.pcm '\(standard)' }
            ctl.!default '\(standard)'

            """
    }
}
