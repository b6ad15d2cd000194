import Announcements
import BoxSupport
import Daemon
import PrayerEngine
import Protocol
import Settings
import Testing

/// A tone on one device: who may ask for it, on which, how loud, and that nothing else follows from it.
@Suite("Testing a device") struct DeviceTestTests {
    private let screen = CallerClaim(actor: "Kitchen phone", role: .fresh)

    private func ask(
        _ device: String, _ volume: Int = 30, as claim: CallerClaim = CallerClaim(), of box: inout Box
    ) -> (effects: [Effect], reply: Reply?) {
        let id = RequestID(serial: 4000)
        let request = ControlRequest.testDevice(.init(device: device, volume: volume))
        let effects = box.effects(of: .request(id, request, from: Peer(user: 0, groups: [], claim: claim)))
        return (effects, Box.reply(to: id, in: effects))
    }

    private func order(in effects: [Effect]) -> JobOrder? {
        for case .cue(let order) in effects { return order }
        return nil
    }

    @Test("The time signal sounds on that device alone, as loud as asked")
    func plays() throws {
        var box = try Box()
        let (effects, reply) = ask("hdmi:CARD=PCH", of: &box)
        let order = try #require(self.order(in: effects))
        #expect(reply == nil && order.devices == ["hdmi:CARD=PCH"] && order.volumePercent == 30)
        #expect(order.sounds == ["signal"] && order.strict && order.prerollSeconds == 0)
        guard case .refused(.busy) = ask("default", of: &box).reply else {
            Issue.record("two tests at once")
            return
        }
        #expect(box.state.soundingDevices.isEmpty)
        let began = box.effects(
            of: .playback(token: order.token, .began(at: box.now, device: "hdmi:CARD=PCH")))
        #expect(box.state.soundingDevices == ["hdmi:CARD=PCH"])
        guard case .document(let document)? = Box.reply(to: RequestID(serial: 4000), in: began),
            let changeReply = document as? ChangeReply
        else {
            Issue.record("no answer")
            return
        }
        #expect(changeReply.message == "playing the time signal, volume 30, on \"hdmi:CARD=PCH\"")
        #expect(box.history.isEmpty)
    }

    @Test("A device that fails is an answer, and no trouble of the devices in use")
    func fails() throws {
        var box = try Box()
        let before = box.state.audio
        let order = try #require(self.order(in: ask("hw:9", of: &box).effects))
        box.handle(.playback(token: order.token, .noDevice(reason: "no such card", next: "tried again")))
        let result = JobResult(
            end: .failed(reason: "no such card"), startedAt: nil, endedAt: box.now, device: nil, rateHz: 0,
            framesWritten: 0, framesPlayed: 0, dropouts: 0, gainDb: 0)
        let effects = box.effects(of: .playback(token: order.token, .ended(result)))
        guard
            case .refused(.audioUnavailable(let device, let reason))? = Box.reply(
                to: RequestID(serial: 4000), in: effects)
        else {
            Issue.record("no refusal")
            return
        }
        #expect(device == "hw:9" && reason == "no such card")
        #expect(box.state.audio == before && box.history.isEmpty)
    }

    @Test("No command is louder than [control] loudest")
    func loudest() throws {
        var config = Config.default
        config.control.loudestPercent = 70
        var box = try Box(config: config)
        guard case .refused(.settingInvalid(let key, let value, _))? = ask("default", 71, of: &box).reply
        else {
            Issue.record("too loud")
            return
        }
        #expect(key == "volume" && value == "71")
        #expect(order(in: ask("default", 70, of: &box).effects) != nil)
    }

    @Test("For somebody else only a fresh code suffices, and only a device that files or machine name")
    func listed() throws {
        for role in [SettingRole.household, .keeper] {
            var box = try Box()
            let reply = ask("default", as: CallerClaim(actor: "a phone", role: role), of: &box).reply
            guard case .refused(.roleNeeded(.fresh))? = reply else {
                Issue.record("\(role) may test")
                continue
            }
        }
        var box = try Box()
        #expect(order(in: ask("default", as: screen, of: &box).effects) != nil)

        for isListed in [true, false] {
            box = try Box()
            let (effects, reply) = ask("file:/etc/passwd", as: screen, of: &box)
            #expect(reply == nil && order(in: effects) == nil)
            var found: DeviceTest?
            for case .findDevice(let test) in effects { found = test }
            let test = try #require(found)
            let after = box.effects(of: .deviceFound(test, isListed: isListed))
            #expect((order(in: after) != nil) == isListed)
            let answer = Box.reply(to: test.request, in: after)
            if case .refused(.audioUnavailable("file:/etc/passwd", _))? = answer {
                #expect(!isListed)
            } else {
                #expect(isListed && answer == nil)
            }
        }
    }

    @Test("While an adhan sounds or is about to, no device is tested, whatever the look at the machine took")
    func busyWhileItSounds() throws {
        var box = try Box("2026-11-20T14:00:00-05:00")
        let (effects, _) = ask("plughw:CARD=PCH", as: screen, of: &box)
        var found: DeviceTest?
        for case .findDevice(let test) in effects { found = test }
        let asr = try #require(box.timers.first { $0.name.hasPrefix("cue asr") })
        box.run(until: asr.at + 1)
        let after = box.effects(of: .deviceFound(try #require(found), isListed: true))
        guard case .refused(.busy)? = Box.reply(to: RequestID(serial: 4000), in: after) else {
            Issue.record("not busy")
            return
        }
        #expect(box.state.reasonToSpareDevices(at: box.now) != nil)
    }
}
