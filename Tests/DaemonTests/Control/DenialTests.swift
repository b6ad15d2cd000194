import Announcements
import BoxSupport
import Daemon
import PrayerEngine
import Protocol
import Testing

@Suite("Those who may not")
struct DenialTests {
    private func denied(_ box: Box) -> [String] {
        box.notices.filter { $0.kind == .controlDenied }.map(\.message)
    }

    @Test("A thousand refusals are reported once, and counted once a minute; each is answered")
    func counted() throws {
        var box = try Box()
        for _ in 0..<1000 { #expect(box.ask(.unmute, as: 1000, groups: [])?.refusal != nil) }
        let first = "denied to user 1000: unmute needs the group \"adhan\""
        #expect(denied(box) == [first])
        box.run(until: box.now + 61)
        #expect(denied(box) == [first, "denied to user 1000: 999 more requests within a minute"])
        box.run(until: box.now + 600)
        #expect(denied(box).count == 2)
        // After a quiet minute it is news again.
        _ = box.ask(.unmute, as: 1000, groups: [])
        #expect(denied(box).count == 3)
        #expect(denied(box).last == first)
    }

    @Test("One person with thousands of user numbers is reported about once a minute as well")
    func manyUsers() throws {
        var box = try Box()
        for user in 1000..<4000 { _ = box.ask(.unmute, as: UInt32(user), groups: []) }
        #expect(denied(box).count == 8)
        box.run(until: box.now + 61)
        #expect(denied(box).last == "denied to other users: 2992 more requests within a minute")
        #expect(denied(box).count == 9)
    }

    @Test("A clock that was set back does not silence them")
    func setBack() throws {
        var box = try Box()
        for _ in 0..<2 { _ = box.ask(.unmute, as: 1000, groups: []) }
        box.now = box.now - 86_400
        box.handle(.clockStepped(bySeconds: -86_400))
        #expect(denied(box).last == "denied to user 1000: 1 more request within a minute")
    }

    @Test("No caller drives out of the log what happened to a prayer")
    func log() throws {
        var box = try Box()
        let started = try #require(box.notices.first { $0.kind == .daemonStarted })
        for round in 0..<2000 {
            _ = box.ask(round.isMultiple(of: 2) ? .disablePrayers(["isha"]) : .enablePrayers(["isha"]))
        }
        let log = box.state.log.last(LogReply.capacity)
        #expect(log.contains(started))
        #expect(log.count <= LogReply.capacity)
        #expect(log.map(\.at) == log.map(\.at).sorted())
        #expect(log.last?.kind == .planComputed)
    }

    @Test("What comes from outside is visible in a notice")
    func notices() {
        let notice = Notice(
            .audioLost, .error, at: Instant(unixSeconds: 0), "lost \"x\n\u{1B}[2J\"",
            .init(device: "a\u{202E}b", reason: "c\nd"))
        #expect(notice.message == "lost \"x\\n\\u{1b}[2J\"")
        #expect(notice.fields.device == "a\\u{202e}b")
        #expect(notice.fields.reason == "c\\nd")
    }
}
