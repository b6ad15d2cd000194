import PrayerEngine
import Testing
import Texts

@testable import Console
@testable import Places
@testable import Settings

@Suite("Ways through the conversation of setup")
struct SetupWaysTests {
    // MARK: - Finding one's way

    @Test("In the far north the country's rule is written, and its reason said; elsewhere it goes again")
    func farNorth() throws {
        var conversation = SetupConversation(SetupDraft(try Machine.inputs(system: "Europe/Oslo")))
        let (text, _) = Machine.talk(&conversation, ["Oslo", "", "", "y", "", "", ""])
        #expect(text.contains("  calculation.high-latitude = \"one-seventh\"\n"), "\(text)")
        #expect(text.contains("high-latitude is one-seventh: the committee of imams"), "\(text)")
        let written = String(decoding: try conversation.draft.newText(), as: UTF8.self)
        #expect(
            try ConfigLoader.load(text: written, file: "new").calculation.highLatitude == .oneSeventh)

        var moved = SetupConversation(SetupDraft(try Machine.inputs(written, system: "Europe/Berlin")))
        let (after, _) = Machine.talk(&moved, ["Berlin", "", "", "y", "", "", ""])
        #expect(after.contains("high-latitude is auto again"), "\(after)")
        #expect(moved.draft.config.calculation.highLatitude == .auto)

        // A rule of one's own stays while the place stays in the country.
        let own = written.replacing("one-seventh", with: "frozen")
        var kept = SetupConversation(SetupDraft(try Machine.inputs(own, system: "Europe/Oslo")))
        let (third, _) = Machine.talk(&kept, ["Bergen", "", "", "y", "", "", ""])
        #expect(kept.draft.config.calculation.highLatitude == .frozen, "\(third)")
        // Where the Sun does not set, a seventh of the night is nothing.
        var draft = SetupDraft(try Machine.inputs(system: "Europe/Oslo"))
        draft.move(to: try SetupPlace.named("Tromsø", draft.inputs.gazetteer))
        #expect(draft.completed?.config.calculation.highLatitude == .auto)
        #expect(draft.completed?.highLatitudeSentence == nil)
    }

    @Test("Back returns to the question before, with what was answered there, as far as the first")
    func back() throws {
        var conversation = SetupConversation(SetupDraft(try Machine.inputs(system: "America/New_York")))
        let (text, _) = Machine.talk(&conversation, ["Queens", "mwl", "back", "back"])
        #expect(text.hasSuffix("Place: "), "\(text)")
        #expect(conversation.draft.place == nil && conversation.draft.method == nil)
        let response = conversation.answer("back")
        #expect(response.lines == ["This is the first question."])
        let (again, _) = Machine.talk(&conversation, ["Queens", "mwl", "standard", "back", "hanafi"])
        #expect(again.contains("Asr [hanafi]: hanafi") && conversation.draft.asr == .hanafi, "\(again)")
    }

    @Test("? explains every question, in lines that fit, and asks it again")
    func help() throws {
        var conversation = SetupConversation(SetupDraft(try Machine.inputs(receiver: true)))
        var turn = conversation.begin()
        for answer in ["springfield", "1", "", "mwl", "", "y", "", "", "", "n"] {
            let help = conversation.answer("?")
            #expect(!help.lines.isEmpty && help.next == turn.next, "\(help)")
            turn = conversation.answer(answer)
            while case .play = turn.next { turn = conversation.played(.played(note: nil)) }
        }
        #expect(turn.lines.joined().contains("Nothing is saved yet"), "\(turn)")
    }

    @Test("Who does not save yet loses no answer, and changes one of them")
    func change() throws {
        var conversation = SetupConversation(SetupDraft(try Machine.inputs(system: "America/New_York")))
        let (text, end) = Machine.talk(
            &conversation,
            ["Queens", "mwl", "hanafi", "y", "55", "", "", "", "n", "asr", "standard", "y", "", "", "", "y"])
        #expect(end == .save && text.contains("Volume [55]: "), "\(text)")
        let config = try ConfigLoader.load(text: conversation.draft.newText(), file: "new")
        #expect(config.calculation.method == "mwl" && config.calculation.asr == .standard)
        #expect(config[.fajr].volumePercent == 55)
        var leaving = SetupConversation(SetupDraft(try Machine.inputs(system: "America/New_York")))
        let left = Machine.talk(&leaving, ["Queens", "", "", "y", "", "", "", "n", "leave"])
        #expect(left.end == .leave, "\(left.text)")
    }

    @Test("Coordinates are asked for their name; the nearest town's is proposed")
    func naming() throws {
        var conversation = SetupConversation(SetupDraft(try Machine.inputs(system: "America/New_York")))
        let (text, _) = Machine.talk(&conversation, ["40°43'42\"N 73°47'42\"W", "Masjid al-Noor"])
        #expect(
            text.contains("km from Queens, New York.")
                && text.contains("What is this place called? ["),
            "\(text)")
        #expect(conversation.draft.place?.location.name == "Masjid al-Noor")
        #expect(abs((conversation.draft.place?.location.latitude ?? 0) - 40.728333) < 1e-6)
    }

    @Test("Where gpsd runs it is offered, and asked only when somebody says so")
    func receiver() throws {
        var conversation = SetupConversation(
            SetupDraft(try Machine.inputs(system: "America/New_York", receiver: true)))
        let (text, _) = Machine.talk(&conversation, ["gps", "gps"])
        #expect(text.contains("type gps") && text.contains("Gpsd has no receiver."), "\(text)")
        let (found, _) = Machine.talk(
            &conversation, ["gps", ""], position: .point(latitude: 40.7283, longitude: -73.795))
        #expect(found.contains("What is this place called?"), "\(found)")
        #expect(conversation.draft.place?.location.latitude == 40.7283)
        var without = SetupConversation(SetupDraft(try Machine.inputs()))
        #expect(!Machine.talk(&without, []).text.contains("gps"))
    }

    // MARK: - Corrections

    /// At the question for corrections.
    private func atTimes() throws -> SetupConversation {
        var conversation = SetupConversation(SetupDraft(try Machine.inputs(system: "America/New_York")))
        _ = Machine.talk(&conversation, ["Queens", "", "", "y", "", ""])
        return conversation
    }

    @Test("A correction says what it does, adds up, and is removed by 0")
    func correctionIsDescribed() throws {
        var conversation = try atTimes()
        let first = conversation.answer("isha +2").lines.joined(separator: "\n")
        #expect(
            first.contains("Isha +2 min: 17:57 becomes 17:59.") || first.contains("Isha +2 min: "), "\(first)"
        )
        let second = conversation.answer("isha +2").lines.joined(separator: "\n")
        #expect(second.contains("Isha +2 min more, +4 in all: "), "\(second)")
        let third = conversation.answer("isha 0").lines.joined(separator: "\n")
        #expect(third.contains("Isha as calculated: "), "\(third)")
        #expect(conversation.draft.adjustments == EventMinutes())
        let unsigned = conversation.answer("fajr 5").lines.joined()
        #expect(unsigned.contains("write +5 or -5 for minutes, 5:00 for a time"), "\(unsigned)")
    }

    @Test("37 minutes are doubted, and taken only by a yes")
    func large() throws {
        var conversation = try atTimes()
        let doubt = conversation.answer("isha +37")
        #expect(doubt.lines.joined().contains("Isha would be moved by 37 minutes. That is much"), "\(doubt)")
        var refused = conversation
        _ = refused.answer("")
        #expect(refused.draft.adjustments.isha == 0)
        _ = conversation.answer("y")
        #expect(conversation.draft.adjustments.isha == 37)
    }

    // MARK: - Moving

    @Test("Another place takes neither the old one's name nor its mosque's minutes along")
    func leavesBehind() throws {
        let text = """
            [location]
            name = "Masjid An-Nur"
            latitude = 40.7
            longitude = -73.8
            [calculation.adjustments]
            fajr = 3
            """
        var draft = SetupDraft(try Machine.inputs(text, system: "America/New_York"))
        let sea = try #require(
            SetupPlace(ConfiguredLocation(latitude: 45, longitude: -40), draft.inputs.gazetteer))
        draft.move(to: sea)
        let config = try ConfigLoader.load(text: try #require(draft.completed).newText(), file: "new")
        #expect(config.location?.name == "45.0000, -40.0000" && config.calculation.adjustments.fajr == 0)
        let sentence = try #require(draft.adjustmentsSentence)
        #expect(sentence.contains("(fajr +3) were for the place before, and are removed"), "\(sentence)")
        #expect(SetupDraft(draft.inputs).adjustmentsSentence == nil)
    }

    @Test("A town of two clocks is asked about, and the one that the box goes by is proposed")
    func twoClocks() throws {
        guard Machine.zone("Asia/Urumqi") != nil, Machine.zone("Asia/Shanghai") != nil else { return }
        var conversation = SetupConversation(SetupDraft(try Machine.inputs(system: "Asia/Urumqi")))
        let (text, _) = Machine.talk(&conversation, ["Kashgar"])
        #expect(text.contains("1  Asia/Shanghai, now 20:00") && text.hasSuffix("A number [2]: "), "\(text)")
        _ = conversation.answer("")
        #expect(conversation.draft.timezone == "Asia/Urumqi")
        var unattended = SetupDraft(try Machine.inputs(system: "Asia/Urumqi"))
        guard case .one(let town) = TownMeant("Kashgar", unattended.inputs.gazetteer) else { return }
        unattended.move(to: SetupPlace(town))
        #expect(unattended.completed?.timezone == nil)
    }

    @Test("A new file is the commented example, each value beside what explains it")
    func template() throws {
        let example =
            "# Example\n\n# timezone = \"x\"   # default\n\n# Where.\n# [location]\n# name = \"Q\"\n# latitude = 1  # degrees\n# longitude = 2\n\n# [audio]\n# devices = []\n"
        var draft = SetupDraft(try Machine.inputs(system: "Asia/Riyadh", template: example))
        draft.move(to: SetupPlace(try #require(draft.inputs.gazetteer.matches("Riyadh").first).place))
        let text = String(decoding: try #require(draft.completed).newText(), as: UTF8.self)
        #expect(
            text.contains(
                "# Where.\n[location]\n# name = \"Q\"\nname = \"Riyadh, Saudi Arabia\"\n# latitude = 1  # degrees\nlatitude = "
            ), "\(text)")
        #expect(text.contains("\n[audio]\n# devices = []\ndevices = "), "\(text)")
    }
}
