internal import Glibc
internal import HookPlan
internal import Host
internal import Synchronization
internal import Texts

/// Runs commands, each on a thread of its own, and keeps track of running ones.
final class CommandRunner: Sendable {
    struct Result: Sendable {
        /// The reason for a failure, without a capital and a full stop; `nil` for a success.
        let failure: String?
        /// The end of the command's output.
        let output: String
    }

    private let running = Mutex<(groups: [Int: Int32], next: Int, isOver: Bool)>(([:], 0, false))

    /// - Returns: false if the system grants no more threads.
    func start(
        _ command: [String], environment: [String], input: [UInt8], limit: Double,
        then: @escaping @Sendable (Result) -> Void
    ) -> Bool {
        BackgroundThread.start { [self] in
            then(run(command, environment: environment, input: input, limit: limit))
        }
    }

    /// Runs a command and waits for its end.
    func run(_ command: [String], environment: [String], input: [UInt8], limit: Double) -> Result {
        if let complaint = HookFile.complaint(command) { return Result(failure: complaint, output: "") }
        let place = running.withLock { state in
            state.next += 1
            return state.next
        }
        do throws(FileError) {
            let outcome = try ChildProcess.runGroup(
                command[0], Array(command.dropFirst()), environment: environment, input: input, limit: limit,
                grace: HookRun.graceSeconds
            ) { step in
                // The step and the record of its group are one operation. Otherwise a recorded number could already belong to
                // another process, and a command started after the end would survive.
                running.withLock { state in
                    let group = step()
                    state.groups[place] = group
                    if state.isOver, let group { kill(-group, SIGKILL) }
                }
            }
            return Result(failure: Self.failure(outcome.ending, limit), output: outcome.errorText)
        } catch {
            return Result(failure: error.message, output: "")
        }
    }

    /// Kills all running commands with the processes that they left behind, and those that start later.
    func endAll() {
        let killed = running.withLock { state in
            state.isOver = true
            for group in state.groups.values { kill(-group, SIGKILL) }
            return Array(state.groups.values)
        }
        Orphans.endAll(ofKilled: killed)
    }

    private static func failure(_ ending: ChildProcess.Ending, _ limit: Double) -> String? {
        switch ending {
        case .exited(0): nil
        case .exited(let status): "it ended with status \(status)"
        case .killed(let signal): "it was ended by signal \(signal)"
        case .timedOut: "it took longer than \(DurationText.format(limit)) and was ended"
        }
    }
}
