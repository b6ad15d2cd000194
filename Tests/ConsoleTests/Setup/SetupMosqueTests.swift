import PrayerEngine
import Testing
import Texts

@testable import Console
@testable import Settings

@Suite("Setup asks for a mosque's own times")
struct SetupMosqueTests {
    private static let start = ["Queens", "", "", "y", "", ""]

    private func conversation() throws -> SetupConversation {
        SetupConversation(SetupDraft(try Machine.inputs(system: "America/New_York", timetables: true)))
    }

    @Test("A timetable with Fajr's congregation, and a question for each of the others")
    func timetable() throws {
        var conversation = try conversation()
        let (asked, _) = Machine.talk(&conversation, Self.start)
        #expect(asked.hasSuffix("Its file, or Enter to use the computed times: "), "\(asked)")
        let (text, end) =
            (Machine.go(
                &conversation, ["none.txt", "2027.csv", "", "", "1:30", "-", "", "+10m", "1:15, 14:00", "y"]))
        #expect(text.contains("There is no row") || text.contains("there is no row"), "\(text)")
        #expect(text.contains("Are these your mosque's times? y or n [y]: "), "\(text)")
        #expect(
            !text.contains("Fajr [") && text.contains("Dhuhr [+15m]: 1:30\n  Dhuhr's 1:30 is read as 13:30."),
            "\(text)")
        #expect(end == .save, "\(text)")
        let draft = conversation.draft
        #expect(draft.timetable?.file == "2027.csv")
        #expect(
            draft.iqama == [
                .dhuhr: .clock(minutes: 810), .maghrib: .after(nil, minutes: 5),
                .isha: .after(nil, minutes: 10),
            ])
        #expect(draft.khutbas == [.clock(minutes: 795), .clock(minutes: 840)])
        let config = try ConfigLoader.load(text: draft.newText(), file: "new")
        #expect(config.jumua.slots.map(\.khutba) == [.clock(minutes: 795), .clock(minutes: 840)])
        #expect(config.iqama.rules[.dhuhr]?.at == .clock(minutes: 810) && config.iqama.rules[.asr] == nil)
        let lines = String(decoding: try draft.newText(), as: UTF8.self).split(separator: "\n")
        #expect(lines.contains("maghrib = \"+5m\"  # when Maghrib's congregation stands up"))
    }

    @Test("Without a mosque two times Enter, and nothing is written; a doubtful table is not taken by Enter")
    func home() throws {
        var conversation = try conversation()
        _ = Machine.talk(&conversation, Self.start)
        let (text, end) = Machine.go(&conversation, ["doubtful.csv", "", "", "", "", ""])
        #expect(text.contains("Are these your mosque's times? y or n [n]: "), "\(text)")
        #expect(
            end == .save && conversation.draft.timetable == nil && conversation.draft.iqama.isEmpty, "\(text)"
        )
    }

    @Test("A clock time that the adhan overtakes is said with its weeks, and what is none is refused")
    func doubts() throws {
        var conversation = try conversation()
        _ = Machine.talk(&conversation, Self.start)
        let (text, _) = Machine.go(
            &conversation, ["", "", "y", "", "12:00", "quarter past", "sunrize-5m", "y"])
        #expect(text.contains("?\n") && !text.contains("?."), "\(text)")
        #expect(
            text.contains("Note: dhuhr's iqama is a clock time, and from 2"),
            "\(text)")
        #expect(text.contains("Asr's iqama must be a clock time such as 13:30"), "\(text)")
    }
}
