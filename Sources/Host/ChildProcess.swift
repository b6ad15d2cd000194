internal import CLinux
internal import Glibc

/// Runs another program to its end with a fixed list of arguments, without a shell, and within a time limit.
package enum ChildProcess {
    package enum Ending: Sendable, Equatable {
        case exited(Int32)
        case killed(signal: Int32)
        /// It took too long and was killed, with everything that it had started.
        case timedOut
    }

    package struct Outcome: Sendable, Equatable {
        package let ending: Ending
        /// The end of its standard error.
        package let errorText: String
        /// Its standard output, if requested; it is killed when that exceeds the limit.
        package let output: [UInt8]

        package init(ending: Ending, errorText: String, output: [UInt8] = []) {
            self.ending = ending
            self.errorText = errorText
            self.output = output
        }
    }

    /// Bytes of standard error that are kept.
    static let mostErrorBytes = 4096

    /// The program's path, found like a shell does; nil where it is not installed.
    package static func find(_ name: String, in environment: Environment) -> String? {
        let folders = (environment.value("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        return folders.lazy.map { "\($0)/\(name)" }.first { path in
            unsafe access(path, X_OK) == 0 && !Directories.isDirectory(path)
        }
    }

    /// Runs `path` with `input` on standard input, and with its standard output discarded unless requested.
    /// - Parameters:
    ///   - name: the name under which the program is called, if it is not its path.
    ///   - arguments: without the program's own name.
    ///   - environment: `NAME=value` each; nothing of our own is passed on.
    ///   - input: the bytes of its standard input, which it need not read.
    ///   - descriptors: passed on, numbered from ``firstDescriptor``.
    ///   - limit: the most seconds.
    ///   - mostOutput: the most bytes of standard output that are read.
    ///   - guarding: runs the closure that starts the process, and later the one that reaps it; each returns the process that
    ///       exists afterwards. The caller can therefore keep its number, and kill it, without ever reaching another process.
    package static func run(
        _ path: String, called name: String? = nil, _ arguments: [String], environment: [String],
        input: [UInt8] = [], descriptors: [Int32] = [], limitSeconds: Double, mostOutput: Int = 0,
        guarding: (() -> Int32?) -> Void = { _ = $0() }
    ) throws(FileError) -> Outcome {
        let deadline = MonotonicClock.now() + limitSeconds
        let error = try Pipe(for: path)
        let output = try Pipe(for: path)
        let inputFile = input.isEmpty ? OwnedDescriptor(-1) : try file(of: input, for: path)
        let standard = Standard(
            input: input.isEmpty ? nil : inputFile.raw, output: mostOutput > 0 ? output.writing.raw : nil,
            error: error.writing.raw)
        var child = pid_t()
        var code: Int32 = 0
        guarding {
            code = spawn(&child, path, [name ?? path] + arguments, environment, descriptors, standard)
            return code == 0 ? child : nil
        }
        let errorEnd = error.keepReading()
        let outputEnd = output.keepReading()
        guard code == 0 else { throw FileError("run", path, code: code) }
        let heard = listen(to: errorEnd.raw, and: outputEnd.raw, mostOutput, until: deadline)
        if heard.output.count > mostOutput { kill(-child, SIGKILL) }
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
        return Outcome(
            ending: ending, errorText: String(decoding: heard.error, as: UTF8.self),
            output: Array(heard.output.prefix(mostOutput)))
    }

    struct Pipe: ~Copyable {
        let reading: OwnedDescriptor
        let writing: OwnedDescriptor

        init(for path: String) throws(FileError) {
            var ends: [Int32] = [-1, -1]
            guard unsafe pipe2(&ends, O_CLOEXEC | O_NONBLOCK) == 0 else {
                throw FileError("run", path, code: errno)
            }
            reading = OwnedDescriptor(ends[0])
            writing = OwnedDescriptor(ends[1])
        }

        /// Keeps the reading end; the other one is closed here.
        consuming func keepReading() -> OwnedDescriptor { reading }
    }

    /// A file without a name: nothing blocks, whether or not it is read.
    static func file(of input: [UInt8], for path: String) throws(FileError) -> OwnedDescriptor {
        let raw = adhand_nameless_file()
        guard raw >= 0 else { throw FileError("run", path, code: errno) }
        let file = OwnedDescriptor(raw)
        if let code = OwnedDescriptor.write(input, to: file.raw) { throw FileError("run", path, code: code) }
        lseek(file.raw, 0, SEEK_SET)
        return file
    }

    /// The child's standard input and outputs; `nil`: none.
    struct Standard {
        let input: Int32?
        let output: Int32?
        let error: Int32
    }

    /// The number of the child's first passed descriptor.
    package static let firstDescriptor: Int32 = 3

    static func spawn(
        _ child: inout pid_t, _ path: String, _ words: [String], _ environment: [String],
        _ descriptors: [Int32], _ standard: Standard
    ) -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        if let input = standard.input {
            unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        } else {
            unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        if let output = standard.output {
            unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        } else {
            unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        }
        unsafe posix_spawn_file_actions_adddup2(&actions, standard.error, STDERR_FILENO)
        // Copy descriptors to high numbers first: one of ours may have a number that the child needs.
        var copies: [Int32] = []
        defer { for copy in copies { close(copy) } }
        for (index, descriptor) in descriptors.enumerated() {
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 100)
            guard copy >= 0 else { return errno }
            copies.append(copy)
            unsafe posix_spawn_file_actions_adddup2(&actions, copy, firstDescriptor + Int32(index))
        }
        // The child gets no other descriptor, ours or inherited.
        let end = firstDescriptor + Int32(descriptors.count)
        unsafe posix_spawn_file_actions_addclosefrom_np(&actions, end)
        // A separate process group, so that everything that it starts ends with it; signals as a new program expects them.
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        var words = unsafe words.map { unsafe strdup($0) } + [nil]
        var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer {
            for index in unsafe words.indices { unsafe free(words[index]) }
            for index in unsafe variables.indices { unsafe free(variables[index]) }
        }
        return unsafe posix_spawn(&child, path, &actions, &attributes, &words, &variables)
    }

    /// Reads until all writing ends are closed, or the limit is exceeded.
    private static func listen(
        to error: Int32, and output: Int32, _ mostOutput: Int, until deadline: Double
    ) -> (error: [UInt8], output: [UInt8]) {
        var heard: (error: [UInt8], output: [UInt8]) = ([], [])
        var open = [error, output]
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while !open.isEmpty, heard.output.count <= mostOutput {
            let left = deadline - MonotonicClock.now()
            guard left > 0 else { break }
            var requests = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let limit = Int32(min(left * 1000, 1e6).rounded(.up))
            guard unsafe poll(&requests, nfds_t(requests.count), limit) > 0 else { continue }
            for request in requests where request.revents != 0 {
                let count = unsafe chunk.withUnsafeMutableBytes {
                    unsafe read(request.fd, $0.baseAddress, $0.count)
                }
                if count < 0, errno == EINTR || errno == EAGAIN { continue }
                guard count > 0 else {
                    open.removeAll { $0 == request.fd }
                    continue
                }
                if request.fd == output {
                    heard.output += chunk[..<count]
                } else {
                    heard.error = (heard.error + chunk[..<count]).suffix(mostErrorBytes)
                }
            }
        }
        return heard
    }

    /// Waits for the end of a process without reaping it, so that its number remains its own.
    static func wait(for child: pid_t, until deadline: Double) -> Bool {
        while true {
            var info = unsafe siginfo_t()
            let code = unsafe waitid(P_PID, id_t(child), &info, WEXITED | WNOHANG | WNOWAIT)
            if code == 0, unsafe info._sifields._sigchld.si_pid == child { return true }
            guard MonotonicClock.now() < deadline else { return false }
            usleep(5000)
        }
    }
}
