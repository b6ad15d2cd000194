import Places
import Protocol
import RemoteProgramme
import Settings
import Testing

@Suite("The set-up")
struct SetupDraftTests {
    /// Towns in the words of the list's own format are found by the trial; here the answers alone count.
    private static func answer(_ draft: inout SetupDraft, _ step: SetupDraft.Step, _ form: String) -> String?
    {
        do throws(FieldRefusal) {
            try draft.answer(step, try! Form(form.utf8)) { try! Gazetteer(bytes: []) }
            return nil
        } catch {
            return "\(error.field) \(error.code)"
        }
    }

    @Test("No answer counts before the one that it needs, and nothing is to be saved before the last")
    func order() {
        var draft = SetupDraft()
        #expect(draft.step == .place && draft.wish.changes.isEmpty && draft.config == nil)
        for (step, form, refused) in [
            (.place, "", "place missing"), (.town, "town=1", "town unknown"), (.town, "", "town missing"),
            (.method, "method=auto", "place missing"), (.asr, "asr=hanafi", "method missing"),
            (.loudspeaker, "device=x", "asr missing"), (.volume, "volume=30", "device missing"),
            (.done, "", "step missing"),
        ] as [(SetupDraft.Step, String, String)] {
            #expect(Self.answer(&draft, step, form) == refused)
        }
        #expect(draft == SetupDraft())
        #expect(throws: FieldRefusal.self) { try draft.heard("x", true) }
    }

    @Test("Methods have names that settings take, and none is of one's own angles")
    func methods() {
        #expect(
            SetupDraft.methods.first == "auto" && SetupDraft.methods.count > 20
                && !SetupDraft.methods.contains("custom"))
    }

    @Test("What does not open, and what was not heard, is proposed last")
    func devices() throws {
        #expect(SetupFacts(SetupDraft(), volume: "40").options.isEmpty)
    }
}
