import Announcements
import BoxSupport
import Daemon
import PrayerEngine
import Testing

@testable import Console
@testable import Protocol
@testable import Settings
@testable import Texts

@Suite("What of a configuration cannot be used")
struct CheckTests {
    private static func file(
        _ name: String, _ outcome: SoundFacts.File.Outcome, _ prayers: [Prayer] = Prayer.allCases
    ) -> SoundFacts.File {
        .init(name: name, prayers: prayers, path: nil, outcome: outcome)
    }

    private static func document(
        _ files: [SoundFacts.File] = [],
        _ devices: [SoundFacts.Device] = [.init(name: "default", outcome: .opens)]
    ) throws -> CheckDocument {
        var facts = SoundFacts()
        (facts.files, facts.devices) = (files, devices)
        return CheckDocument(
            file: "/etc/adhand/adhand.toml", view: .daemon, user: "adhand", site: try Box().state.inputs.site,
            sound: facts)
    }

    @Test("All is well: no problem, and exit status 0")
    func well() throws {
        let document = try Self.document([Self.file("standard", .decodes(seconds: 8))])
        #expect(document.problems.isEmpty && document.valid && document.usable && document.exitStatus == 0)
    }

    @Test(
        "A sound that is not there, cannot be read or does not decode is a problem of this box: exit status 1"
    )
    func sounds() throws {
        for (outcome, says, fix) in [
            (
                SoundFacts.File.Outcome.missing, "there is no sound \"makkah\"",
                "adhanctl sound add FILE --name makkah"
            ),
            (.unreadable(reason: "adhand cannot read it."), "adhand cannot read it;", "adhanctl sound list"),
            (.broken(reason: "not MP3"), "not MP3;", "adhanctl sound list"),
        ] {
            let document = try Self.document([Self.file("makkah", outcome)])
            let problem = try #require(document.problems.first)
            #expect(
                document.problems.count == 1 && document.valid && !document.usable && document.exitStatus == 1
            )
            #expect(problem.kind == .sound && problem.key == "adhan.sound" && problem.fix == fix)
            #expect(problem.message.hasPrefix(says), "\(problem.message)")
            #expect(problem.message.hasSuffix("the time signal will be played instead"))
        }
        let one = try Self.document([Self.file("x", .missing, [.fajr])])
        #expect(one.problems.first?.key == "adhan.fajr.sound")
        #expect(one.problems.first?.message.contains("it is for Fajr, and") == true)
    }

    @Test("Of devices it counts whether one will do")
    func devices() throws {
        let gone = SoundFacts.Device(name: "hw:1", outcome: .fails(reason: "no such device", isBusy: false))
        let busy = SoundFacts.Device(name: "hw:2", outcome: .fails(reason: "busy", isBusy: true))
        let opens = SoundFacts.Device(name: "default", outcome: .opens)
        #expect(try Self.document([], [gone]).exitStatus == 1)
        #expect(try Self.document([], [.init(name: "x", outcome: .hangs)]).exitStatus == 1)
        let second = try Self.document([], [gone, opens])
        #expect(second.exitStatus == 0 && second.problems.map(\.severity) == [.warning])
        // A device that another program holds may be free when the time comes.
        #expect(try Self.document([], [busy]).exitStatus == 0)
        let muted = SoundFacts.Device(
            name: "default", outcome: .opens,
            silence: .init(reason: "the mixer is muted", fix: "amixer unmute"))
        let silent = try Self.document([], [muted])
        #expect(silent.exitStatus == 1 && silent.problems.first?.fix == "amixer unmute")
    }

    @Test("A wrong text is exit status 65, whatever else is wrong, and names its place")
    func text() {
        let error = ConfigError(file: "/x.toml", line: 3, column: 5, key: "adhan.volume", reason: "too loud")
        var document = CheckDocument(
            file: "/x.toml", view: .own, user: "ali", problems: [CheckProblem(error)])
        #expect(!document.valid && !document.usable && document.exitStatus == 65)
        #expect(document.problems[0].sentence == "/x.toml:3:5: too loud")
        document.add(CheckProblem(.access, .problem, "cannot read"))
        #expect(document.exitStatus == 65)
    }

    @Test("What is sent over the socket comes back as it was found")
    func roundTrip() throws {
        let outcomes: [SoundFacts.File.Outcome] = [
            .unreadable(reason: "why"), .missing, .broken(reason: "c"), .unread, .decodes(seconds: 3),
            .questionable(seconds: 4, reason: "d"), .doubtful(reason: "e"),
        ]
        let files = outcomes.map {
            SoundFacts.File(
                name: "standard", prayers: [.fajr, .asr], occasion: .reminder, path: "/a.mp3",
                isShipped: true, outcome: $0)
        }
        let tries: [SoundFacts.Device.Outcome] = [
            .fails(reason: "b", isBusy: true), .hangs, .opens, .fails(reason: "e", isBusy: false),
            .fails(reason: "e", isBusy: false, needsServer: true),
        ]
        let silence = SoundFacts.Silence(reason: "g", fix: "h")
        let devices =
            tries.map { SoundFacts.Device(name: "a", outcome: $0) } + [
                .init(name: "f", outcome: .opens, silence: silence)
            ]
        let sent = try Varlink.reply(.document(CheckReply(check: Self.document(files, devices))))
        let facts = try Varlink.read(CheckReply.self, from: sent.dropLast()).document.check.soundFacts
        #expect(facts.files == files && facts.devices == devices)
        #expect(facts.files.map(\.outcome) == outcomes && facts.devices.map(\.outcome) == tries + [.opens])
        #expect(facts.files.allSatisfy { $0.occasion == .reminder && $0.prayers == [.fajr, .asr] })
        #expect(facts.devices.map(\.silence) == tries.map { _ in nil } + [silence])
    }

    @Test("An older adhand's answer has neither the occasion nor the reason alone")
    func older() throws {
        let device = try JSON.decode(
            SoundFacts.Device.self,
            from: #"{"name":"a","state":"opens","silence":"muted; amixer","silenceFix":"amixer"}"#.utf8)
        #expect(device.silence == .init(reason: "muted; amixer", fix: "amixer"))
        let file = try JSON.decode(
            SoundFacts.File.self,
            from:
                #"{"sound":"a","prayers":["fajr","zuhr"],"reminder":true,"shipped":false,"state":"missing"}"#
                .utf8)
        #expect(file.occasion == .reminder && file.prayers == [.fajr] && file.outcome == .missing)
    }

    @Test(
        "Anybody may ask about what is in force; only who may change things names another file, by its whole path"
    )
    func permission() {
        #expect(ControlRequest.check(file: nil).isReading)
        #expect(!ControlRequest.check(file: "/etc/shadow").isReading)
        func parse(_ parameters: String) -> Varlink.Incoming {
            Varlink.parse("{\"method\":\"org.adhand.Control.Check\",\"parameters\":\(parameters)}".utf8)
        }
        #expect(
            parse("{\"file\":\"/x.toml\"}")
                == .call(.init(action: .control(.check(file: "/x.toml")), more: false, oneway: false)))
        #expect(
            parse("{\"file\":\"x.toml\"}") == .refused(.invalidParameter(parameter: "file"), oneway: false))
    }

    @Test("The card is left alone while adhand plays, and within a minute of a call")
    func spares() throws {
        var box = try Box()
        let asked = box.effects(
            of: .request(.init(serial: 1), .check(file: nil), from: .init(user: 7, groups: [])))
        #expect(asked.contains { if case .check(_, file: nil) = $0 { true } else { false } })
        // The shell asks for the reason when the check's turn has come.
        func reason() -> String? { box.state.reasonToSpareDevices(at: box.now) }
        #expect(reason() == nil)
        let next = try #require(box.state.status(at: box.now).next.flatMap { InstantText.parse($0.at) })
        box.now = next - 59
        #expect(reason() == "adhand is about to call, and needs it")
        box.now = next - 61
        #expect(reason() == nil)
    }
}

@Suite("A unit's surroundings")
struct UnitSettingsTests {
    @Test(
        "Everything that decides what the service sees is taken over, drop-ins included; what starts and ends it is not"
    )
    func copied() {
        let unit = UnitSettings(
            shown: """
                # /usr/lib/systemd/system/adhand.service
                [Unit]
                Description=Adhan
                [Service]
                Type=notify
                ExecStart=-/usr/bin/adhand --audio-dir \\
                  /usr/share/adhand/audio
                Restart=on-failure
                RuntimeDirectory=adhand
                User=adhand
                ProtectHome=yes
                SystemCallFilter=@system-service
                SystemCallFilter=~@privileged
                # ProtectHome=no
                StateDirectory=adhand
                [Install]
                WantedBy=multi-user.target

                # /etc/systemd/system/adhand.service.d/override.conf
                [Service]
                ProtectHome=read-only
                """)
        #expect(unit.command == ["/usr/bin/adhand", "--audio-dir", "/usr/share/adhand/audio"])
        #expect(
            unit.surroundings == [
                "User=adhand", "ProtectHome=yes", "SystemCallFilter=@system-service",
                "SystemCallFilter=~@privileged",
                "StateDirectory=adhand", "ProtectHome=read-only",
            ])
        #expect(UnitSettings(shown: "") == UnitSettings(shown: "[Unit]\nUser=root"))
    }
}
