import Foundation
import Synchronization

/// A program that a test starts, may start again, and ends by its own process id.
///
/// Not Foundation's `Process`: that takes a child that closes the descriptors it inherited, as PulseAudio
/// does, for one that has ended.
final class ChildProcess: Sendable {
    private let pid = Mutex<pid_t?>(nil)

    /// - Parameter command: the program, looked up in PATH, and its arguments.
    func run(_ command: [String], environment: [String: String]) throws {
        end(SIGKILL)
        var arguments = unsafe command.map { unsafe strdup($0) } + [nil]
        var variables = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
        defer {
            for index in unsafe arguments.indices { unsafe free(arguments[index]) }
            for index in unsafe variables.indices { unsafe free(variables[index]) }
        }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for descriptor: Int32 in 0...2 {
            unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var child: pid_t = 0
        let code = unsafe posix_spawnp(&child, command[0], &actions, nil, &arguments, &variables)
        guard code == 0 else {
            let cause = unsafe String(cString: strerror(code))
            throw LabCard.Trouble(description: "cannot start \(command[0]): \(cause)")
        }
        pid.withLock { $0 = child }
    }

    /// Waits for its end.
    /// - Returns: the exit status, or nil where a signal ended it.
    @discardableResult
    func wait() -> Int32? {
        guard let child = pid.withLock({ $0 }) else { return nil }
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
        pid.withLock { $0 = nil }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
    }

    func send(_ signal: Int32) {
        pid.withLock { child in
            if let child { kill(child, signal) }
        }
    }

    func end(_ signal: Int32) {
        send(signal)
        wait()
    }
}
