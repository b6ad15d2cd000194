internal import CLinux
internal import Glibc
internal import Host

/// A program and everything that it starts. All of it ends by ``end()``, and by nothing else.
struct RunningProgram {
    private let pid: pid_t

    /// Seconds to end by itself after SIGTERM.
    private static let patienceSeconds = 5.0

    init(_ command: [String], environment: [String]) throws(KioskError) {
        guard let path = ChildProcess.find(command[0], in: .process) else {
            throw KioskError(message: "\(command[0]) is not installed; try: sudo apt install \(command[0])")
        }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // Use a separate process group, so that its children end with it, and default signal handlers, as a new program expects.
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF))
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        var words = unsafe command.map { unsafe strdup($0) } + [nil]
        var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer {
            for index in unsafe words.indices { unsafe free(words[index]) }
            for index in unsafe variables.indices { unsafe free(variables[index]) }
        }
        var child = pid_t()
        let code = unsafe posix_spawn(&child, path, nil, &attributes, &words, &variables)
        guard code == 0 else { throw KioskError(message: FileError("run", path, code: code).message) }
        pid = child
    }

    /// Its exit status; `nil` while it runs. Keeps the ended process as a zombie, so that no other process gets its number.
    var ending: String? {
        var info = unsafe siginfo_t()
        guard unsafe waitid(P_PID, id_t(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0,
            unsafe info._sifields._sigchld.si_pid == pid
        else { return nil }
        let status = unsafe info._sifields._sigchld.si_status
        return unsafe info.si_code == CLD_EXITED
            ? "has ended with status \(status)" : "was killed by signal \(status)"
    }

    /// Ends the program and its children, by force if necessary.
    func end() {
        kill(-pid, SIGTERM)
        let deadline = MonotonicClock.now() + Self.patienceSeconds
        while kill(-pid, 0) == 0, ending == nil, MonotonicClock.now() < deadline { usleep(50_000) }
        kill(-pid, SIGKILL)
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0, errno == EINTR {}
    }
}
