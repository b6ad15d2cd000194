internal import CommandKit
internal import Glibc
internal import HardwareLines
internal import HookPlan
internal import Host
internal import Synchronization
internal import Texts

/// Switches relays, each operation on a thread of its own, because a command, a chip or a television may be slow. It holds the
/// lines of chips.
final class RelaySwitch: Sendable {
    typealias Result = CommandRunner.Result

    private struct Held {
        var lines: [LineSettings: Int32] = [:]
        /// Whether switching on is no longer permitted.
        var isOver = false
    }

    private let held = Mutex(Held())
    private let runner = CommandRunner()
    private let television = Mutex(TelevisionMark())

    /// - Returns: false if the system grants no more threads.
    func start(_ drive: RelayDrive, isOn: Bool, then: @escaping @Sendable (Result) -> Void) -> Bool {
        start(drive, isOn: isOn, by: runner, limit: RelayDrive.limitSeconds, then)
    }

    /// Releases the line of a relay that was removed from the file.
    func release(_ drive: RelayDrive) {
        guard case .line(let line) = drive else { return }
        held.withLock { held in
            if let descriptor = held.lines.removeValue(forKey: line) { close(descriptor) }
        }
    }

    /// Ends operations in progress and then switches all relays off, so that none is switched on afterwards.
    /// - Returns: sentences about relays that could not be switched off.
    func endAll(_ relays: [(name: String, drive: RelayDrive)], limit: Double) -> [String] {
        held.withLock { $0.isOver = true }
        runner.endAll()
        let (last, results) = (CommandRunner(), Inbox<(Int, String?)>())
        for (number, relay) in relays.enumerated() {
            let isStarted = start(relay.drive, isOn: false, by: last, limit: limit) {
                results.put((number, $0.failure))
            }
            if !isStarted { results.put((number, "no thread can be started")) }
        }
        var open = Set(relays.indices)
        var failures: [String] = []
        // A device may take longer than its thread is waited for.
        let end = MonotonicClock.now() + limit + HookRun.graceSeconds + 1
        while !open.isEmpty {
            for (number, failure) in results.drain() where open.remove(number) != nil {
                if let failure { failures.append(Self.sentence(relays[number], failure)) }
            }
            let left = end - MonotonicClock.now()
            guard left > 0 else { break }
            if !open.isEmpty { results.wakeSignal.wait(left) }
        }
        failures += open.sorted().map { Self.sentence(relays[$0], "it takes too long") }
        for sentence in failures { Journal.log(sentence) }
        return failures
    }

    private static func sentence(_ relay: (name: String, drive: RelayDrive), _ failure: String) -> String {
        "\(relay.drive.title(relay.name)) could not be switched off: \(failure)"
    }

    private func start(
        _ drive: RelayDrive, isOn: Bool, by runner: CommandRunner, limit: Double,
        _ then: @escaping @Sendable (Result) -> Void
    ) -> Bool {
        switch drive {
        case .commands(let on, let off):
            return runner.start(
                isOn ? on : off, environment: HookDocument.surroundings, input: [], limit: limit, then: then)
        case .line(let line):
            return BackgroundThread.start { [self] in
                then(Result(failure: set(line, isOn: isOn), output: ""))
            }
        case .television(let settings):
            return BackgroundThread.start { [self] in
                then(television.withLock { set(settings, isOn: isOn, &$0) })
            }
        }
    }

    // MARK: Lines

    /// - Returns: the reason why the line could not be set.
    private func set(_ line: LineSettings, isOn: Bool) -> String? {
        held.withLock { held in
            if isOn, held.isOver { return "the service ends" }
            if let descriptor = held.lines[line] {
                if GPIOLine.set(descriptor, isOn: isOn) { return nil }
                // The chip has disappeared, and may have returned by now.
                close(descriptor)
                held.lines[line] = nil
            }
            do throws(LineError) {
                held.lines[line] = try GPIOLine.output(
                    line.chip, line.line, isActiveLow: line.isActiveLow, isOn: isOn)
                return nil
            } catch {
                return error.reason
            }
        }
    }

    // MARK: The television

    private func set(_ settings: TelevisionSettings, isOn: Bool, _ mark: inout TelevisionMark) -> Result {
        if isOn, held.withLock({ $0.isOver }) { return Result(failure: "the service ends", output: "") }
        let isNoted = mark.isNoted
        // A television that this program did not wake is not switched off.
        guard isOn || isNoted else { return Result(failure: nil, output: "") }
        do throws(LineError) {
            let set = try Television.reach(settings.device)
            guard isOn else {
                try perform(TelevisionPlan.off(settings, isNoted: isNoted), set, &mark)
                return Result(failure: nil, output: "")
            }
            let power = set.power()
            try perform(TelevisionPlan.on(Self.power(power)), set, &mark)
            return Result(failure: nil, output: "it was \(Self.word(power)) before")
        } catch {
            return Result(failure: error.reason, output: "")
        }
    }

    private func perform(
        _ actions: [TelevisionPlan.Action], _ set: borrowing Television, _ mark: inout TelevisionMark
    ) throws(LineError) {
        for action in actions {
            switch action {
            case .wake: try set.wake()
            case .show: try set.show()
            case .sleep: try set.sleep()
            case .note: mark.note()
            case .forget: mark.forget()
            }
        }
    }

    private static func power(_ power: Television.Power) -> TelevisionPlan.Power {
        switch power {
        case .on: .on
        case .standby: .standby
        case .unknown: .unknown
        }
    }

    private static func word(_ power: Television.Power) -> String {
        switch power {
        case .on: "on"
        case .standby: "in standby"
        case .unknown: "silent about it, so that it is left on afterwards"
        }
    }
}

/// A file that records that the television was woken from standby, so that the next process knows it if this one is killed.
struct TelevisionMark: Sendable {
    private let file: String
    private var isHere = false

    init() {
        let folder = Environment.process.value("RUNTIME_DIRECTORY") ?? "/run/adhan-hooks"
        file = "\(folder)/television"
    }

    var isNoted: Bool { isHere || Environment.process.exists(file) }

    mutating func note() {
        isHere = true
        let raw = unsafe open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        if raw >= 0 { close(raw) }
    }

    mutating func forget() {
        isHere = false
        unsafe unlink(file)
    }
}
