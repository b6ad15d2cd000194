internal import Daemon
internal import Dispatch
internal import Host
internal import Protocol

/// Answers `Check` beside the daemon's queue, one at a time. A caller that asks the same meanwhile shares the answer,
/// so that a crowd costs no more than one caller.
final class Checks {
    /// Seconds after which the one under way is taken to be stuck, on a file or a device that does not answer.
    private static let patienceSeconds = 60.0
    /// Files of their own that wait; only those who may change things may name one.
    private static let mostWaiting = 8

    private struct Asked {
        let file: String?
        let sparing: String?
        var callers: [RequestID]
    }

    private final class Work: @unchecked Sendable {
        var inspector: ConfigChecker

        init(_ inspector: ConfigChecker) {
            self.inspector = inspector
        }
    }

    private let queue = DispatchQueue(label: "adhand.checks", qos: .utility)
    /// Touched on ``queue`` alone.
    private let work: Work
    private let answer: @Sendable ([UInt8]?, DeviceLook?) -> Void
    private var waiting: [Asked] = []
    private var since: Double?

    /// `answer` receives the reply and the state of the devices, on a queue of its own; ``finished()`` then names the
    /// callers.
    init(_ inspector: ConfigChecker, answer: @escaping @Sendable ([UInt8]?, DeviceLook?) -> Void) {
        work = Work(inspector)
        self.answer = answer
    }

    /// The answer where it cannot be taken on.
    func ask(_ caller: RequestID, file: String?, sparing: String?) -> ControlError? {
        if let since, WallClock.monotonic() - since > Self.patienceSeconds {
            return .busy(playing: "an earlier check still waits for a file or a device that does not answer")
        }
        if let index = waiting.firstIndex(where: { $0.file == file && $0.sparing == sparing }) {
            waiting[index].callers.append(caller)
            return nil
        }
        guard waiting.count < Self.mostWaiting else { return .busy(playing: "other checks are under way") }
        waiting.append(Asked(file: file, sparing: sparing, callers: [caller]))
        if waiting.count == 1 { next() }
        return nil
    }

    /// The one that was under way is over: who asked for it.
    func finished() -> [RequestID] {
        since = nil
        guard !waiting.isEmpty else { return [] }
        let callers = waiting.removeFirst().callers
        next()
        return callers
    }

    private func next() {
        guard let asked = waiting.first else { return }
        since = WallClock.monotonic()
        queue.async { [work, answer] in
            let check = work.inspector.inspect(asked.file, sparing: asked.sparing)
            // The file that the next start would read is in force, unless somebody edits it just now: then the names differ.
            let look = asked.file == nil && asked.sparing == nil ? check.deviceLook : nil
            answer(try? Varlink.reply(.document(CheckReply(check: check))), look)
        }
    }
}
