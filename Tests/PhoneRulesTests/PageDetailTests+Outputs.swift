import Host
import Languages
import PhoneRules
import Places
import PrayerEngine
import Protocol
import Testing
import Texts

/// Outputs and loudspeakers.
extension PageDetailTests {
    @Test("Each output has a mute of its own, and says what keeps it silent")
    func outputs() throws {
        let now = NowFacts(
            place: "Trial", now: "04:00", next: nil, today: [], mute: .init(active: false), isPlaying: false,
            isClockTrusted: true,
            outputs: [
                .init(name: "hall"), .init(name: "women", hasFailed: true),
                .init(name: "horn", quiet: "night-law", quietUntil: "06:00"),
                .init(name: "bedroom", quiet: "mute", quietUntil: "06:10"),
            ])
        let page = text(.now(now), try context())
        #expect(page.contains("<bdi>women</bdi> · No sound</p>"))
        #expect(page.contains("<bdi>night-law</bdi> – <bdi>06:00</bdi>"))
        #expect(page.contains("<bdi>bedroom</bdi> · Muted until <bdi>06:10</bdi>"))
        // Four have three buttons each, and one can be unmuted.
        #expect(page.ranges(of: #"name="output""#).count == 4 * 3 + 1)
        #expect(page.contains(#"aria-label="Mute 30 min: hall""#))
        #expect(page.contains(#"aria-label="Unmute: bedroom""#))
    }

    @Test("An act about one output names it, and ends by itself")
    func actsOnOutputs() throws {
        #expect(try act(.mute, "output=hall&for=2h") == .muteOutput("hall", .seconds(7200)))
        #expect(try act(.mute, "output=&for=2h") == .mute(.seconds(7200)))
        #expect(try act(.unmute, "output=hall") == .unmuteOutput("hall"))
        #expect(throws: FieldRefusal.self) { try act(.mute, "output=hall&until=next") }
        #expect(throws: FieldRefusal.self) { try act(.mute, "output=hall") }
        #expect(throws: FieldRefusal.self) {
            try act(.mute, "output=\(String(repeating: "a", count: 17))&for=2h")
        }
    }

    private func act(_ route: Route.Name, _ form: String) throws -> Act? {
        try Act.read(route, try Form(form.utf8), role: .household)
    }

    @Test("A mute of one adhan names its prayer, and the end of a set-up says who stays silent")
    func names() throws {
        let now = NowFacts(
            place: "Trial", now: "04:00", next: nil, today: [],
            mute: .init(active: true, prayer: "fajr"), isPlaying: false, isClockTrusted: true)
        #expect(text(.now(now), try context()).contains(" · Fajr</p>"))
        let setup = SetupFacts(
            step: .done, times: [.init("fajr", "05:10", volume: 0), .init("asr", "15:10", volume: 35)])
        let shown = text(.setup(setup), try context())
        #expect(shown.contains("<bdi>0</bdi> · silent") && shown.contains("<bdi>35</bdi>"))
    }

    @Test(
        "A device from which nothing comes stands last; a tone that was not heard leads to advice and to another"
    )
    func loudspeakers() throws {
        var draft = PhoneSetupDraft()
        for (step, form) in [
            (.place, "place=Sarajevo"), (.method, "method=auto"), (.asr, "asr=standard"),
            (.loudspeaker, "device=hall"),
        ] as [(PhoneSetupDraft.Step, String)] {
            try draft.answer(step, Form(form.utf8)) { .embedded }
        }
        let devices = [
            SoundFacts.Device(name: "null", outcome: .opens, silence: .init(reason: "x", fix: "x")),
            SoundFacts.Device(name: "hall", outcome: .opens),
            SoundFacts.Device(name: "room", outcome: .opens),
        ]
        let texts = ["hall": "Loudspeaker in the hall"]
        let asked = text(
            .setup(SetupFacts(draft, devices: devices, deviceTexts: texts, volume: "40")), try context())
        #expect(asked.contains("<bdi>Loudspeaker in the hall</bdi>"))
        #expect(asked.contains("Do you hear the tone?") && asked.contains("Play a tone"))
        #expect(asked.contains(#"name="device" value="hall""#) && !asked.contains("switched on, connected"))
        try draft.answerTone("hall", false)
        let again = SetupFacts(draft, devices: devices, volume: "40")
        #expect(again.options.map(\.value) == ["room", "null", "hall"] && again.chosen == "room")
        let shown = text(.setup(again), try context())
        #expect(shown.contains("switched on, connected") && shown.contains("null · silent"))
        #expect(!shown.contains("hall · silent"))
        try draft.answer(.loudspeaker, Form("device=hall".utf8)) { .embedded }
        try draft.answerTone("hall", true)
        try draft.answer(.volume, Form("volume=50".utf8)) { .embedded }
        let done = text(.setup(SetupFacts(draft, deviceTexts: texts, volume: "40")), try context())
        #expect(done.contains("Loudspeaker: <bdi>Loudspeaker in the hall</bdi>"))
    }

    @Test("A device has the words of its card, and a number where another one has the same")
    func deviceWords() {
        func device(_ name: String, _ description: String?) -> SoundFacts.Device {
            SoundFacts.Device(name: name, outcome: .opens, description: description)
        }
        let texts = SetupFacts.texts([
            device("default", "Default Audio Device"),
            device("sysdefault:CARD=Device", "USB Audio Device, USB Audio"),
            device("plughw:CARD=Device,DEV=0", "USB Audio Device, USB Audio, Hardware device"),
            device("hall", nil),
            device("room", ""),
        ])
        #expect(
            texts == [
                "default": "Default Audio Device", "sysdefault:CARD=Device": "USB Audio Device",
                "plughw:CARD=Device,DEV=0": "USB Audio Device (2)", "hall": "hall", "room": "room",
            ])
    }

    @Test("A box with outputs keeps their devices, and says whose they are")
    func setupWithOutputs() throws {
        var draft = PhoneSetupDraft()
        for (step, form) in [
            (.place, "place=Sarajevo"), (.method, "method=auto"), (.asr, "asr=standard"),
        ] as [(PhoneSetupDraft.Step, String)] {
            try draft.answer(step, Form(form.utf8)) { .embedded }
        }
        let device = SoundFacts.Device(name: "hw:9", outcome: .opens)
        let facts = SetupFacts(draft, devices: [device], volume: "40", outputs: ["hall", "horn"])
        #expect(facts.options == [] && facts.chosen == "")
        #expect(text(.setup(facts), try context()).contains("As it is now (hall, horn)"))
    }
}
