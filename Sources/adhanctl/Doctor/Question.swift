import Glibc
import Host

/// Another program that is asked something: run by its path, without a shell, in English, for a bounded time.
enum Question {
    /// In bytes. What says more is not listened to any longer.
    private static let longestAnswer = 1 << 20
    private static let directories = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"]

    struct Outcome {
        let status: Int32
        let output: String
    }

    /// What `program` wrote on standard output; `nil` when it is not installed, failed, or took longer than `seconds`.
    static func ask(_ program: String, _ arguments: [String], seconds: Double = 5) -> String? {
        guard let outcome = run(program, arguments, seconds: seconds), outcome.status == 0 else { return nil }
        return outcome.output
    }

    /// The same whatever it ended with. A `program` with a slash in it is a path.
    static func run(
        _ program: String, _ arguments: [String], environment: [String]? = nil, seconds: Double
    ) -> Outcome? {
        let places = program.contains("/") ? [program] : directories.map { "\($0)/\(program)" }
        guard let path = places.first(where: { unsafe access($0, X_OK) == 0 }) else { return nil }
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        let reading = OwnedDescriptor(ends[0])
        // Nobody else is to inherit our end, or to keep the pipe open when the program has ended.
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        let child = spawn(path, arguments, environment ?? plain, output: ends[1])
        close(ends[1])
        guard let child else { return nil }
        let answer = read(reading.raw, until: WallClock.monotonic() + seconds)
        if answer == nil { kill(child, SIGKILL) }
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard status & 0x7F == 0, let answer else { return nil }
        return Outcome(status: status >> 8 & 0xFF, output: String(decoding: answer, as: UTF8.self))
    }

    private static var plain: [String] {
        ["PATH=" + directories.joined(separator: ":"), "LC_ALL=C.UTF-8", "TERM=dumb"]
    }

    private static func spawn(
        _ path: String, _ arguments: [String], _ environment: [String], output: Int32
    ) -> pid_t? {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        if output > STDERR_FILENO { unsafe posix_spawn_file_actions_addclose(&actions, output) }
        var (words, variables) = unsafe (copies([path] + arguments), copies(environment))
        defer {
            for index in unsafe words.indices { unsafe free(words[index]) }
            for index in unsafe variables.indices { unsafe free(variables[index]) }
        }
        var child: pid_t = 0
        let code = unsafe posix_spawn(&child, path, &actions, nil, &words, &variables)
        return code == 0 ? child : nil
    }

    private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        unsafe texts.map { unsafe strdup($0) } + [nil]
    }

    /// Everything up to the end; `nil` when that does not come in time.
    private static func read(_ descriptor: Int32, until deadline: Double) -> [UInt8]? {
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while answer.count < longestAnswer {
            let left = deadline - WallClock.monotonic()
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard left > 0 else { return nil }
            guard unsafe poll(&waiting, 1, Int32((left * 1000).rounded(.up))) > 0 else { continue }
            let count = unsafe chunk.withUnsafeMutableBytes {
                unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count == 0 ? answer : nil }
            answer += chunk[..<count]
        }
        return nil
    }
}
