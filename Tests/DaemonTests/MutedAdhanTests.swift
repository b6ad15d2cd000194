import BoxSupport
import PrayerEngine
import Testing
import Texts

@testable import Announcements
@testable import Console
@testable import Daemon
@testable import Protocol
@testable import Settings

@Suite("A mute of one adhan is about that adhan alone")
struct MutedAdhanTests {
    private static let next = ControlRequest.mute(MuteParameters(next: true))
    private static let skip = ControlRequest.skipPrayers(SkipParameters(prayers: ["asr"], date: "2026-11-20"))
    private static let unskip = ControlRequest.unskipPrayers(
        SkipParameters(prayers: ["asr"], date: "2026-11-20"))

    /// At 14:00 on a Friday Asr is next, and Maghrib comes after it.
    private func muted() throws -> Box {
        var box = try Box("2026-11-20T14:00:00-05:00")
        #expect(box.ask(Self.next)?.changeReply?.id == "asr_20261120")
        return box
    }

    private func words(_ box: Box) -> [String] {
        let status = box.state.status(at: box.now)
        return status.prayers.map { StatusText.state(of: $0, in: status).word }
    }

    @Test("status, next and the status bars name it, by its id")
    func named() throws {
        let box = try muted()
        let status = box.state.status(at: box.now)
        #expect(status.mute.active && status.mute.id == "asr_20261120" && status.mute.obstacle == nil)
        #expect(status.mute.at == status.prayers[2].at)
        #expect(
            words(box) == [
                "passed before adhand started", "passed before adhand started", "muted", "upcoming",
                "upcoming",
            ])
        #expect(NextText.render(status, .plain).contains("(muted)"))
        #expect(StatusText.render(status, .plain).contains("Mute      Asr at "))
        #expect(WaybarDocument(status).class == .muted)
    }

    @Test("Skipped, nothing else is called muted, nothing else is silent, and the answer says so")
    func skipped() throws {
        var box = try muted()
        let reply = box.ask(Self.skip)?.changeReply
        #expect(reply?.problems?.first?.hasPrefix("nothing is muted: Asr ") == true)
        let status = box.state.status(at: box.now)
        #expect(!status.mute.active && status.mute.obstacle == .skipped && status.mute.id == "asr_20261120")
        #expect(
            status.next?.id == "maghrib_20261120"
                && !status.isMuted(status.next?.id, at: status.next?.at ?? ""))
        #expect(words(box).suffix(3) == ["skipped", "next", "upcoming"])
        #expect(!NextText.render(status, .plain).contains("muted"))
        #expect(StatusText.render(status, .plain).contains("nothing is muted: Asr at "))
        #expect(WaybarDocument(status).class == .upcoming)
        #expect(Doctor.silence(facts(box, status)).message.contains("skipped by hand"))
        try box.run(until: "2026-11-20T17:00:00-05:00")
        #expect(box.history.map(\.outcome).first == .skipped)
        #expect(box.effects.cued.map(\.prayer).contains(.maghrib))
        #expect(box.state.status(at: box.now).mute.obstacle == nil)
    }

    private func facts(_ box: Box, _ status: StatusDocument) -> DoctorFacts {
        DoctorFacts(
            now: box.now, daemon: .answers(status), socketPath: "/run/adhand/control.sock",
            systemd: Patient.units(), configuration: .init(file: "/etc/adhand/adhand.toml", state: .valid),
            disk: .init(path: "/var/lib/adhand"))
    }

    @Test("Skipped and then not, it is muted still, and unskip does not promise that it is called")
    func unskipped() throws {
        var box = try muted()
        _ = box.ask(Self.skip)
        let reply = try #require(box.ask(Self.unskip)?.changeReply?.message)
        #expect(reply.hasSuffix("is no longer skipped, but it is muted: \"adhanctl unmute\" ends the mute"))
        #expect(box.state.status(at: box.now).mute.active)
        #expect(words(box)[2] == "muted")
        // The one after it may be muted instead.
        _ = box.ask(Self.skip)
        #expect(box.ask(Self.next)?.changeReply?.id == "maghrib_20261120")
        #expect(box.state.status(at: box.now).mute.obstacle == nil)
        #expect(
            box.notices.last { $0.kind == .muteChanged }?.message.hasPrefix("muted for the next adhan")
                == true)
    }

    @Test("Switched off, by command or by a reload, it is reported likewise")
    func disabled() throws {
        var box = try muted()
        #expect(
            box.ask(.disablePrayers(["asr"]))?.changeReply?.problems?.first?.hasSuffix("is switched off")
                == true)
        #expect(box.state.status(at: box.now).mute.obstacle == .disabled)
        #expect(box.ask(.enablePrayers(["asr"]))?.changeReply?.message == "Asr enabled")
        #expect(box.state.status(at: box.now).mute.active)
        var config = Config.default
        config[.asr].enabled = false
        let id = RequestID(serial: 900)
        let effects = box.during {
            $0.handle(.request(id, .reload(), from: Peer(user: 0, groups: [])))
            $0.handle(.inputsLoaded(try! Box.inputs(config), .reload(id)))
        }
        let problems = Box.reply(to: id, in: effects)?.changeReply?.problems ?? []
        #expect(problems.contains { $0.hasPrefix("nothing is muted: Asr ") })
        #expect(
            !box.effects.contains {
                if case .notifyService(.status(let line)) = $0 {
                    line == "Next: Maghrib 16:33; muted"
                } else {
                    false
                }
            })
    }
}
