internal import CLinux
internal import Glibc
internal import Synchronization

/// Processes that a program left behind in a session of their own, as a daemon does. Signals to its group do not reach them. A
/// process that adopts orphans finds them among its children.
///
/// The program that left an orphan is unknown, but it was not started after the orphan. An orphan is therefore killed as soon as
/// none of the programs that ran at its birth is still running: at the latest when the last of these has reached its time limit.
package enum Orphans {
    private struct Family {
        var isAdopting = false
        /// The running programs by number, and the times of their start.
        var programs: [pid_t: UInt64] = [:]
    }

    private static let family = Mutex(Family())
    /// Seconds for killed processes to end: only then are their own children found.
    private static let endSeconds = 1.0
    private static let pauseMicroseconds: useconds_t = 2000

    /// Makes this process adopt all orphans among its descendants from now on. It must start programs only through
    /// ``ChildProcess/runGroup(_:_:environment:input:limit:grace:guarding:)``.
    package static func adopt() {
        let isDone = adhand_adopt_orphans() == 0
        family.withLock { $0.isAdopting = isDone }
    }

    /// Starts a program without it being mistaken for an orphan.
    /// - Parameter start: returns the number of the program; `nil` where none was started.
    static func starting(_ start: () -> pid_t?) -> pid_t? {
        family.withLock { family in
            let program = start()
            if let program, family.isAdopting {
                family.programs[program] = Relative.read(program)?.bornTicks ?? 0
            }
            return program
        }
    }

    /// Handles the end of a program, which has been reaped: kills what it left behind.
    static func end(of program: pid_t) {
        let isAdopting = family.withLock { family in
            family.programs[program] = nil
            return family.isAdopting
        }
        if isAdopting { end { orphan, programs in !programs.values.contains { $0 <= orphan.bornTicks } } }
    }

    /// Kills every orphan, including those of programs that have just been killed, once these are dead.
    package static func endAll(ofKilled killed: [Int32]) {
        guard family.withLock(\.isAdopting) else { return }
        end(awaiting: Set(killed)) { _, _ in true }
    }

    /// Reaps orphans that have ended by themselves.
    static func bury() {
        family.withLock { family in
            guard family.isAdopting else { return }
            while true {
                var info = unsafe siginfo_t()
                guard unsafe waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 else { return }
                let number = unsafe info._sifields._sigchld.si_pid
                // A program is reaped by the thread that waits for it.
                guard number > 0, family.programs[number] == nil else { return }
                waitpid(number, nil, WNOHANG)
            }
        }
    }

    private static func end(
        awaiting killed: Set<pid_t> = [], _ isOver: (Relative, [pid_t: UInt64]) -> Bool
    ) {
        let deadline = MonotonicClock.now() + endSeconds
        repeat {
            let isDone = family.withLock { family in
                let children = Relative.children()
                let orphans = children.filter {
                    family.programs[$0.number] == nil && isOver($0, family.programs)
                }
                for orphan in orphans {
                    // A child's number remains its own until it is reaped.
                    if !orphan.isDead { kill(orphan.number, SIGKILL) }
                    waitpid(orphan.number, nil, WNOHANG)
                }
                return orphans.isEmpty && !children.contains { killed.contains($0.number) && !$0.isDead }
            }
            if isDone { return }
            usleep(pauseMicroseconds)
        } while MonotonicClock.now() < deadline
    }

    /// A process from `/proc/NUMBER/stat` (proc(5)).
    struct Relative: Equatable {
        let number: pid_t
        let parent: pid_t
        let isDead: Bool
        /// The start in ticks since the machine's start.
        let bornTicks: UInt64

        private static let mostBytes = 4096

        static func read(_ number: pid_t) -> Relative? {
            guard let bytes = try? FileBytes.read("/proc/\(number)/stat", limit: mostBytes) else {
                return nil
            }
            return Relative(number, String(decoding: bytes, as: UTF8.self))
        }

        init?(_ number: pid_t, _ stat: String) {
            // The name in parentheses may itself contain parentheses and blanks.
            guard let end = stat.lastIndex(of: ")") else { return nil }
            let fields = stat[stat.index(after: end)...].split(separator: " ")
            guard fields.count > 19, let parent = pid_t(fields[1]), let born = UInt64(fields[19]) else {
                return nil
            }
            (self.number, self.parent, bornTicks) = (number, parent, born)
            isDead = ["Z", "X", "x"].contains(fields[0])
        }

        static func children() -> [Relative] {
            let own = getpid()
            let numbers = ((try? Directories.names(in: "/proc")) ?? []).compactMap { pid_t($0) }
            return numbers.compactMap { read($0) }.filter { $0.parent == own }
        }
    }
}
