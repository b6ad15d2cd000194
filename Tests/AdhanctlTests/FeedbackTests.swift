import AdhanCore
import Foundation
import Testing

@Suite("feedback")
struct FeedbackTests {
    @Test(
        "Without a terminal options say all; one file is written, which is nobody else's, and nothing is sent"
    )
    func file() throws {
        let program = try Adhanctl.inQueens("[audio]\ndevices = [\"null\"]")
        let path = program.home.path + "/f.txt"
        let outcome = try program.run(
            [
                "--socket", "/nowhere/s", "feedback", "--kind", "no-sound", "--text",
                "Nothing at 40.7282, -73.7949", "--output", path,
            ])
        #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome)")
        #expect(outcome.output.contains(path) && outcome.output.contains("Nothing has been sent."))
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(
            text.contains("about no sound, or a bad one\n") && text.contains("in my own words\n  Nothing at ")
        )
        #expect(text.contains("\ndoctor\n") && text.contains("\nthe last 100 events\n"))
        #expect(!text.contains("40.7282") && !text.contains(program.home.path))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let again = try program.run([
            "--socket", "/nowhere/s", "feedback", "--kind", "idea", "--text", "x", "--output", path,
        ])
        #expect(again.status == 1 && again.error.contains("is there already"), "\(again)")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    @Test(
        "What is missing is named",
        arguments: ["feedback", "feedback --kind idea", "feedback --kind praise --text x"])
    func usage(line: String) throws {
        let outcome = try Adhanctl().run("--socket /nowhere/s \(line)")
        #expect(outcome.status == 64 && outcome.output.isEmpty && outcome.error.contains("--"), "\(outcome)")
    }
}
