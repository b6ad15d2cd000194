import BoxSupport
import Places
import PrayerEngine
import Testing
import Texts
import Times

@testable import Console
@testable import Settings

extension SetupConversationTests {
    @Test("A file that says it all already is not written")
    func nothingNew() throws {
        var conversation = SetupConversation(SetupDraft(try Machine.inputs(system: "Asia/Dhaka")))
        _ = Machine.talk(&conversation, ["", "", "", "y", "", "", "", ""])
        let text = String(decoding: try conversation.draft.newText(), as: UTF8.self)
        var again = SetupConversation(SetupDraft(try Machine.inputs(text, system: "Asia/Dhaka")))
        let (transcript, end) = Machine.talk(&again, ["", "", "", "y", "", "", ""])
        #expect(end == .save, "\(transcript)")
        #expect(again.draft.changes.isEmpty)
    }

    @Test(
        "An existing file's choices are proposed, and its comments, other settings and per-prayer volumes stay"
    )
    func existing() throws {
        let text = """
            # Our mosque
            [location]   # roof
            latitude = 40.7  # not exact
            longitude = -73.8
            elevation = 30
            [calculation]
            method = 3 # AlAdhan's
            [adhan]
            reminders = ["10m"]
            [adhan.fajr]
            volume = 50
            """
        var conversation = SetupConversation(SetupDraft(try Machine.inputs(text, system: "America/New_York")))
        let (transcript, end) = Machine.talk(&conversation, ["", "", "standard", "y", "", "", "", "y"])
        #expect(
            end == .save && transcript.contains("[mwl]: ") && transcript.contains("unchanged: Fajr 50"),
            "\(transcript)")
        let new = String(decoding: try conversation.draft.newText(), as: UTF8.self)
        #expect(
            new.contains(
                "# Our mosque\n[location]   # roof\nlatitude = 40.7  # not exact\nlongitude = -73.8\nelevation = 30\n"
            ))
        #expect(new.contains("method = 3 # AlAdhan's\n"))
        #expect(new.contains("asr = \"standard\"\n") && new.contains("[adhan.fajr]\nvolume = 50"))
    }

    @Test("Moving to another town takes its height, name and custom angles along")
    func moving() throws {
        let text = """
            [location]
            name = "Old"
            latitude = 1
            longitude = 1
            elevation = 300
            [calculation]
            method = "custom"
            [calculation.angles]
            fajr = 15
            isha = 15
            """
        var draft = SetupDraft(try Machine.inputs(text))
        draft.place = SetupPlace(try #require(try Embedded.gazetteer().matches("Riyadh").first).place)
        let completed = try #require(draft.completed)
        #expect(completed.method == "umm-al-qura" && completed.timezone == "Asia/Riyadh")
        let config = try ConfigLoader.load(text: completed.newText(), file: "new")
        #expect(config.location?.elevationMetres == 0 && config.location?.name == "Riyadh, Saudi Arabia")
        #expect(config.calculation.angles == nil && config.calculation.method == "umm-al-qura")
        #expect(config.calculation.asr == .standard)
    }

    @Test("A town's height goes into the file for a method that considers it, and leaves it again")
    func townHeight() throws {
        let gazetteer = try Embedded.gazetteer()
        var draft = SetupDraft(try Machine.inputs("[location]\nelevation = 5\nlatitude = 1\nlongitude = 1\n"))
        draft.place = try .named("Fes, Morocco", gazetteer)
        let fez = try #require(draft.completed)
        #expect(fez.method == "morocco")
        let text = String(decoding: try fez.newText(), as: UTF8.self)
        let config = try ConfigLoader.load(text: Array(text.utf8), file: "new")
        #expect(
            (250...600).contains(config.location?.townElevationMetres ?? 0)
                && config.location?.elevationMetres == 0)
        #expect(fez.site?.place.townElevationMetres == config.location?.townElevationMetres)
        // In Doha nobody asks for it.
        var next = SetupDraft(try Machine.inputs(text))
        next.place = try .named("Doha, Qatar", gazetteer)
        let doha = try ConfigLoader.load(text: try #require(next.completed).newText(), file: "new")
        #expect(doha.location?.townElevationMetres == 0 && doha.calculation.method == "qatar")
    }

    @Test("Coordinates get the nearest town's name and zone, and none in the middle of the sea")
    func coordinates() throws {
        let gazetteer = try Embedded.gazetteer()
        guard case .point(let place) = PlaceAnswer("21.42, 39.83", gazetteer),
            case .point(let sea) = PlaceAnswer("-40 -130", gazetteer)
        else {
            Issue.record("coordinates were not understood")
            return
        }
        #expect(place.name == "Makkah, Saudi Arabia" && place.timezone == "Asia/Riyadh")
        #expect(sea.location.name == nil && sea.name == "-40.0000, -130.0000")
    }

    @Test("What the command line answers is not asked")
    func given() throws {
        var draft = SetupDraft(try Machine.inputs(recordings: false))
        draft.place = SetupPlace(try #require(try Embedded.gazetteer().matches("Queens").first).place)
        (draft.timezone, draft.method, draft.asr, draft.devices) = (
            "America/New_York", "isna", .hanafi, ["x"]
        )
        draft.volume = 5
        var conversation = SetupConversation(draft)
        let (text, end) = Machine.talk(&conversation, ["", "y"])
        #expect(end == .save && !text.contains("of 5"), "\(text)")
    }
}
