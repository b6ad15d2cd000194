import Console
import Foundation
import Protocol
import Settings
import Testing
import Texts

@Suite("Setting keys")
struct SetTests {
    private static let ours = "# ours\n[adhan] # all\nvolume = 80 # loud\n"

    private func program(_ text: String = ours) throws -> Adhanctl {
        let program = Adhanctl()
        try program.configure(text)
        return program
    }

    /// Named, because root would write the system's.
    private func run(_ program: Adhanctl, _ line: String) throws -> Adhanctl.Outcome {
        try program.run(
            line.split(separator: " ").map(String.init) + ["--config", program.configurationFile])
    }

    private func text(_ program: Adhanctl, _ suffix: String = "") throws -> String {
        try String(contentsOfFile: program.configurationFile + suffix, encoding: .utf8)
    }

    @Test("A key is set, comments stay, and undo undoes it, and itself")
    func set() throws {
        let program = try program()
        let outcome = try run(program, "set adhan.volume 70")
        #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome)")
        #expect(
            outcome.output.hasPrefix(
                "adhan.volume = 70 (was 80)\nSaved in \(program.configurationFile); "
                    + "\"adhanctl set --undo\" undoes it.\nadhand is not running.\nTry: adhand --config \(program.configurationFile)\n"
            ))
        let new = Self.ours.replacing("80 # loud", with: "70 # loud")
        #expect(try text(program) == new)
        #expect(try text(program, ".bak") == Self.ours)
        #expect(try run(program, "set adhan.volume 70").output.contains("says so already"))
        #expect(try run(program, "set --undo").status == 0)
        #expect(try text(program) == Self.ours)
        #expect(try run(program, "set --undo").status == 0)
        #expect(try text(program) == new)
    }

    static let changes = [
        "set adhan.volume 70", "set adhan.fajr.volume 60", "unset adhan.volume", "method Makkah",
        "sound use silent",
    ]

    @Test(
        "After any two changes one undo leaves the first alone, and another brings back both",
        arguments: changes)
    func pairs(first: String) throws {
        for second in Self.changes {
            let program = try program()
            #expect(try run(program, first).status == 0)
            let one = try text(program)
            #expect(one != Self.ours)
            #expect(try run(program, second).status == 0, "\(first), \(second)")
            let both = try text(program)
            // The same once more changes nothing, so that it is the first that is undone.
            #expect((one == both) == (first == second), "\(first), \(second)")
            #expect(try run(program, "set --undo").status == 0)
            #expect(try text(program) == (one == both ? Self.ours : one), "\(first), \(second)")
            #expect(try run(program, "set --undo").status == 0)
            #expect(try text(program) == both, "\(first), \(second)")
        }
    }

    @Test("Several keys at once, in a file that is not there yet, and negative numbers")
    func several() throws {
        let program = Adhanctl()
        let outcome = try run(program, "set location.latitude=-33.9 location.longitude=18.4 --json")
        let document = try JSON.decode(SetDocument.self, from: Array(outcome.output.utf8))
        #expect(document.file == program.configurationFile && document.backup == nil && !document.reloaded)
        #expect(document.fix == "adhand --config \(program.configurationFile)")
        #expect(document.changes.map(\.value) == ["-33.9", "18.4"])
        #expect(try program.run("check").output.contains("-33.9000, 18.4000"))
        #expect(try run(program, "set location.latitude -34").status == 0)
        #expect(try program.run("check").output.contains("-34.0000, 18.4000"))
    }

    @Test("A method and a sound have commands of their own, which take what people call them")
    func others() throws {
        let program = try program()
        #expect(
            try run(program, "method Makkah").output.hasPrefix(
                "calculation.method = \"umm-al-qura\" (was not set)\n"))
        #expect(
            try run(program, "sound use standard --prayer fajr").output.hasPrefix(
                "adhan.fajr.sound = \"standard\""))
        #expect(try run(program, "sound use silent").status == 0)
        let check = try program.run("check --json").output
        #expect(
            check.contains("\"method\":\"umm-al-qura\"") && check.contains("\"key\":\"adhan.fajr.sound\""))
        let missing = try run(program, "sound use nowhere")
        #expect(missing.status == 1 && missing.error.contains("there is no sound \"nowhere\""), "\(missing)")
    }

    @Test("A drop-in overrides the file, and is named")
    func dropIn() throws {
        let program = try program()
        let directory = program.configurationFile + ".d"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        try Data("adhan.volume = 41\n".utf8).write(to: URL(fileURLWithPath: directory + "/1.toml"))
        let outcome = try run(program, "set adhan.volume 70")
        #expect(outcome.status == 1)
        #expect(
            outcome.error.contains("the drop-in \(directory)/1.toml, line 1, sets adhan.volume"),
            "\(outcome)")
        #expect(try text(program) == Self.ours)
        let setup = try run(program, "setup --city Queens --volume 12 --yes")
        #expect(setup.status == 1 && setup.error.contains("sets adhan.volume"), "\(setup)")
        #expect(try text(program) == Self.ours)
        #expect(try run(program, "set adhan.fajr.volume 70").status == 0)
    }

    @Test(
        "What cannot be is refused with a status and one sentence, and nothing is written",
        arguments: [
            ("set", 64, "set needs a key and a value"),
            ("set adhan.volume", 64, "set needs a key and a value"),
            ("set adhan.volum 3", 64, "did you mean volume?"), ("set adhan.volume 300", 64, "0 to 100"),
            ("set location.latitude=3", 65, "needs location.longitude"),
            ("set --undo adhan.volume=3", 64, "--undo"),
            ("set --undo", 1, "set has not changed"), ("set adhan.volume 3 --confg x", 64, "--confg"),
            ("method isnaa", 64, "did you mean \"isna\"?"),
            ("method custom", 65, "needs fajr and isha"), ("set timezone Europe/Berlni", 65, "Europe/Berlin"),
        ] as [(String, Int32, String)])
    func refused(_ line: String, _ status: Int32, _ words: String) throws {
        let program = try program()
        let outcome = try run(program, line)
        #expect(outcome.status == status && outcome.output.isEmpty, "\(outcome)")
        #expect(
            outcome.error.contains(words) && outcome.error.split(separator: "\n").count == 1, "\(outcome)")
        #expect(try text(program) == Self.ours)
    }

    @Test("A file with mistakes is not written; check tells every one of them")
    func mistakes() throws {
        let program = try program("[adhan]\nvolum = 3\nenabled = yes\n")
        let outcome = try run(program, "set adhan.volume 3")
        #expect(outcome.status == 65 && outcome.error.contains("did you mean volume?"), "\(outcome)")
        let check = try program.run("check")
        #expect(check.status == 65)
        let lines = check.error.split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("adhanctl: \(program.configurationFile):") } == 2, "\(check)")
        #expect(try program.run("times").error.hasSuffix(" (and 1 more mistake)\n"))
    }
}
