import BoxSupport
import LabSupport
import PrayerEngine
import Testing

@testable import Announcements
@testable import Daemon
@testable import Protocol
@testable import Settings
@testable import Times

@Suite("Reading the configuration again")
struct InputsReadingTests {
    private let error = ConfigError(
        file: "/etc/f.toml", line: 3, column: 5, key: "x", reason: "unknown key \"x\"")

    private func readings(_ effects: [Effect]) -> [InputsChange] {
        effects.compactMap { if case .readInputs(let change) = $0 { change } else { nil } }
    }

    @Test(
        "One reading at a time, in the order in which they were asked for, and each request is answered by its own"
    )
    func order() throws {
        var box = try Box()
        let (first, second) = (RequestID(serial: 71), RequestID(serial: 72))
        let root = Peer(user: 0, groups: [])
        #expect(readings(box.effects(of: .request(first, .reload(), from: root))) == [.reload(first)])
        #expect(readings(box.effects(of: .inputsWanted(.zone))).isEmpty)
        #expect(readings(box.effects(of: .inputsWanted(.zone))).isEmpty)
        #expect(readings(box.effects(of: .request(second, .reload(), from: root))).isEmpty)
        let one = box.effects(of: .configRejected(error, .reload(first)))
        #expect(Box.reply(to: first, in: one) != nil && readings(one) == [.zone])
        let two = box.effects(of: .inputsLoaded(try Box.inputs(.default), .zone))
        #expect(readings(two) == [.reload(second)])
        let three = box.effects(of: .inputsLoaded(try Box.inputs(.default), .reload(second)))
        #expect(Box.reply(to: second, in: three) != nil && readings(three).isEmpty)
    }

    @Test("What cannot be used is read again every minute until it can, and that is reported once")
    func again() throws {
        var box = try Box()
        box.handle(.inputsWanted(.reload(nil)))
        box.handle(.configRejected(error, .reload(nil)))
        let rejections = box.notices.count { $0.kind == .configRejected }
        #expect(box.timers.contains { $0.purpose == .readAgain && $0.at == box.now + 60 })
        box.run(for: 59)
        #expect(readings(box.effects).count == 1)
        box.run(for: 1)
        #expect(readings(box.effects) == [.reload(nil), .retry])
        // A file system that does not answer is not asked again before it does.
        box.run(for: 300)
        #expect(readings(box.effects).count == 2)
        box.handle(.configRejected(error, .retry))
        #expect(box.notices.count { $0.kind == .configRejected } == rejections)
        box.run(for: 60)
        #expect(readings(box.effects).count == 3)
        let other = ConfigError(file: "/etc/f.toml", line: 4, column: 1, key: nil, reason: "another")
        box.handle(.configRejected(other, .retry))
        #expect(box.notices.count { $0.kind == .configRejected } == rejections + 1)
        #expect(box.state.status(at: box.now).configurationProblem?.line == 4)
        box.run(for: 60)
        box.handle(.inputsLoaded(try Box.inputs(.default), .retry))
        #expect(box.state.status(at: box.now).configurationProblem == nil)
        #expect(
            box.notices.contains { $0.kind == .configReloaded && $0.message.contains("can be used again") })
        #expect(!box.timers.contains { $0.purpose == .readAgain })
    }

    @Test("A clock that is set back does not put it off")
    func setBack() throws {
        var box = try Box()
        box.handle(.configRejected(error, .reload(nil)))
        box.now = box.now + -86_400
        #expect(readings(box.effects(of: .clockStepped(bySeconds: -86_400))) == [.retry])
    }

    @Test("A reload that somebody asked for takes what the files say, and tells what that costs")
    func meant() throws {
        var box = try Box()
        let id = RequestID(serial: 9)
        let lost = [ConfigurationLoss(file: "/etc/adhand/adhand.toml.d/50-place.toml", kind: .gone)]
        let done = box.effects(of: .inputsLoaded(try Box.inputs(.default), .reload(id), lost: lost))
        let reply = try #require(Box.reply(to: id, in: done))
        guard case .document(let document) = reply, let changeReply = document as? ChangeReply else {
            Issue.record("no plain answer: \(reply)")
            return
        }
        #expect(
            changeReply.problems?.first
                == "\(lost[0].file): the file was in force and is gone; it is no longer in force")
        #expect(box.notices.contains { $0.level == .warning && $0.message == lost[0].notice })
    }

    @Test(
        "What a caller has just written is no loss, whatever it no longer says; another file's is, and so is what was lost before"
    )
    func written() throws {
        let file = "/etc/adhand/adhand.toml"
        let lost = [
            ConfigurationLoss(file: file, kind: .cut),
            ConfigurationLoss(file: "\(file).d/50.toml", kind: .gone),
        ]
        func problems(_ box: inout Box, _ serial: UInt64) throws -> [String] {
            let id = RequestID(serial: serial)
            let root = Peer(user: 0, groups: [])
            let asked = box.effects(of: .request(id, .reload(written: WrittenFile(file)), from: root))
            let change = try #require(readings(asked).first)
            let done = box.effects(of: .inputsLoaded(try Box.inputs(.default), change, lost: lost))
            guard case .document(let document) = Box.reply(to: id, in: done) else { return ["no answer"] }
            return (document as? ChangeReply)?.problems ?? []
        }
        var box = try Box()
        #expect(try problems(&box, 10) == [lost[1].notice])
        #expect(!box.notices.contains { $0.message == lost[0].notice })
        box.handle(.configRejected(try #require(ConfigurationLoss.error([lost[0]])), .retry))
        #expect(try problems(&box, 11) == lost.map(\.notice))
    }

    @Test(
        "A command that changes one key of a file confirms no other loss of it; a signal confirms nothing that it cannot tell"
    )
    func oneKey() throws {
        let file = "/etc/adhand/adhand.toml"
        func inputs(_ text: String) throws -> DaemonInputs {
            var inputs = try Box.inputs(.default)
            inputs.kept = KeptConfiguration(
                file, [ConfigSource(file: file, text: Array(text.utf8))], at: Instant(unixSeconds: 0))
            return inputs
        }
        let lahore = "[location]\nlatitude = 31.5\nlongitude = 74.3\n[adhan]\nvolume = 70\n"
        let lost =
            "\(file): location.latitude, location.longitude were in force and are gone; they are no longer in force"
        for (removed, text, problems) in [
            ([], "[adhan]\nvolume = 60\n", [lost]),
            (["location.latitude", "location.longitude"], "[adhan]\nvolume = 70\n", []),
            (["adhan.volume"], "\n", [lost]),
        ] as [([String], String, [String])] {
            var box = try Box(inputs: try inputs(lahore))
            let id = RequestID(serial: 21)
            let change = InputsChange.reload(id, written: WrittenFile(file, removed: removed))
            #expect(change.isMeant && !change.confirmsLosses)
            // The text alone breaks off: what the keys say counts.
            let cut = [ConfigurationLoss(file: file, kind: .cut)]
            let done = box.effects(of: .inputsLoaded(try inputs(text), change, lost: cut))
            #expect(
                (Box.reply(to: id, in: done)?.changeReply?.problems ?? []).filter { $0.contains("gone") }
                    == problems
            )
            for problem in problems {
                #expect(box.notices.contains { $0.level == .warning && $0.message == problem })
            }
        }
        #expect(!InputsChange.reload(nil).confirmsLosses)
        #expect(!InputsChange.reload(RequestID(serial: 1), isUnattended: true).confirmsLosses)
        #expect(InputsChange.reload(RequestID(serial: 1)).confirmsLosses)
    }

    @Test("A zone that cannot be read is a problem of its own, looked at again, and over when it can be read")
    func zone() throws {
        let plain = try Box.inputs(.default)
        func inputs(_ problem: ZoneProblem?) -> DaemonInputs {
            DaemonInputs(
                config: plain.config, configuration: "a test", site: plain.site, user: 900, controlGroup: 901,
                zoneProblem: problem)
        }
        let problem = ZoneProblem(
            reason: "cannot read \"/etc/localtime\"", substitute: .kept(name: "America/New_York"),
            fix: "sudo timedatectl set-timezone America/New_York")
        var box = try Box(inputs: inputs(problem))
        let status = box.state.status(at: box.now)
        #expect(status.configurationProblem == nil && status.zoneProblem?.fix == problem.fix)
        #expect(status.next != nil)
        #expect(
            box.notices.contains {
                $0.level == .error && $0.message.contains("goes on by the rules that it has kept")
            })
        box.run(for: 60)
        #expect(readings(box.effects) == [.retry])
        box.handle(.inputsLoaded(inputs(nil), .retry))
        #expect(box.state.status(at: box.now).zoneProblem == nil)
        #expect(
            box.notices.last { $0.kind == .zoneChanged }?.message
                == "the time zone America/New_York can be read again")
        box.run(for: 300)
        #expect(readings(box.effects) == [.retry])
    }

    @Test("A reload by which a zone is gone names it, and does not say that UTC can be read again")
    func zoneGone() throws {
        var box = try Box()
        func inputs(_ zone: Zone, _ problem: ZoneProblem?) throws -> DaemonInputs {
            let plain = try Box.inputs(.default)
            let site = Site(
                name: plain.site.name, place: plain.site.place, approximate: false, zone: zone,
                calculation: plain.site.calculation)
            return DaemonInputs(
                config: .default, configuration: "a test", site: site, user: 900, controlGroup: 901,
                zoneProblem: problem)
        }
        let kept = try Zone(name: "America/New_York", posix: Box.newYork)
        let problem = ZoneProblem(
            reason: "gone", substitute: .kept(name: "America/New_York"), fix: "sudo timedatectl")
        box.handle(.inputsLoaded(try inputs(kept, problem), .zone))
        let id = RequestID(serial: 77)
        var gone = try inputs(.utc, nil)
        gone.zoneLoss = ZoneLoss(file: "/etc/localtime", zone: "America/New_York")
        let before = box.notices.count
        let done = box.during {
            $0.handle(.request(id, .reload(), from: Peer(user: 0, groups: [])))
            $0.handle(.inputsLoaded(gone, .reload(id)))
        }
        let messages = box.notices[before...].filter { $0.kind == .zoneChanged }.map(\.message)
        #expect(!messages.contains { $0.contains("can be read again") })
        #expect(messages.contains { $0.contains("America/New_York") && $0.contains("adhand goes by UTC") })
        let problems = Box.reply(to: id, in: done)?.changeReply?.problems ?? []
        #expect(problems.contains { $0.contains("sudo timedatectl set-timezone America/New_York") })
    }

    @Test("A sound card that comes or goes is looked for at once, but not while a device is needed")
    func cards() throws {
        var box = try Box()
        let looks = { (effects: [Effect]) in
            effects.count { if case .tryDevices = $0 { true } else { false } }
        }
        #expect(looks(box.effects(of: .cardsChanged)) == 1)
        let asr = try instant(try #require(box.state.status(at: box.now).next?.at))
        box.run(until: asr - 30)
        #expect(looks(box.effects(of: .cardsChanged)) == 0)
    }
}
