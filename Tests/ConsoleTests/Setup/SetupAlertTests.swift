import Testing
import Texts

@testable import Console
@testable import Settings

@Suite("Setup asks who learns when an adhan is not heard")
struct SetupAlertTests {
    private static let start = ["Queens", "", "", "y", ""]

    private func conversation(now: String? = nil) throws -> SetupConversation {
        let ready = SetupMessages.ready(
            .init(file: "/tmp/bridge.toml", now: now, hasOthers: false, proposal: "adhan-abc"))
        return SetupConversation(
            SetupDraft(try Machine.inputs(system: "America/New_York", recordings: false, messages: ready)))
    }

    private func asked(_ conversation: inout SetupConversation) {
        let (text, _) = Machine.talk(&conversation, Self.start + [""])
        #expect(text.hasSuffix("Address, or Enter for nobody: "), "\(text)")
        #expect(text.contains("  and type ntfy.sh/adhan-abc\n"), "\(text)")
    }

    @Test("An address is tried, and saved once somebody saw the message")
    func arrives() throws {
        var conversation = try conversation()
        asked(&conversation)
        let (text, end) = Machine.go(&conversation, ["ntfy.sh/our-mosque", "", "y", "y"])
        #expect(text.contains("Sending a test message to https://ntfy.sh/our-mosque"), "\(text)")
        #expect(text.contains("Please answer y (yes), n (no), again, skip"), "\(text)")
        #expect(
            text.contains("  and https://ntfy.sh/our-mosque learns when an adhan is not heard\n"), "\(text)")
        #expect(end == .save, "\(text)")
        #expect(conversation.draft.message == .to("https://ntfy.sh/our-mosque", isTried: true))
    }

    @Test("Enter is nobody, and says nothing more about it")
    func nobody() throws {
        var conversation = try conversation()
        asked(&conversation)
        let (text, end) = Machine.go(&conversation, ["", "y"])
        #expect(
            end == .save && conversation.draft.message == nil
                && !text.contains("learns when an adhan is not heard\n"), "\(text)")
    }

    @Test(
        "What is no address is refused with its reason, and one that nothing answers at may be kept or corrected"
    )
    func refused() throws {
        var conversation = try conversation()
        asked(&conversation)
        let (text, end) = Machine.go(
            &conversation,
            [
                "our mosque", "http://example.org/x", "ntfy.sh", "https://user:pw@example.org/x",
                "https://nowhere.example/x",
                "", "again", "https://ntfy.sh/right", "n", "https://nowhere.example/x", "keep", "y",
            ])
        for reason in [
            "no spaces", "without https it is readable on its way", "behind ntfy.sh stands the name",
            "a password in it", "It was not taken: the server's name is not known.",
            "Please answer with an address",
            "Is the phone subscribed to exactly that name",
        ] { #expect(text.contains(reason), "\(reason): \(text)") }
        #expect(end == .save && conversation.draft.message == .to("https://nowhere.example/x", isTried: true))
    }

    @Test("The second time it shows the answer, which Enter keeps and - takes away; back leads before it")
    func again() throws {
        for (answer, wanted) in [("", MessageAnswer?.none), ("-", .nobody), ("nobody", .nobody)] {
            var conversation = try conversation(now: "https://ntfy.sh/old")
            let (text, _) = Machine.talk(&conversation, Self.start + ["", "back", ""])
            #expect(
                text.hasSuffix(
                    "  Now: https://ntfy.sh/old\nAnother address, - for nobody, or Enter to keep it: "),
                "\(text)")
            let (_, end) = Machine.go(&conversation, [answer, "y"])
            #expect(end == .save && conversation.draft.message == wanted)
        }
    }

    @Test(
        "Before it is saved the answer can be changed; without adhan-bridge a line says what it would be for")
    func changed() throws {
        var conversation = try conversation()
        asked(&conversation)
        let (text, end) = Machine.go(&conversation, ["", "n", "message", "ntfy.sh/b", "skip", "y"])
        #expect(text.contains("volume, recording, message or times; or leave"), "\(text)")
        #expect(
            end == .save && conversation.draft.message == .to("https://ntfy.sh/b", isTried: true), "\(text)")
        var other = SetupConversation(
            SetupDraft(
                try Machine.inputs(system: "America/New_York", recordings: false, messages: .notInstalled)))
        let (transcript, _) = Machine.talk(&other, Self.start + [""])
        #expect(
            transcript.contains("With the package adhand-bridge")
                && transcript.hasSuffix("Save? y or n [y]: "), "\(transcript)"
        )
    }
}
