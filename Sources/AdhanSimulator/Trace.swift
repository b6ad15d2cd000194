import PrayerEngine

/// The last steps of a run, in words; costs nothing while it is off.
struct Trace {
    let on: Bool
    private(set) var lines: [String] = []
    private static let capacity = 400

    init(on: Bool) {
        self.on = on
    }

    mutating func note(_ now: Instant, _ sentence: () -> String) {
        guard on else { return }
        if lines.count >= 2 * Self.capacity { lines.removeFirst(Self.capacity) }
        lines.append("\(now.unixSeconds): \(sentence())")
    }
}
