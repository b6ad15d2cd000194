import BoxSupport
import PrayerEngine
import Testing
import Texts

@testable import Announcements
@testable import Console
@testable import Daemon
@testable import Protocol

@Suite("A contradiction in adhand's own state is reported once, and prayers are called all the same")
struct InvariantTests {
    /// A box that has prepared asr, with its job there twice.
    private func contradicting() throws -> Box {
        var box = try Box()
        let next = try #require(box.state.status(at: box.now).next)
        box.run(until: try #require(InstantText.parse(next.at)) - 5)
        let job = try #require(box.state.jobs.first)
        box.state.jobs.append(job)
        return box
    }

    @Test("Journal, status and diagnostics have it with its code")
    func reported() throws {
        var box = try contradicting()
        let effects = box.state.handle(.cardsChanged, at: box.now)
        let notices = effects.compactMap { if case .publish(let notice) = $0 { notice } else { nil } }
        let notice = try #require(notices.first { $0.kind == .stateInconsistent })
        #expect(notice.level == .error)
        #expect(notice.fields.reason == InvariantCode.sharedToken.rawValue)
        let status = box.state.status(at: box.now)
        #expect(status.internalProblem?.code == "shared-token")
        #expect(status.internalProblem?.fix == "adhanctl feedback")
        #expect(StatusText.render(status, .plain).contains("two jobs share a token"))
        #expect(box.state.diagnostics(at: box.now, exact: false).contains("contradiction: shared-token"))
    }

    @Test("Once, until the next start")
    func once() throws {
        var box = try contradicting()
        var reports = 0
        for seconds in 0..<5 {
            let effects = box.state.handle(.timerDue, at: box.now + Double(seconds) * 0.1)
            reports += effects.count {
                if case .publish(let notice) = $0 { notice.kind == .stateInconsistent } else { false }
            }
        }
        #expect(reports == 1)
        #expect(box.state.status(at: box.now).internalProblem != nil)
    }

    @Test("Nothing is reported of a day on which all is well, and the adhan is called")
    func well() throws {
        var box = try Box()
        try box.run(until: "2026-11-20T14:40:00-05:00")
        #expect(box.state.brokenInvariant == nil)
        #expect(box.state.status(at: box.now).internalProblem == nil)
        #expect(!box.notices.contains { $0.kind == .stateInconsistent })
    }
}
