import Foundation
import LabSupport

/// A pseudo-terminal on which a test types, as a person would: each line only when a prompt waits for it.
struct Typist {
    struct Outcome {
        var status: Int32
        /// Everything that the screen showed, what was typed included.
        var text: String
    }

    struct Trouble: Error {
        var description: String
    }

    private let master: Int32
    private let name: String

    /// Seconds for the whole conversation.
    private static let limit = 60.0

    init() throws {
        // TIOCSPTLCK and TIOCGPTN of <asm-generic/ioctls.h>, macros that Swift does not see.
        let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
        master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var number: Int32 = 0
        guard master >= 0, unsafe ioctl(master, setLock, &number) == 0,
            unsafe ioctl(master, getNumber, &number) == 0
        else { throw Trouble(description: "no pseudo-terminal is to be had") }
        name = "/dev/pts/\(number)"
    }

    /// `setsid` gives the program a terminal that it is in charge of, so that Ctrl-C reaches it.
    func run(
        _ program: Adhanctl, _ arguments: [String], typing lines: [String], prompts: [String] = [": "]
    ) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
        process.arguments = ["--ctty", "--wait", Adhanctl.path] + arguments
        process.environment = [
            "HOME": program.home.path, "XDG_RUNTIME_DIR": program.home.path, "TZ": "Etc/UTC", "TERM": "xterm",
            "PATH": "/usr/bin:/bin", "ADHAND_SOCKET": program.home.path + "/adhand/control.sock",
        ].merging(TestClock.environment) { $1 }
        let slave = unsafe open(name, O_RDWR | O_NOCTTY)
        guard slave >= 0 else { throw Trouble(description: "cannot open \(name)") }
        let handle = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
        (process.standardInput, process.standardOutput, process.standardError) = (handle, handle, handle)
        try process.run()
        try handle.close()
        let text = converse(lines, prompts)
        // SIGTERM is not enough: a process started by a test's thread inherits its blocked signals.
        if text.isLate { kill(process.processIdentifier, SIGKILL) }
        // The program behind setsid ends with its terminal.
        close(master)
        process.waitUntilExit()
        return Outcome(status: process.terminationStatus, text: text.screen)
    }

    private func converse(_ lines: [String], _ prompts: [String]) -> (screen: String, isLate: Bool) {
        var (screen, typedAt, rest) = ([UInt8](), 0, lines[...])
        let deadline = Date().addingTimeInterval(Self.limit)
        while Date() < deadline {
            var wanted = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&wanted, 1, 200) > 0 else { continue }
            var chunk = [UInt8](repeating: 0, count: 4096)
            let count = unsafe read(master, &chunk, chunk.count)
            // EIO: the other side is closed.
            guard count > 0 else { return (String(decoding: screen, as: UTF8.self), false) }
            screen += chunk[..<count]
            let shown = screen[typedAt...]
            let isAsked = prompts.contains { shown.suffix($0.utf8.count).elementsEqual($0.utf8) }
            if isAsked, let line = rest.popFirst() {
                typedAt = screen.count
                _ = unsafe Array(line.utf8).withUnsafeBytes { unsafe write(master, $0.baseAddress, $0.count) }
            }
        }
        return (String(decoding: screen, as: UTF8.self), true)
    }
}
