import Console
import Foundation
import Protocol
import Testing
import Texts

extension SetupTests {
    // MARK: - On a terminal

    @Test("The end of the input leaves everything as it is, and says so")
    func ended() throws {
        let terminal = try Typist()
        let program = Adhanctl()
        let outcome = try terminal.run(
            program, ["setup", "--config", file(program)], typing: ["Queens\n", "\u{4}"])
        #expect(outcome.status == 1)
        #expect(outcome.text.contains("1 of 5  Where is this box?"), "\(outcome.text)")
        #expect(
            outcome.text.hasSuffix("adhanctl: the input ended; nothing was changed\r\n"), "\(outcome.text)")
        #expect(!FileManager.default.fileExists(atPath: file(program)))
    }

    @Test("Ctrl-C leaves everything as it is, and says so")
    func interrupted() throws {
        let terminal = try Typist()
        let program = Adhanctl()
        let outcome = try terminal.run(
            program, ["setup", "--config", file(program)], typing: ["Queens\n", "\u{3}"])
        #expect(outcome.status == 130)
        #expect(outcome.text.hasSuffix("adhanctl: interrupted; nothing was changed\r\n"), "\(outcome.text)")
        #expect(!FileManager.default.fileExists(atPath: file(program)))
    }

    @Test("Ctrl-C at the last question leaves everything as it is")
    func interruptedLast() throws {
        let terminal = try Typist()
        let program = Adhanctl()
        let outcome = try terminal.run(
            program, ["setup", "--config", file(program), "--device", "null", "--volume", "50"],
            typing: ["london ontario\n", "\n", "\n", "\n", "\n", "\n", "\n", "\n", "\u{3}"])
        #expect(outcome.text.contains("Save? y or n"), "\(outcome.text)")
        #expect(
            outcome.status == 130 && outcome.text.hasSuffix("interrupted; nothing was changed\r\n"),
            "\(outcome.text)")
        #expect(!FileManager.default.fileExists(atPath: file(program)))
    }

    @Test("Answers on a terminal are saved")
    func answered() throws {
        let terminal = try Typist()
        let program = Adhanctl()
        try addSound("mine.mp3", to: program)
        let outcome = try terminal.run(
            program, ["setup", "--config", file(program), "--device", "null", "--volume", "50"],
            typing: [
                "Queens\n", "\n", "\n", "standard\n", "~/none.mp3\n", "~/mine.mp3\n", "\n", "\n", "\n", "\n",
                "y\n",
            ])
        #expect(outcome.status == 0, "\(outcome.text)")
        let text = try String(contentsOfFile: file(program), encoding: .utf8)
        #expect(text.contains("asr = \"standard\"") && text.contains("devices = [\"null\"]"), "\(text)")
        #expect(
            outcome.text.contains("Cannot read") && outcome.text.contains("none.mp3")
                && text.contains("sound = \"mine\""),
            "\(outcome.text)")
        #expect(
            FileManager.default.fileExists(
                atPath: program.home.path + "/.local/state/adhand/sounds/mine/adhan.mp3"))
    }

    /// Puts a recording into the home of the person who types.
    private func addSound(_ name: String, to program: Adhanctl) throws {
        let signal = URL(fileURLWithPath: #filePath).appending(path: "../../../Resources/audio/signal.mp3")
        try FileManager.default.copyItem(
            at: signal.standardized, to: URL(fileURLWithPath: program.home.path + "/" + name))
    }
}
