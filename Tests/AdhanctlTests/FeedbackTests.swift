import Foundation
import Testing
import Texts

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

    @Test("A link under the file's name is not followed; the next name is taken")
    func links() throws {
        var program = try Adhanctl.inQueens("[audio]\ndevices = [\"null\"]")
        program.directory = program.home.path
        let words = ["--socket", "/nowhere/s", "--json", "feedback", "--kind", "idea", "--text", "x"]
        let files = FileManager.default
        let target = program.home.path + "/target"
        let first = try program.run(words)
        let path = try #require(try JSON.decode([String: String].self, from: first.output.utf8)["file"])
        try files.removeItem(atPath: path)
        try files.createSymbolicLink(atPath: path, withDestinationPath: target)
        let second = try program.run(words)
        let next = path.replacing(".txt", with: "-2.txt")
        #expect(second.status == 0 && files.fileExists(atPath: next), "\(second)")
        let named = try program.run(words + ["--output", path])
        #expect(named.status == 1 && named.error.contains("is there already"), "\(named)")
        let diagnostics = try program.run("--socket /nowhere/s diagnostics --output \(path)")
        #expect(diagnostics.error.contains("it is a symbolic link; name the file itself"), "\(diagnostics)")
        #expect(!files.fileExists(atPath: target))
    }

    @Test(
        "What is missing is named",
        arguments: ["feedback", "feedback --kind idea", "feedback --kind praise --text x"])
    func usage(line: String) throws {
        let outcome = try Adhanctl().run("--socket /nowhere/s \(line)")
        #expect(outcome.status == 64 && outcome.output.isEmpty && outcome.error.contains("--"), "\(outcome)")
    }

    @Test("On a terminal a question mark is answered at every question, and is no sentence")
    func help() throws {
        let program = try Adhanctl.inQueens("[audio]\ndevices = [\"null\"]")
        let path = program.home.path + "/f.txt"
        let outcome = try Typist().run(
            program, ["--socket", "/nowhere/s", "feedback", "--output", path],
            typing: ["?\n", "3\n", "?\n", "A louder Fajr.\n", "?\n", "\n", "y\n"],
            prompts: [": ", "> ", "[Y/n] "])
        #expect(outcome.status == 0, "\(outcome.text)")
        #expect(outcome.text.contains("3  something that adhand should do"), "\(outcome.text)")
        #expect(outcome.text.components(separatedBy: "Say what you did").count == 3, "\(outcome.text)")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("in my own words\n  A louder Fajr.\n\n"), "\(text)")
    }
}
