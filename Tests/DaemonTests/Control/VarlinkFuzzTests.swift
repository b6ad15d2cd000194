import Announcements
import BoxSupport
import Daemon
import Foundation
import LabSupport
import PrayerEngine
import Protocol
import SeededRandom
import Settings
import StateFile
import Testing

/// Broken requests to the control socket, in thousands of forms: `ADHAND_FUZZ_CASES` says how many.
@Suite("What comes over the socket, damaged")
struct VarlinkFuzzTests {
    private static let cases =
        ProcessInfo.processInfo.environment["ADHAND_FUZZ_CASES"].flatMap { Int($0) }
        ?? RandomCases.count(20_000)

    @Test("No message ends the program, every request is within its limits, and each is answered once")
    func messages() throws {
        var random = SplitMix64(seed: 11)
        let corpus = try Self.corpus()
        var box = try Box()
        var (calls, refused, malformed) = (0, 0, 0)
        for number in 0..<Self.cases {
            let message = Self.damaged(corpus, using: &random)
            let incoming = Varlink.parse(message)
            switch incoming {
            case .malformed: malformed += 1
            case .refused(let error, _):
                refused += 1
                try Self.expectOneReply(.refused(error))
            case .call(let call):
                calls += 1
                guard case .control(let request) = call.action else { continue }
                Self.expectWithinLimits(request)
                try Self.answer(request, UInt64(number), in: &box)
            }
            #expect(Varlink.parse(message) == incoming)
        }
        // Each way out is taken often: the damage is neither too great nor too small.
        for count in [calls, refused, malformed] { #expect(count > Self.cases / 20) }
    }

    @Test("A reply that is damaged on its way is an error to its reader, and nothing worse")
    func replies() throws {
        var random = SplitMix64(seed: 12)
        let box = try Box()
        let corpus = [
            try Varlink.reply(.document(StatusReply(status: box.state.status(at: box.now)))),
            try Varlink.reply(.document(ChangeReply("muted"))), try Varlink.reply(.refused(.debugDisabled)),
        ].map { Array($0.dropLast()) }
        var failed = 0
        for _ in 0..<Self.cases / 4 {
            let message = Self.damaged(corpus, using: &random)
            do { _ = try Varlink.read(StatusReply.self, from: message) } catch { failed += 1 }
        }
        #expect(failed > 0 && failed < Self.cases / 4)
    }

    @Test("A saved state that is damaged is refused or means something, and the daemon starts on either")
    func savedStates() throws {
        var random = SplitMix64(seed: 13)
        let original = try Self.livedIn().fileBytes()
        var (loaded, refused) = (0, 0)
        for _ in 0..<max(200, Self.cases / 100) {
            let bytes = Self.damaged([original], using: &random)
            let saved = try? SavedState(fileBytes: bytes)
            if saved == nil { refused += 1 } else { loaded += 1 }
            var box = try Box(disk: saved)
            box.run(for: 3600)
            // A value that it makes of it, it can keep and read again.
            let kept = try box.state.saved.fileBytes()
            _ = try SavedState(fileBytes: kept)
        }
        #expect(loaded > 10 && refused > 10)
    }

    // MARK: Promises

    /// A request is answered at once, by the disk's reader, when a device answers, or by events as they happen.
    private static func answer(_ request: ControlRequest, _ serial: UInt64, in box: inout Box) throws {
        let id = RequestID(serial: serial)
        let effects = box.effects(of: .request(id, request, from: Peer(user: 0, groups: [])))
        var answers = box.state.jobs.count { $0.waiting == id }
        for effect in effects {
            switch effect {
            case .reply(id, let reply):
                answers += 1
                try expectOneReply(reply)
            case .replyWithHistory(id, _), .beginMonitor(id, _), .check(id, _), .replyWithSounds(id),
                .replyWithHealth(id, _), .replyWithDevices(id, _), .readTimetable(id):
                answers += 1
            case .readInputs(let change):
                for case .reply(id, let reply) in box.effects(
                    of: .inputsLoaded(try Box.inputs(.default), change))
                {
                    answers += 1
                    try expectOneReply(reply)
                }
            default: break
            }
        }
        #expect(answers == 1, "\(request)")
        #expect(box.state.simulated.count <= 100)
        // A sound in progress comes to its end, so that the next one is answered as an idle box would.
        for job in box.state.jobs { box.end(token: job.token, .stopped) }
        box.run(for: 60)
    }

    private static func expectOneReply(_ reply: Reply) throws {
        let bytes = try Varlink.reply(reply)
        #expect(bytes.last == Varlink.terminator)
        #expect(!bytes.dropLast().contains(Varlink.terminator))
    }

    private static func expectWithinLimits(_ request: ControlRequest) {
        switch request {
        case .getLog(let limit): #expect(limit >= 0)
        case .getHistory(let days): #expect((1...3660).contains(days))
        case .testPlay(_, let seconds, _, _): #expect(seconds.map { (0.1...3600).contains($0) } ?? true)
        default: break
        }
    }

    // MARK: Damage

    private static func damaged(_ corpus: [[UInt8]], using random: inout SplitMix64) -> [UInt8] {
        var bytes = corpus.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let start = Int.random(in: 0...bytes.count, using: &random)
            let end = min(bytes.count, start + ([0, 0, 1, 4, 30].randomElement(using: &random) ?? 0))
            switch Int.random(in: 0..<8, using: &random) {
            case 0: bytes.removeLast(bytes.count - max(1, start))
            case 1: bytes.removeSubrange(start..<end)
            case 2: bytes.insert(contentsOf: bytes[start..<end], at: start)
            case 3 where start < bytes.count: bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 4: bytes = Array(bytes[..<start] + (corpus.randomElement(using: &random) ?? [])[...])
            default: bytes.replaceSubrange(start..<end, with: pieces.randomElement(using: &random) ?? [])
            }
            if bytes.isEmpty { bytes = [UInt8(ascii: "{")] }
        }
        return bytes
    }

    private static let pieces =
        [
            "{", "}", "[", "]", "\"", ":", ",", "null", "true", "false", "0", "-1", "1e999", "-1e-999",
            "9223372036854775808", "18446744073709551616", "0.1", "1e9", "\\u0000", "\\ud800",
            "\\udfff\\ud800",
            "\\", "\\x", "\"more\":true", "\"oneway\":true", ",\"more\":1", "\"parameters\":null",
            "\"parameters\":[]", "\"method\":\"\"", "org.adhand.Control.", ".", "\u{0}", "\u{FEFF}", "\r\n",
            "é", "\u{2028}", "isha", "2h", "99999h", "-5s", "25:99", "2026-02-30", "0000-00-00",
            "9999-12-31", "999999999-01-01", "/* */", "NaN", "Infinity", "'",
            String(repeating: "[", count: 2000), String(repeating: "{\"a\":", count: 1000),
            String(repeating: "9", count: 400), String(repeating: "x", count: 5000),
        ]
        .map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xF8, 0x88, 0x80, 0x80]]

    /// Every method with all that it takes, and those calls again that mean something only with words of their own.
    private static func corpus() throws -> [[UInt8]] {
        let samples = ControlMethod.all.map { Array($0.sampleCall.utf8) }
        let meant = try [
            Varlink.call(.getTimes, TimesParameters(date: "2026-11-20", days: 3)),
            Varlink.call(.mute, MuteParameters(duration: "2h")),
            Varlink.call(.mute, MuteParameters(until: "14:00")),
            Varlink.call(.mute, MuteParameters(until: "isha")),
            Varlink.call(.mute, MuteParameters(next: true)),
            Varlink.call(.enablePrayers, PrayersParameters(prayers: ["fajr", "isha"])),
            Varlink.call(.disablePrayers, PrayersParameters(prayers: ["jumua"])),
            Varlink.call(.testPlay, TestPlayParameters(prayer: "asr", seconds: 2)),
            Varlink.call(.playSound, SoundParameters(name: "standard")),
            Varlink.call(.reload, ReloadParameters()),
            Varlink.call(.trigger, TriggerParameters(prayer: "asr", delay: "20s")),
            Varlink.call("org.varlink.service.GetInfo", NoParameters()),
        ].map { Array($0.dropLast()) }
        return samples + meant
    }

    /// A state with something of everything in it.
    private static func livedIn() throws -> SavedState {
        var box = try Box()
        box.ask(.disablePrayers(["isha"]))
        box.ask(.mute(MuteParameters(duration: "2h")))
        box.run(for: 86_400)
        box.ask(.unmute)
        try box.run(until: "2026-11-21T14:31:00-05:00")
        for job in box.state.jobs { box.begin(token: job.token) }
        return box.state.saved
    }
}
