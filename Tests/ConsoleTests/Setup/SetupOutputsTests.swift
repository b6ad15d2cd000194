import Places
import Settings
import Testing
import Texts

@testable import Console

@Suite("Setup of a box with several outputs")
struct SetupOutputsTests {
    private static let file = """
        [[output]]
        name = "hall"
        devices = ["hw:1", "default"]
        [[output]]
        name = "horn"
        devices = ["hw:2"]
        volume = 60
        max-volume = 33

        """

    private static let before = ["Queens", "", "", ""]

    private func talk(
        _ answers: [String], signal: (String, Int) -> SignalOutcome = { _, _ in .played(note: nil) }
    ) throws -> (text: String, draft: SetupDraft) {
        var conversation = SetupConversation(SetupDraft(try Machine.inputs(Self.file)))
        let text = Machine.talk(&conversation, Self.before + answers, signal: signal).text
        return (text, conversation.draft)
    }

    @Test("Each output is heard, no louder than it may be, and the volume is asked about where it counts")
    func heard() throws {
        var played: [String] = []
        let (text, draft) = try talk(["y", "y", "40", ""]) { device, volume in
            played.append("\(device) \(volume)")
            return .played(note: nil)
        }
        #expect(played == ["hw:1 80", "hw:2 33", "hw:1 40"])
        #expect(text.contains("Did you hear it in \"hall\"? y, n, again, or skip: y"))
        #expect(text.contains("Did you hear it in \"horn\"? y, n, again, or skip: y"))
        #expect(draft.devices == nil && draft.volume == 40)
        let written = String(decoding: try #require(draft.completed).newText(), as: UTF8.self)
        #expect(written.contains(Self.file) && !written.contains("[audio]"))
    }

    @Test("A device that does not open is followed by the next; an output that is not heard has advice")
    func silent() throws {
        let (text, draft) = try talk(["n", "skip"]) { device, _ in
            device == "default" ? .played(note: nil) : .failed(reason: "cannot open \"\(device)\": gone")
        }
        #expect(text.contains("Cannot open \"hw:1\": gone."))
        #expect(text.contains("\"hall\" was not heard: look at its plug"))
        // Of the horn no device is left.
        #expect(text.contains("\"horn\" was not heard") && text.contains("Its devices are hw:2, under"))
        #expect(text.hasSuffix("Volume [80]: ") || text.contains("5 of 5"))
        #expect(draft.devices == nil)
    }

    @Test("Its document names the outputs, and that of a box without them does not")
    func document() throws {
        let draft = try #require(talk(["y", "y", ""]).draft.completed)
        let result = ReloadResult(true, "in force")
        let document = try #require(SetupDocument(draft, backup: nil, result))
        #expect(document.outputs?.map(\.name) == ["hall", "horn"])
        #expect(document.devices == ["hw:1", "default"])
        let text = SetupText.render(document, .plain)
        #expect(text.contains("hall (hw:1, default), horn (hw:2), volume 80"))
    }
}
