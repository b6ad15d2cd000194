import PrayerEngine
import Testing

@testable import BridgePlan
@testable import Protocol

@Suite("When the history is asked")
struct HistoryClockTests {
    private func entry(_ kind: Notice.Kind, at: String, due: String?) throws -> LogEntry {
        var fields = Notice.Fields()
        fields.scheduled = try due.map { try instant($0) }
        return LogEntry(Notice(kind, .error, at: try instant(at), "x", fields), in: .utc)
    }

    @Test("An adhan that fails before its instant is asked for again at its instant")
    func early() throws {
        var clock = HistoryClock()
        clock.noteRequest()
        clock.note(
            try entry(.prayerFailed, at: "2026-11-24T11:59:58.000Z", due: "2026-11-24T12:00:00.000Z"), at: 100
        )
        #expect(clock.isOld)
        clock.noteRequest()
        #expect(abs((clock.waitSeconds(at: 101) ?? 0) - 1.2) < 0.001)
        let (isEarly, isOld) = (clock.advance(to: 101), clock.isOld)
        #expect(!isEarly && !isOld)
        let isDue = clock.advance(to: 102.3)
        #expect(isDue && clock.isOld && clock.waitSeconds(at: 103) == nil)
    }

    @Test("Whoever begins to listen may have missed such an event, and asks for as long as it may be of use")
    func unheard() {
        var clock = HistoryClock()
        clock.forget(at: 100)
        clock.noteRequest()
        var (asked, now) = ([Double](), 100.0)
        while let wait = clock.waitSeconds(at: now) {
            now += wait
            if clock.advance(to: now) { asked.append(now - 100) }
        }
        #expect(asked == Array(stride(from: 5, through: 75, by: 5)))
    }

    @Test("An event after its instant, or without one, asks once")
    func late() throws {
        var clock = HistoryClock()
        clock.note(
            try entry(.prayerFinished, at: "2026-11-24T12:03:00.000Z", due: "2026-11-24T12:00:00.000Z"), at: 5
        )
        clock.note(try entry(.muteChanged, at: "2026-11-24T12:03:00.000Z", due: nil), at: 6)
        #expect(clock.isOld && clock.waitSeconds(at: 6) == nil)
    }

    @Test("Of many instants the nearest are kept")
    func many() throws {
        var clock = HistoryClock()
        for minute in 10..<60 {
            clock.note(
                try entry(
                    .prayerSkipped, at: "2026-11-24T12:00:00.000Z", due: "2026-11-24T12:\(minute):00.000Z"),
                at: 0)
        }
        #expect(clock.waitSeconds(at: 0) == 600.2)
        var count = 0
        while let wait = clock.waitSeconds(at: 0), clock.advance(to: wait) { count += 1 }
        #expect(count == 40)
    }
}
