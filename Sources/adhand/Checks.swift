internal import Daemon
internal import Dispatch
internal import Host
internal import Playback
internal import Protocol

/// Answers `Check` and `GetDevices` beside the daemon's queue, one at a time: two attempts to open one device at once would each
/// find it busy. Callers with the same question share the answer, so that a crowd costs no more than one caller.
final class Checks {
    /// Seconds after which the current check is considered stuck, on a file or a device that does not answer.
    private static let patienceSeconds = 60.0
    /// The most named files that wait; only privileged callers may name one.
    private static let mostWaiting = 8

    enum Question: Equatable {
        /// Whether this file can be used, or the files of the next start.
        case configuration(file: String?)
        /// Which devices the machine has, and the state of these.
        case devices(named: [String])
        /// Whether the machine lists this device.
        case device(DeviceTest)
    }

    enum Answer: Sendable {
        /// The reply, and the state of the devices in use where they were tried.
        case reply([UInt8]?, DeviceTrial?)
        case device(DeviceTest, isListed: Bool)
    }

    private struct Asked {
        let question: Question
        var callers: [RequestID]
    }

    private final class Work: @unchecked Sendable {
        var checker: ConfigChecker

        init(_ checker: ConfigChecker) {
            self.checker = checker
        }

        func answer(_ question: Question, sparing: String?) -> Answer {
            switch question {
            case .configuration(let file):
                let check = checker.check(file, sparing: sparing)
                // The file of the next start is the one in force, unless it is being edited just now: the names differ then.
                let trial = file == nil && sparing == nil ? check.deviceTrial : nil
                return .reply(try? Varlink.reply(.document(CheckReply(check: check))), trial)
            case .devices(let named):
                let found = DevicesReply(devices: checker.devices(named: named, sparing: sparing))
                return .reply(try? Varlink.reply(.document(found)), nil)
            case .device(let test):
                let names = ConfigChecker.listedDevices().map(\.name)
                return .device(test, isListed: names.contains(test.device))
            }
        }
    }

    private let queue = DispatchQueue(label: "adhand.checks", qos: .utility)
    /// Touched on ``queue`` alone.
    private let work: Work
    private let reasonToSpareDevices: @Sendable () -> String?
    private let answer: @Sendable (Answer) -> Void
    private var waiting: [Asked] = []
    private var since: Double?

    /// - Parameters:
    ///   - reasonToSpareDevices: why no device is to be opened, evaluated just before one is opened.
    ///   - answer: receives the answer on a separate queue; ``finished()`` then returns the callers.
    init(
        _ checker: ConfigChecker, reasonToSpareDevices: @escaping @Sendable () -> String?,
        answer: @escaping @Sendable (Answer) -> Void
    ) {
        work = Work(checker)
        self.reasonToSpareDevices = reasonToSpareDevices
        self.answer = answer
    }

    /// Queues a question; returns the error if it cannot be accepted.
    func ask(_ caller: RequestID, _ question: Question) -> ControlError? {
        if let since, MonotonicClock.now() - since > Self.patienceSeconds {
            return .busy(playing: "an earlier check still waits for a file or a device that does not answer")
        }
        if let index = waiting.firstIndex(where: { $0.question == question }) {
            waiting[index].callers.append(caller)
            return nil
        }
        guard waiting.count < Self.mostWaiting else { return .busy(playing: "other checks are under way") }
        waiting.append(Asked(question: question, callers: [caller]))
        if waiting.count == 1 { next() }
        return nil
    }

    /// Ends the current check and returns its callers.
    func finished() -> [RequestID] {
        since = nil
        guard !waiting.isEmpty else { return [] }
        let callers = waiting.removeFirst().callers
        next()
        return callers
    }

    private func next() {
        guard let question = waiting.first?.question else { return }
        since = MonotonicClock.now()
        // It may have waited, so the state of the devices when it was asked no longer counts.
        let sparing = reasonToSpareDevices()
        queue.async { [work, answer] in answer(work.answer(question, sparing: sparing)) }
    }
}
