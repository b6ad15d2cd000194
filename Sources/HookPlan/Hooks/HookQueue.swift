/// The running hooks and the waiting events: one run of each hook at a time, ``mostRunning`` in total.
struct HookQueue: Sendable, Equatable {
    static let mostRunning = 8
    static let mostWaiting = 4

    private struct Waiting: Sendable, Equatable {
        let hook: HookSettings
        let document: HookDocument
    }

    private var waiting: [Waiting] = []
    private(set) var running: [Int: String] = [:]
    private var nextNumber = 1

    /// - Returns: a report if there is no room for the event.
    mutating func add(_ document: HookDocument, for hook: HookSettings) -> HookReport? {
        let mine = waiting.filter { $0.hook.name == hook.name }.count
        // An event that can begin at once does not count as waiting.
        let isFree = mine == 0 && !running.values.contains(hook.name) && running.count < Self.mostRunning
        guard isFree || mine < Self.mostWaiting else {
            return .dropped(hook: hook.name, document.event_type)
        }
        waiting.append(Waiting(hook: hook, document: document))
        return nil
    }

    /// Returns every run that can begin now, in order of arrival.
    mutating func begin() -> [HookRun] {
        var runs: [HookRun] = []
        var index = 0
        while index < waiting.count, running.count < Self.mostRunning {
            let next = waiting[index]
            guard !running.values.contains(next.hook.name) else {
                index += 1
                continue
            }
            waiting.remove(at: index)
            let run = HookRun(number: nextNumber, next.hook, next.document)
            nextNumber += 1
            running[run.number] = run.name
            runs.append(run)
        }
        return runs
    }

    mutating func end(_ number: Int) { running[number] = nil }

    /// Drops events that wait for hooks which were removed or changed.
    mutating func keep(_ hooks: [HookSettings]) { waiting.removeAll { !hooks.contains($0.hook) } }

    mutating func forget() { waiting = [] }
}
