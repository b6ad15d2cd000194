import BoxSupport
import LabSupport
import StateFile
import Testing

@testable import Announcements
@testable import Daemon
@testable import Protocol
@testable import Settings

@Suite("What is granted to users outside of the group ([control.grants])")
struct GrantTests {
    /// As the control server sees a user: by number, and by the name that the machine has for it.
    private func ask(
        _ box: inout Box, _ request: ControlRequest, as name: String, claim: CallerClaim = CallerClaim()
    ) -> Reply? {
        let id = RequestID(serial: 7_000_000 + UInt64(box.effects.count))
        let peer = Peer(user: 990, groups: [990], name: name, claim: claim)
        return Box.reply(to: id, in: box.effects(of: .request(id, request, from: peer)))
    }

    private func isDenied(_ reply: Reply?) -> Bool {
        if case .notPermitted? = reply?.refusal { true } else { false }
    }

    @Test("By default the bridge and the hooks may mute and stop, and nothing else; nobody else may")
    func initial() throws {
        var box = try Box()
        for name in ["adhan-bridge", "adhan-hooks"] {
            #expect(ask(&box, .mute(MuteParameters(duration: "2h")), as: name)?.changeReply != nil)
            #expect(ask(&box, .unmute, as: name)?.changeReply != nil)
            #expect(ask(&box, .stop, as: name)?.refusal == .nothingPlaying)
            for request: ControlRequest in [
                .disablePrayers(["asr"]), .skipPrayers(SkipParameters(prayers: ["asr"])),
                .testPlay(prayer: "asr", seconds: nil), .playSound(name: "/etc/passwd"), .reload(),
                .setSettings(SettingsParameters(changes: [])), .check(file: "/etc/shadow"),
                .trigger(prayer: "asr", delay: nil),
            ] { #expect(isDenied(ask(&box, request, as: name)), "\(request)") }
            #expect(ask(&box, .getHijriPins, as: name)?.refusal == nil)
        }
        for name in ["nobody", "990", "adhan-bridge2", "root"] {
            #expect(isDenied(ask(&box, .unmute, as: name)), "\(name)")
        }
    }

    @Test(
        "A stranger may call what only reads, and no other method", arguments: ControlMethod.all.map(\.name))
    func everyMethod(name: String) throws {
        var box = try Box()
        let method = try #require(ControlMethod.named[name])
        guard case .call(let call) = Varlink.parse(method.sampleCall.utf8),
            case .control(let request) = call.action
        else {
            Issue.record("not understood: \(method.sampleCall)")
            return
        }
        // The sample of Check names a file.
        let isReading = if case .reading = method.access { true } else { false }
        #expect(isDenied(ask(&box, request, as: "nobody")) == !isReading)
    }

    @Test("A request without a declaration is permitted to no stranger, whatever is granted to them")
    func undeclared() throws {
        var config = Config.default
        config.control.grants["adhan-bridge"] = CommandGrant.allCases
        let box = try Box(config: config)
        for request in [ControlRequest.getStatus, .check(file: nil), .mute(MuteParameters())] {
            let change = try #require(request.change(declaredBy: nil))
            #expect(change.grant == nil && change.lowestRole == .fresh)
            for name in ["nobody", "adhan-bridge"] {
                let peer = Peer(user: 990, groups: [990], name: name, claim: CallerClaim())
                #expect(!box.state.inputs.permits(change, to: peer))
            }
        }
    }

    @Test("A mute of a grant ends within a day, whatever role the caller claims")
    func household() throws {
        var box = try Box()
        let fresh = CallerClaim(actor: "Home Assistant", role: .fresh)
        for asked in [MuteParameters(), MuteParameters(duration: "25h")] {
            guard case .invalidTime? = ask(&box, .mute(asked), as: "adhan-bridge", claim: fresh)?.refusal
            else {
                Issue.record("\(asked) is not refused")
                continue
            }
        }
        #expect(
            ask(&box, .mute(MuteParameters(duration: "24h")), as: "adhan-bridge", claim: fresh)?.changeReply
                != nil)
        #expect(box.state.saved.mute?.by == "Home Assistant")
    }

    @Test("The file gives more, takes away, and says what it means by a wrong word")
    func file() throws {
        func read(_ text: String) throws(ConfigError) -> Config {
            try ConfigLoader.load([ConfigSource(file: "adhand.toml", text: Array(text.utf8))]).config
        }
        let config = try read("[control.grants]\nadhan-bridge = []\nkitchen = [\"prayers\", \"test\"]\n")
        #expect(
            config.control.grants == [
                "adhan-bridge": [], "adhan-hooks": [.mute, .stop], "kitchen": [.prayers, .test],
            ])
        #expect(try read(config.printed()).control == config.control)
        var box = try Box(config: config)
        #expect(isDenied(ask(&box, .unmute, as: "adhan-bridge")))
        #expect(ask(&box, .disablePrayers(["asr"]), as: "kitchen")?.changeReply != nil)
        #expect(ask(&box, .skipPrayers(SkipParameters(prayers: ["fajr"])), as: "kitchen")?.changeReply != nil)
        #expect(isDenied(ask(&box, .unmute, as: "kitchen")))
        for (text, expected) in [
            ("kitchen = [\"mutes\"]", "did you mean \"mute\"?"),
            ("kitchen = 3", "control.grants.kitchen must be"),
            ("\"a b\" = [\"mute\"]", "a user's name such as"), ("1000 = \"mute\"", "a user's name such as"),
        ] {
            do throws(ConfigError) {
                _ = try read("[control.grants]\n\(text)\n")
                Issue.record("\(text) is taken")
            } catch {
                #expect(error.message.contains(expected), "\(error.message)")
            }
        }
        // No command changes who may do what.
        #expect(SettableKey("control.grants") == nil && SettableKey("control.grants.kitchen") == nil)
    }
}
