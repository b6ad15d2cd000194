import Console
import Foundation
import Protocol
import Testing
import Texts

@Suite("Setup")
struct SetupTests {
    func file(_ program: Adhanctl) -> String { program.home.path + "/etc/adhand.toml" }

    func setup(
        _ program: Adhanctl, _ arguments: [String], json: Bool = false
    ) throws -> Adhanctl.Outcome {
        try program.run((json ? ["--json"] : []) + ["setup", "--config", file(program)] + arguments)
    }

    @Test("Options alone make a configuration that check accepts")
    func unattended() throws {
        let program = Adhanctl()
        let outcome = try setup(program, ["--city", "kuala lumpur", "--volume", "55", "--yes"])
        #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome)")
        #expect(outcome.output.hasPrefix("Saved in \(file(program)).\n"))
        #expect(outcome.output.contains("Kuala Lumpur, Malaysia (3.1412, 101.6865), Asia/Kuala_Lumpur"))
        #expect(outcome.output.contains("adhand is not running."))
        #expect(outcome.output.contains("Try: adhand --config \(file(program))\n"))
        let check = try program.run(["--json", "check", file(program)])
        // Whether this machine has a sound card is another matter.
        #expect(
            check.output.contains("\"method\":\"jakim\"") && check.output.contains("\"valid\":true"),
            "\(check)")
        #expect(
            try String(contentsOfFile: file(program), encoding: .utf8).contains(
                "timezone = \"Asia/Kuala_Lumpur\""))
    }

    @Test("With --json what was written is one document")
    func json() throws {
        let program = Adhanctl()
        let outcome = try setup(
            program,
            [
                "--latitude", "-33.87", "--longitude", "151.21", "--name", "Masjid", "--method", "3", "--asr",
                "hanafi",
                "--device", "hw:1", "--device", "default", "--untested", "--yes",
            ], json: true)
        let document = try JSON.decode(SetupDocument.self, from: Array(outcome.output.utf8))
        #expect(document.location.name == "Masjid" && document.location.timezone == "Australia/Sydney")
        #expect(document.calculation.method == "mwl" && document.calculation.asr == "hanafi")
        #expect(document.devices == ["hw:1", "default"] && document.backup == nil && !document.reloaded)
        #expect(document.fix == "adhand --config \(file(program))")
        #expect(document.changes.contains { $0.key == "location.latitude" && $0.value == "-33.87" })
    }

    @Test(
        "An existing file keeps its comments, its mode and a backup; undo brings it back, and undo again the new one"
    )
    func undo() throws {
        let program = Adhanctl()
        _ = try setup(program, ["--city", "Queens", "--yes"])
        let old =
            "# ours\n[location] # roof\nlatitude = 1\nlongitude = 2\n[adhan]\nreminders = [\"10m\"] # early\n"
        try old.write(toFile: file(program), atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file(program))
        let outcome = try setup(program, ["--city", "مكة", "--yes"])
        #expect(outcome.output.contains("adhanctl setup --undo"))
        let new = try String(contentsOfFile: file(program), encoding: .utf8)
        #expect(
            new.hasPrefix("timezone = \"Asia/Riyadh\"\n\n# ours\n[location] # roof\nlatitude = 21.4266\n"),
            "\(new)")
        #expect(new.contains("reminders = [\"10m\"] # early\n"))
        let mode = try FileManager.default.attributesOfItem(atPath: file(program))[.posixPermissions]
        #expect(mode as? Int == 0o640)
        #expect(try String(contentsOfFile: file(program) + ".bak", encoding: .utf8) == old)
        #expect(try setup(program, ["--undo"]).status == 0)
        #expect(try String(contentsOfFile: file(program), encoding: .utf8) == old)
        #expect(try setup(program, ["--undo"]).status == 0)
        #expect(try String(contentsOfFile: file(program), encoding: .utf8) == new)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: program.home.path + "/etc").sorted() == [
                "adhand.toml", "adhand.toml.bak",
            ])
    }

    @Test("A place moved by its coordinates does not keep the old one's name")
    func renamed() throws {
        let program = Adhanctl()
        _ = try setup(program, ["--city", "Queens", "--name", "Masjid", "--yes"])
        let outcome = try setup(program, ["--latitude", "-33.87", "--longitude", "151.21", "--yes"])
        #expect(outcome.output.contains("Sydney") && !outcome.output.contains("Masjid"), "\(outcome)")
        #expect(
            try String(contentsOfFile: file(program), encoding: .utf8).contains(
                "timezone = \"Australia/Sydney\""))
    }

    @Test("What a drop-in beside the file holds is not written in vain")
    func dropIn() throws {
        let program = Adhanctl()
        let directory = file(program) + ".d"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try "[calculation]\nmethod = \"mwl\"\n".write(
            toFile: directory + "/10-site.toml", atomically: true, encoding: .utf8)
        let outcome = try setup(program, ["--city", "Queens", "--yes"])
        #expect(
            outcome.status == 1
                && outcome.error.contains(
                    "the drop-in \(directory)/10-site.toml, line 2, sets calculation.method"),
            "\(outcome)")
        #expect(!FileManager.default.fileExists(atPath: file(program)))
    }

    @Test("A daemon that runs without a file reads the one that is begun")
    func begun() throws {
        var program = Adhanctl()
        let status = try SampleDocuments.status(configuration: "x", lookedFor: [file(program)])
        let service = FakeService(in: program.home) { request in
            .reply(
                .document(request == .getStatus ? StatusReply(status: status) : ChangeReply("it is in force"))
            )
        }
        program.socket = service.path
        let outcome = try setup(program, ["--city", "Queens", "--yes"])
        #expect(outcome.output.contains("it is in effect now"), "\(outcome)")
        let text = try String(contentsOfFile: file(program), encoding: .utf8)
        #expect(text.contains("[location]\n# name = ") && text.contains("\n# [debug]"), "\(text)")
    }

    @Test("What was set up is not written again")
    func again() throws {
        let program = Adhanctl()
        _ = try setup(program, ["--city", "Queens", "--yes"])
        let outcome = try setup(program, ["--yes"])
        #expect(outcome.status == 0 && outcome.output.contains("says all of this already"), "\(outcome)")
        #expect(!FileManager.default.fileExists(atPath: file(program) + ".bak"))
    }

    @Test("A link to the file stays a link")
    func link() throws {
        let program = Adhanctl()
        _ = try setup(program, ["--city", "Queens", "--yes"])
        let link = program.home.path + "/link.toml"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file(program))
        #expect(try program.run(["setup", "--config", link, "--volume", "12", "--yes"]).status == 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file(program))
        #expect(try String(contentsOfFile: file(program), encoding: .utf8).contains("volume = 12"))
    }

    @Test(
        "What cannot be is refused with a status and one sentence, and nothing is written",
        arguments: [
            ([], 64, "--city NAME"), (["--city", "Queens"], 64, "--yes"),
            (["--yes"], 64, "--yes needs a place"),
            (["--city", "Quenns", "--yes"], 1, "did you mean Queens, New York, United States?"),
            (["--city", "Springfield", "--yes"], 1, "Springfield, Illinois, United States"),
            (["--city", "10115 Berlin", "--yes"], 1, "no postal codes"),
            (["--city", "Queens", "--latitude", "1", "--longitude", "1", "--yes"], 64, "exclude each other"),
            (["--latitude", "1", "--yes"], 64, "go together"),
            (["--latitude", "91", "--longitude", "0", "--yes"], 64, "-90"),
            (["--city", "Queens", "--method", "isnaa", "--yes"], 64, "isna"),
            (["--city", "Queens", "--method", "custom", "--yes"], 64, "by hand"),
            (["--city", "Queens", "--asr", "both", "--yes"], 64, "hanafi"),
            (["--city", "Queens", "--volume", "101", "--yes"], 64, "0 to 100"),
            (["--city", "Queens", "--timezone", "America/New_Yrok", "--yes"], 65, "America/New_York"),
            (["--undo", "--yes"], 64, "--undo"), (["--undo"], 1, "setup has not changed"),
            (["--city", "Queens", "--device", "", "--yes"], 65, "ALSA"),
            (["--city", "Queens", "--device", "nope", "--yes"], 1, "the device \"nope\" cannot be used: "),
            (["--city", "Queens", "--untested", "--yes"], 64, "--untested goes with --device"),
        ] as [([String], Int32, String)])
    func refused(arguments: [String], status: Int32, words: String) throws {
        let program = Adhanctl()
        let outcome = try setup(program, arguments)
        #expect(outcome.status == status, "\(outcome)")
        #expect(outcome.output.isEmpty)
        #expect(
            outcome.error.split(separator: "\n").count == 1 && outcome.error.contains(words),
            "\(outcome.error)")
        #expect(!FileManager.default.fileExists(atPath: file(program)))
    }

    @Test("A file with a mistake is left alone")
    func invalid() throws {
        let program = Adhanctl()
        try program.configure("[location\n")
        let outcome = try program.run([
            "setup", "--config", program.configurationFile, "--city", "Queens", "--yes",
        ])
        #expect(outcome.status == 65 && outcome.error.contains("adhand.toml:1:"), "\(outcome)")
        #expect(try String(contentsOfFile: program.configurationFile, encoding: .utf8) == "[location\n")
    }

    @Test("A daemon that reads the file is asked to reload; one that reads another is not")
    func daemon() throws {
        for isSame in [true, false] {
            var program = Adhanctl()
            let file = isSame ? file(program) : "/elsewhere/adhand.toml"
            let status = try SampleDocuments.status(configuration: file)
            let service = FakeService(in: program.home) { request in
                .reply(
                    .document(
                        request == .getStatus ? StatusReply(status: status) : ChangeReply("it is in force")))
            }
            program.socket = service.path
            let outcome = try setup(program, ["--city", "Queens", "--yes"])
            #expect(
                outcome.output.contains(isSame ? "it is in effect now" : "reads another configuration"),
                "\(outcome)")
            let reloads = service.requests.count { if case .reload = $0 { true } else { false } }
            #expect(reloads == (isSame ? 1 : 0))
        }
    }

    @Test(
        "A timetable and the congregation's rules by options, one commented line a rule; what is wrong changes nothing"
    )
    func mosque() throws {
        let program = Adhanctl()
        let table = program.home.path + "/times.csv"
        try "date,fajr,dhuhr\n2027-01-01,06:00,12:05\n".write(
            toFile: table, atomically: true, encoding: .utf8)
        let common = ["setup", "--config", file(program), "--city", "Queens", "--yes"]
        for wrong in [["--iqama", "dhuhr=25:00"], ["--iqama", "dhuhr"], ["--iqama", "jumua=13:00"]] {
            #expect(try program.run(common + wrong).status == 64)
        }
        #expect(try program.run(common + ["--timetable", program.home.path + "/none.csv"]).status != 0)
        #expect(!FileManager.default.fileExists(atPath: file(program)))
        let outcome = try program.run(
            common + ["--timetable", table, "--iqama", "dhuhr=1:30pm", "--iqama", "isha=+10m"])
        #expect(outcome.status == 0, "\(outcome)")
        let text = try String(contentsOfFile: file(program), encoding: .utf8)
        #expect(text.contains("dhuhr = \"13:30\"  # when Dhuhr's congregation stands up"), "\(text)")
        #expect(text.contains("isha = \"+10m\"  # when Isha's congregation stands up"), "\(text)")
        let list = try program.run(["iqama", "--config", file(program), "--date", "2027-01-01", "--json"])
        #expect(list.output.contains("\"dhuhr\":\"2027-01-01T13:30:00-05:00\""), "\(list)")
        #expect(
            try String(
                contentsOfFile: program.home.path + "/.local/state/adhand/timetable.csv", encoding: .utf8
            )
            .contains("2027-01-01,06:00,12:05"))
    }
}
