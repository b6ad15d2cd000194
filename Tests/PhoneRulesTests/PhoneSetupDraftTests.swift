import Host
import PhoneRules
import Places
import Protocol
import Settings
import Testing
import Texts

@Suite("The set-up")
struct PhoneSetupDraftTests {
    private static func answer(_ draft: inout PhoneSetupDraft, _ step: PhoneSetupDraft.Step, _ form: String)
        -> String?
    {
        do throws(FieldRefusal) {
            try draft.answer(step, try! Form(form.utf8)) { .embedded }
            return nil
        } catch {
            return "\(error.field) \(error.code)"
        }
    }

    private static func atMethod() throws -> PhoneSetupDraft {
        var draft = PhoneSetupDraft()
        #expect(answer(&draft, .place, "place=Sarajevo") == nil)
        return draft
    }

    @Test("No answer counts before the one that it needs, and nothing is to be saved before the last")
    func order() {
        var draft = PhoneSetupDraft()
        #expect(draft.step == .place && draft.changes.changes.isEmpty && draft.config == nil)
        for (step, form, refused) in [
            (.place, "", "place missing"), (.town, "town=1", "town unknown"), (.town, "", "town missing"),
            (.method, "method=auto", "place missing"), (.asr, "asr=hanafi", "method missing"),
            (.loudspeaker, "device=x", "asr missing"), (.volume, "volume=30", "device missing"),
            (.done, "", "step missing"),
        ] as [(PhoneSetupDraft.Step, String, String)] {
            #expect(Self.answer(&draft, step, form) == refused)
        }
        #expect(draft == PhoneSetupDraft())
        #expect(throws: FieldRefusal.self) { try draft.answerTone("x", true) }
    }

    @Test("A last answer that is sent twice is the same one; a new set-up has to have all of them")
    func twice() {
        for result in [PageDone.saved, .unchanged] {
            var draft = PhoneSetupDraft.over(result)
            #expect(draft.step == .place && draft.changes.changes.isEmpty)
            #expect(Self.answer(&draft, .done, "") == nil && draft.result == result)
            #expect(Self.answer(&draft, .method, "method=auto") == "place missing")
            #expect(Self.answer(&draft, .place, "place=Sarajevo") == nil && draft.result == nil)
            #expect(Self.answer(&draft, .done, "") == "step missing")
        }
    }

    @Test("Each step back leads to the question before, and forgets what was answered to it")
    func back() throws {
        var draft = PhoneSetupDraft()
        draft.goBack()
        #expect(draft == PhoneSetupDraft())
        var town = try Self.atMethod()
        #expect(town.step == .method)
        for (step, form) in [
            (.method, "method=mwl"), (.asr, "asr=hanafi"), (.loudspeaker, "device="), (.volume, "volume=30"),
        ] as [(PhoneSetupDraft.Step, String)] {
            let before = town
            #expect(town.step == step && Self.answer(&town, step, form) == nil)
            if step == .loudspeaker {
                // The devices that stay are heard, too.
                #expect(town.asked == "" && town.step == .loudspeaker)
                try town.answerTone("", true)
            }
            var returned = town
            returned.goBack()
            #expect(returned == before)
        }
        #expect(town.step == .done)
        var asked = try Self.atMethod()
        for (step, form) in [(.method, "method=mwl"), (.asr, "asr=hanafi")]
            as [(PhoneSetupDraft.Step, String)]
        {
            #expect(Self.answer(&asked, step, form) == nil)
        }
        let quiet = asked
        #expect(Self.answer(&asked, .loudspeaker, "device=hw:0") == nil && asked.asked == "hw:0")
        asked.goBack()
        #expect(asked == quiet)
        while asked.step != .place { asked.goBack() }
        #expect(asked == PhoneSetupDraft())
    }

    @Test("A key that is refused is that of a question")
    func questions() {
        #expect(PhoneSetupDraft().changes.changes.isEmpty)
        for (key, field) in [
            ("adhan.volume", "volume"), ("audio.devices", "device"), ("calculation.method", "method"),
            ("calculation.asr", "asr"), ("location.latitude", "place"), ("timezone", "place"),
        ] { #expect(PhoneSetupDraft.field(of: key) == field) }
    }

    @Test("A prayer with a volume of its own keeps it in a set-up")
    func volumes() throws {
        let keys = try [("adhan.volume", "80"), ("adhan.fajr.volume", "0"), ("adhan.isha.volume", "80")].map {
            let text =
                #"{"key": "\#($0.0)", "kind": "volume", "allowed": "", "role": "keeper", "inForce": "\#($0.1)"}"#
            return try JSON.decode(SettableKeyDocument.self, from: Array(text.utf8))
        }
        let volumes = SetupVolumes(SettingsReply(change: 1, settings: [], keys: keys))
        #expect(volumes.volume(of: "fajr", all: 35) == 0 && volumes.volume(of: "isha", all: 35) == 35)
        #expect(volumes.volume(of: "asr", all: nil) == 80)
    }

    @Test("Methods have names that settings take, and none is of one's own angles")
    func methods() {
        #expect(
            PhoneSetupDraft.methods.first == "auto" && PhoneSetupDraft.methods.count > 20
                && !PhoneSetupDraft.methods.contains("custom"))
    }

    @Test("What does not open, and what was not heard, is proposed last")
    func devices() throws {
        var draft = try Self.atMethod()
        #expect(Self.answer(&draft, .method, "method=auto") == nil)
        #expect(Self.answer(&draft, .asr, "asr=standard") == nil)
        let devices = [
            SoundFacts.Device(name: "gone", outcome: .fails(reason: "no such device", isBusy: false)),
            SoundFacts.Device(name: "hall", outcome: .opens),
            SoundFacts.Device(name: "null", outcome: .opens, silence: .init(reason: "x", fix: "x")),
            SoundFacts.Device(name: "room", outcome: .opens),
        ]
        func proposed() -> [String] { SetupFacts(draft, devices: devices, volume: "40").options.map(\.value) }
        #expect(proposed() == ["hall", "room", "gone", "null"])
        #expect(Self.answer(&draft, .loudspeaker, "device=hall") == nil)
        try draft.answerTone("hall", false)
        #expect(proposed() == ["room", "gone", "hall", "null"])
    }
}
