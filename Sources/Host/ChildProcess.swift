internal import CLinux
internal import Glibc

/// Another program, run to its end with a fixed list of arguments, no shell between, and no longer than it may take.
package enum ChildProcess {
    package enum Ending: Sendable, Equatable {
        case exited(Int32)
        case killed(signal: Int32)
        /// It took too long and was killed, with everything that it had started.
        case timedOut
    }

    package struct Outcome: Sendable, Equatable {
        package let ending: Ending
        /// The end of what it said on standard error.
        package let errorText: String
    }

    /// Bytes of standard error that are kept.
    private static let mostErrorBytes = 4096

    /// The program's path, as a shell would find it; nil where it is not installed.
    package static func find(_ name: String, in environment: Environment) -> String? {
        let folders = (environment.value("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        return folders.lazy.map { "\($0)/\(name)" }.first { path in
            unsafe access(path, X_OK) == 0 && !Directories.isDirectory(path)
        }
    }

    /// Runs `path` with nothing on standard input and standard output.
    /// - Parameters:
    ///   - arguments: without the program's own name.
    ///   - environment: `NAME=value` each; nothing of our own is handed on.
    ///   - descriptors: handed on, numbered from ``firstDescriptor``.
    ///   - limit: seconds.
    ///   - guarding: runs what starts the process, and then what buries it; each tells which process there is afterwards. So
    ///     the caller can keep its number, and kill it, without ever meaning another one.
    package static func run(
        _ path: String, _ arguments: [String], environment: [String], descriptors: [Int32], limit: Double,
        guarding: (() -> Int32?) -> Void
    ) throws(FileError) -> Outcome {
        let deadline = WallClock.monotonic() + limit
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe2(&ends, O_CLOEXEC | O_NONBLOCK) == 0 else {
            throw FileError("run", path, code: errno)
        }
        let reading = OwnedDescriptor(ends[0])
        let writing = OwnedDescriptor(ends[1])
        var child = pid_t()
        var code: Int32 = 0
        let error = writing.raw
        guarding {
            code = spawn(&child, path, arguments, environment, descriptors, error: error)
            return code == 0 ? child : nil
        }
        _ = consume writing
        guard code == 0 else { throw FileError("run", path, code: code) }
        let errorText = listen(to: reading.raw, until: deadline)
        let isOver = wait(for: child, until: deadline)
        if !isOver {
            kill(-child, SIGKILL)
            _ = wait(for: child, until: .infinity)
        }
        var status: Int32 = 0
        guarding {
            while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
            return nil
        }
        let signal = status & 0x7F
        let ending: Ending =
            !isOver ? .timedOut : signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
        return Outcome(ending: ending, errorText: errorText)
    }

    /// The number under which the child finds the first of the descriptors that it is given.
    package static let firstDescriptor: Int32 = 3

    private static func spawn(
        _ child: inout pid_t, _ path: String, _ arguments: [String], _ environment: [String],
        _ descriptors: [Int32], error: Int32
    ) -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, error, STDERR_FILENO)
        // Copies out of the way first: one of our own numbers may be one that the child is to see.
        var copies: [Int32] = []
        defer { for copy in copies { close(copy) } }
        for (index, descriptor) in descriptors.enumerated() {
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 100)
            guard copy >= 0 else { return errno }
            copies.append(copy)
            unsafe posix_spawn_file_actions_adddup2(&actions, copy, firstDescriptor + Int32(index))
        }
        // Whatever else is open here, ours or inherited, is none of its business.
        let end = firstDescriptor + Int32(descriptors.count)
        unsafe posix_spawn_file_actions_addclosefrom_np(&actions, end)
        // A process group of its own, so that whatever it starts ends with it; signals as a new program expects them.
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer {
            for index in unsafe words.indices { unsafe free(words[index]) }
            for index in unsafe variables.indices { unsafe free(variables[index]) }
        }
        return unsafe posix_spawn(&child, path, &actions, &attributes, &words, &variables)
    }

    /// What comes until all who hold the other end have closed it.
    private static func listen(to descriptor: Int32, until deadline: Double) -> String {
        var heard: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let left = deadline - WallClock.monotonic()
            guard left > 0 else { break }
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&request, 1, Int32(min(left * 1000, 1e6).rounded(.up))) > 0 else { continue }
            let count = unsafe chunk.withUnsafeMutableBytes {
                unsafe read(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { break }
            heard = (heard + chunk[..<count]).suffix(mostErrorBytes)
        }
        return String(decoding: heard, as: UTF8.self)
    }

    /// Waits for the end of a process without taking its status, so that its number stays its own.
    private static func wait(for child: pid_t, until deadline: Double) -> Bool {
        while true {
            var info = unsafe siginfo_t()
            let code = unsafe waitid(P_PID, id_t(child), &info, WEXITED | WNOHANG | WNOWAIT)
            if code == 0, unsafe info._sifields._sigchld.si_pid == child { return true }
            guard WallClock.monotonic() < deadline else { return false }
            usleep(5000)
        }
    }
}
