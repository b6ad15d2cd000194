import Places
import PrayerEngine
import Testing
import Texts
import Times

@testable import Console
@testable import Settings

@Suite("The conversation of setup")
struct SetupConversationTests {
    @Test("Five answers make a configuration")
    func fiveAnswers() throws {
        var conversation = SetupConversation(SetupDraft(try Machine.inputs(system: "Asia/Kuala_Lumpur")))
        let (text, end) = Machine.talk(
            &conversation, ["kuala lumpur", "", "", "y", "70", "70", "", "", "y"])
        #expect(end == .save, "\(text)")
        let config = try ConfigLoader.load(text: conversation.draft.newText(), file: "new")
        #expect(
            config.location
                == ConfiguredLocation(
                    name: "Kuala Lumpur, Malaysia", latitude: 3.1412, longitude: 101.6865))
        #expect(config.calculation.method == "jakim" && config.calculation.asr == .standard)
        #expect(config[.fajr].volumePercent == 70 && config.devices == ["default"])
        // The system's zone is right: nothing to write.
        #expect(config.timezone == nil)
        #expect(text.contains("Proposed for Malaysia: jakim"))
    }

    @Test("Enter takes what is proposed, but that nobody has heard anything")
    func enterOnly() throws {
        var conversation = SetupConversation(SetupDraft(try Machine.inputs(system: "Asia/Dhaka")))
        let (text, end) = Machine.talk(&conversation, ["", "", "", "y", "", "", "", ""])
        #expect(end == .save, "\(text)")
        let config = try ConfigLoader.load(text: conversation.draft.newText(), file: "new")
        #expect(config.location?.name == "Dhaka, Bangladesh")
        #expect(config.calculation.method == "bangladesh" && config.calculation.asr == .hanafi)
    }

    @Test("setup says so to a box in New York that uses UTC, and calls by New York's time if one agrees")
    func wrongZone() throws {
        var conversation = SetupConversation(SetupDraft(try Machine.inputs()))
        let (text, _) = Machine.talk(&conversation, ["Queens"])
        #expect(
            text.contains("This box uses the time zone Etc/UTC, but the place lies in America/New_York."))
        #expect(text.contains("It is now 07:00 in America/New_York, 12:00 in Etc/UTC."))
        #expect(text.hasSuffix("Call the adhan by America/New_York? y or n [y]: "))
        _ = conversation.answer("")
        #expect(conversation.draft.timezone == "America/New_York")
    }

    @Test(
        "A zone under its old name, or one with the same clocks, is not asked about",
        arguments: [("US/Eastern", "Queens"), ("Asia/Calcutta", "Mumbai"), ("Europe/Vienna", "Berlin")])
    func sameZone(system: String, town: String) throws {
        guard Machine.zone(system) != nil else { return }
        var conversation = SetupConversation(SetupDraft(try Machine.inputs(system: system)))
        let (text, _) = Machine.talk(&conversation, [town])
        #expect(
            text.hasSuffix(
                "Method (? lists them all) [\(town == "Queens" ? "isna" : town == "Mumbai" ? "karachi" : "mwl")]: "
            ))
    }

    @Test(
        "Every bad answer gets one sentence and the question again",
        arguments: [
            (["xqzzv"], "No town in the list is called \"xqzzv\"", "Place: "),
            (["95, 10"], "did you mean 10.0000, 95.0000?", "Place: "),
            (["istnbul"], "did you mean Istanbul, Turkey?", "Place: "),
            (
                ["springfield", "99"], "There are the numbers 1 to",
                "Which one? A number, or another name [1]: "
            ),
            (
                ["Queens", "maybe"], "Please answer y (yes) or n (no).",
                "Call the adhan by America/New_York? y or n [y]: "
            ),
            (
                ["Queens", "", "isnaa"], "There is no method \"isnaa\"; did you mean isna?",
                "Method (? lists them all) [isna]: "
            ),
            (
                ["Queens", "", "custom"], "Angles of your own are written into the file",
                "Method (? lists them all) [isna]: "
            ),
            (["Queens", "", "", "shade"], "Please answer standard or hanafi.", "Asr [hanafi]: "),
            (
                ["Queens", "", "", "", "what"], "Please answer y (yes), n (no, try the next one)",
                "Did you hear it? y, n, again, or skip: "
            ),
            (
                ["Queens", "", "", "", "y", "101"], "Please enter a whole number from 0 to 100.",
                "Volume [80]: "
            ),
            (
                ["Queens", "", "", "", "y", "", "a.txt"], "It is a text.",
                "Its file, or Enter to go on without one: "
            ),
            (
                ["Queens", "", "", "", "y", "", "", "fajr"], "Please write a prayer and a time or minutes",
                "Corrections, or Enter if they agree: "
            ),
            (
                ["Queens", "", "", "", "y", "", "", "asir +1"], "did you mean asr?",
                "Corrections, or Enter if they agree: "
            ),
            (
                ["Queens", "", "", "", "y", "", "", "isha x"], "neither a time such as 5:12",
                "Corrections, or Enter if they agree: "
            ),
            (
                ["Queens", "", "", "", "y", "", "", "isha +61"], "more than an hour",
                "Corrections, or Enter if they agree: "
            ),
            (
                ["Queens", "", "", "", "y", "", "", "", "perhaps"], "Please answer y (yes) or n (no).",
                "Save? y or n [y]: "
            ),
        ])
    func mistakes(answers: [String], sentence: String, prompt: String) throws {
        var conversation = SetupConversation(SetupDraft(try Machine.inputs()))
        let (text, _) = Machine.talk(&conversation, answers)
        #expect(text.replacing("\n", with: " ").contains(sentence), "\(text)")
        #expect(text.hasSuffix(prompt), "\(text)")
    }

    @Test("Nobody who answers nonsense for ever is asked for ever")
    func patience() throws {
        var conversation = SetupConversation(SetupDraft(try Machine.inputs()))
        let (_, end) = Machine.talk(&conversation, Array(repeating: "xqzzv", count: 50))
        #expect(end == .leave)
    }

    @Test("A device that fails is passed over; one that is not heard is followed by the next")
    func devices() throws {
        let inputs = try Machine.inputs(devices: ["default", "broken", "quiet", "loud"])
        var conversation = SetupConversation(SetupDraft(inputs))
        let (text, _) = Machine.talk(&conversation, ["Queens", "", "", "", "n", "n", "y"]) { device, _ in
            device == "broken" ? .failed(reason: "cannot open \"broken\": gone") : .played(note: nil)
        }
        #expect(text.contains("Cannot open \"broken\": gone."))
        #expect(conversation.draft.devices == ["loud"])
    }

    @Test("With no device left a name can be typed, or what the file has is kept")
    func noDevice() throws {
        let inputs = try Machine.inputs("[audio]\ndevices = [\"a\", \"b\"]\n", devices: ["a"])
        var conversation = SetupConversation(SetupDraft(inputs))
        let failing = { (device: String, _: Int) in
            device == "hw:9" ? SignalOutcome.played(note: "The mixer is muted") : .failed(reason: "no")
        }
        var text = Machine.talk(&conversation, ["Queens", "", "", ""], signal: failing).text
        #expect(text.hasSuffix("A device's name, again, or Enter to go on with [a, b]: "), "\(text)")
        var kept = conversation
        _ = kept.answer("")
        #expect(kept.draft.devices == ["a", "b"])
        text = Machine.talk(&conversation, ["Queens", "", "", "", "hw:9", "y"], signal: failing).text
        #expect(text.contains("The mixer is muted."))
        #expect(conversation.draft.devices == ["hw:9"])
    }

    @Test("Another volume is heard before it is taken")
    func volume() throws {
        var played: [Int] = []
        var conversation = SetupConversation(SetupDraft(try Machine.inputs()))
        _ = Machine.talk(&conversation, ["Queens", "", "", "", "y", "40", "50 %", ""]) { _, volume in
            played.append(volume)
            return .played(note: nil)
        }
        #expect(played == [80, 40, 50])
        #expect(conversation.draft.volume == 50)
    }

    @Test("What the mosque says becomes minutes, on a clock of twelve hours as well")
    func corrections() throws {
        var conversation = SetupConversation(SetupDraft(try Machine.inputs(system: "America/New_York")))
        let before = ["Queens", "", "", "y", "", ""]
        let shown = Machine.talk(&conversation, before).text
        #expect(shown.contains("Today, Friday 20 November 2026, at Queens, New York:"))
        let site = try #require(conversation.draft.site)
        let isha = try #require(site.computedTimes.day(CivilDate("2026-11-20")!)[.isha])
        let clock = SetupConversation.clock(isha, site.zone)
        let wanted = try #require(Int(clock.prefix(2))) - 12
        _ = conversation.answer("fajr -2, isha \(wanted)\(clock.dropFirst(2)), dhuhr=+3")
        #expect(conversation.draft.adjustments == EventMinutes(fajr: -2, dhuhr: 3))
        // A second correction is on top of the first: it is what is shown that differs.
        _ = conversation.answer("fajr +1")
        #expect(conversation.draft.adjustments.fajr == -1)
        #expect(
            conversation.draft.changes.contains {
                $0.key == "calculation.adjustments.fajr" && $0.value == .integer(-1)
            })
    }
}
