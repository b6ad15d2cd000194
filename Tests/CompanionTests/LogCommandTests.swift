import Foundation
import LabSupport
import Testing

struct LogCommandTests {
    private static let prayers = ["fajr", "dhuhr", "asr", "maghrib", "isha"]

    /// Days until the day before yesterday, all of which are over whatever the hour is.
    private func csv(_ person: Person, days: Int, status: String = "prayed") -> String {
        "date,prayer,status\n"
            + (2..<(2 + days)).flatMap { day in Self.prayers.map { "\(person.date(day)),\($0),\(status)\n" } }
            .joined()
    }

    @Test("Imported days make a streak and earn badges")
    func aWeekOfImportedDaysIsAStreakWithBadges() throws {
        let person = try Person()
        let file = try person.write("log.csv", csv(person, days: 8))
        let done = try person.run("import \(file) --yes")
        #expect(done.status == 0, "\(done)")
        #expect(
            done.output
                == "40 entries from \(person.date(9)) to \(person.date(2)), 40 of them new; imported. \"adhan-companion undo\" undoes it\n"
        )
        let streak = try person.document("streak --json")
        #expect(streak["best"] as? Int == 8)
        let badges = try person.document("badges --json")["badges"] as? [[String: Any]] ?? []
        let earned = badges.filter { $0["earned"] as? Bool == true }.compactMap { $0["id"] as? String }
        #expect(Set(earned).isSuperset(of: ["first-prayer", "perfect-day", "week-warrior"]))
        #expect(!earned.contains("month-master"))
        let stats = try person.document("stats --json")
        #expect((stats["total"] as? [String: Any])?["prayed"] as? Int == 40)
        // Of yesterday nothing was logged, so nobody knows.
        let days = try person.document("week --json")["days"] as? [[String: Any]] ?? []
        #expect(days.count == 7)
        #expect((days[5]["prayers"] as? [String: String])?["fajr"] == "unlogged")
        #expect((days[4]["prayers"] as? [String: String])?["fajr"] == "prayed")
        // An undone change is gone, with all its effects.
        #expect(try person.run("prayed asr --date \(person.date(5)) --undo").status == 0)
        #expect(try person.document("streak --json")["best"] as? Int == 4)
    }

    @Test("A mark replaces the one before it, and --undo leads back through all of them")
    func marksReplaceAndAreUndone() throws {
        let person = try Person()
        let day = person.date(3)
        func state() throws -> String? {
            let days = try person.document("week --json")["days"] as? [[String: Any]] ?? []
            return (days.first { $0["date"] as? String == day }?["prayers"] as? [String: String])?["asr"]
        }
        #expect(
            try person.run("prayed asr --date \(day)").output
                == "Asr \(day): prayed. Prayed today: 0 of 5.\n")
        #expect(try state() == "prayed")
        for (flag, name) in [("--late", "late"), ("--made-up", "made-up"), ("--excused", "excused")] {
            #expect(try person.run("prayed asr --date \(day) \(flag)").status == 0)
            #expect(try state() == name)
        }
        #expect(try person.run("prayed asr --date \(day)").status == 0)
        #expect(try state() == "prayed")
        // Back through all that it was.
        for name in ["excused", "made-up", "late", "prayed", "unlogged"] {
            let done = try person.run("prayed asr --date \(day) --undo")
            #expect(try done.output.hasPrefix("Undone: Asr \(day): ") && state() == name, "\(done)")
        }
        #expect(
            try person.run("prayed asr --date \(day) --undo").output
                == "There was no mark. Prayed today: 0 of 5.\n")
    }

    @Test("Only its user may read the log")
    func theFileIsForItsUserAlone() throws {
        let person = try Person()
        #expect(try person.run("prayed asr --date yesterday").status == 0)
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(person.data) == 0o700)
        for name in try FileManager.default.contentsOfDirectory(atPath: person.data) {
            #expect(try mode("\(person.data)/\(name)") == 0o600, "\(name)")
        }
        // Somebody opened it up by hand.
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: person.log)
        #expect(try person.run("week").status == 0)
        #expect(try mode(person.log) == 0o600)
    }

    @Test("Commands that only read create no file")
    func readingMakesNothing() throws {
        let person = try Person()
        for command in ["week", "month", "stats", "streak", "badges", "next", "export"] {
            let done = try person.run(command)
            #expect(done.status == 0, "\(command): \(done)")
        }
        #expect(!FileManager.default.fileExists(atPath: person.data))
    }

    @Test("An import with a prayer of the future is refused as a whole, with the line")
    func aRowInTheFutureIsRefusedByItsLine() throws {
        let person = try Person()
        let file = try person.write("log.csv", csv(person, days: 1) + "2999-01-01,fajr,prayed\n")
        let done = try person.run("import \(file) --yes")
        #expect(done.status == 65)
        #expect(
            done.error
                == "adhan-companion: \(file), line 7: fajr of 2999-01-01 is in the future; nothing was imported\n"
        )
        #expect(!FileManager.default.fileExists(atPath: person.log))
    }

    @Test("Without a terminal, import and erase need --yes")
    func withoutATerminalImportAndEraseWantAYes() throws {
        let person = try Person()
        let file = try person.write("log.csv", csv(person, days: 1))
        let asked = try person.run("import \(file)")
        #expect(asked.status == 64)
        #expect(asked.error.hasSuffix("nothing was imported, say --yes to import them\n"))
        #expect(try person.run("import \(file) --yes").status == 0)
        #expect(try person.run("erase").status == 64)
        #expect(FileManager.default.fileExists(atPath: person.log))
        #expect(try person.run("erase --yes").status == 0)
        #expect(!FileManager.default.fileExists(atPath: person.data))
        #expect(try person.run("erase --yes").output == "there was nothing to remove\n")
    }

    @Test("An export that is imported again gives the same export")
    func anExportComesInTheSame() throws {
        let person = try Person()
        #expect(try person.run("prayed isha --date \(person.date(4)) --late").status == 0)
        #expect(try person.run("prayed fajr --date \(person.date(3)) --at 5:45").status == 0)
        #expect(try person.run("prayed --excused --date \(person.date(2))").status == 0)
        for format in ["csv", "json"] {
            let before = try person.run("export --format \(format)").output
            let file = try person.write("export.\(format)", before)
            #expect(try person.run("erase --yes").status == 0)
            #expect(try person.run("import \(file) --yes").status == 0)
            let after = try person.run("export --format \(format)").output
            // Between two looks a prayer's time may have ended.
            #expect(after.hasPrefix(before.dropLast(format == "json" ? 8 : 0)), "\(format)")
        }
        #expect(FileManager.default.fileExists(atPath: person.log))
    }

    @Test("A mistyped command is answered with a sentence and a suggestion")
    func whatIsTypedWronglyIsToldInASentence() throws {
        let person = try Person()
        let cases = [
            ("frobnicate", 64, "there is no command \"frobnicate\"; see \"adhan-companion --help\""),
            (
                "weak", 64,
                "there is no command \"weak\"; did you mean \"week\"? See \"adhan-companion --help\""
            ),
            ("prayed farj", 64, "\"farj\" is not a prayer; did you mean \"fajr\"?"),
            (
                "prayed asr --date 2026-02-30", 64,
                "--date must be a day that exists, written YYYY-MM-DD, not \"2026-02-30\""
            ),
            ("prayed asr --at noon", 64, "--at must be a time of day such as 05:40, not \"noon\""),
            ("prayed asr --date 2999-01-01", 1, "2999-01-01 is still to come; it is \(person.date(0)) now"),
            (
                "month 13", 64,
                "the month must be written YYYY-MM, or 1 to 12 for one of this year, not \"13\""
            ),
            ("next --count 9", 64, "--count must be a whole number from 1 to 5, not 9"),
            (
                "stats --chart /tmp/x.svg", 1,
                "Nothing is logged yet; \"prayed\" marks the prayer whose time it is"
            ),
            (
                "import /nowhere", 1,
                "cannot read \"/nowhere\": No such file or directory; nothing was imported"
            ),
        ]
        for (line, status, sentence) in cases {
            let done = try person.run(line)
            #expect(done.status == Int32(status), "\(line): \(done)")
            #expect(done.error == "adhan-companion: \(sentence)\n")
            #expect(done.output.isEmpty)
        }
    }

    @Test("The program marks a prayer under its short name, prayed")
    func theShortNameMarks() throws {
        let person = try Person()
        let link = person.home + "/prayed"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: Person.program)
        let done = try person.run(["fajr", "--date", "yesterday"], program: link)
        #expect(done.output == "Fajr \(person.date(1)): prayed. Prayed today: 0 of 5.\n", "\(done)")
    }

    @Test("The chart is a well-formed SVG with its figures in words")
    func theChartIsAPictureWithWords() throws {
        let person = try Person()
        let file = try person.write("log.csv", csv(person, days: 8) + "\(person.date(10)),fajr,late\n")
        #expect(try person.run("import \(file) --yes").status == 0)
        #expect(try person.run("stats --chart \(person.home)/chart.svg").status == 0)
        let svg = try Data(contentsOf: URL(filePath: person.home + "/chart.svg"))
        #expect(try XMLCheck.isWellFormed(svg))
        #expect(String(decoding: svg, as: UTF8.self).contains("Fajr: on time 8, late 1, made up 0"))
    }

    /// Twenty years are 36,500 entries, and a status bar reads them every second.
    @Test("A log of twenty years is answered at once")
    func aLongLogIsAnsweredAtOnce() throws {
        let person = try Person()
        let days = 7305
        let rows = (1...days).flatMap { day in
            let date = person.date(day)
            return Self.prayers.map { "\(date),\($0),\(day % 11 == 0 ? "late" : "prayed")\n" }
        }
        let file = try person.write("log.csv", "date,prayer,status\n" + rows.joined())
        #expect(try person.run("import \(file) --yes").status == 0)
        // Released it takes 65 ms of the processor, and unoptimized many times that. The time that passes depends on other suites,
        // beside which it is up to ten times as long.
        let bound = BuiltProgram.isReleased ? 0.2 : 3.0
        for command in ["stats", "next", "streak --json"] {
            let times = try (0..<5).map { _ in try processorSeconds(person, command) }
            #expect(try #require(times.min()) < bound, "\(command): \(times)")
        }
        #expect(try person.document("streak --json")["best"] as? Int == days)
    }

    /// The processor time of one command, which the shell that runs it prints after the command's own messages.
    private func processorSeconds(_ person: Person, _ line: String) throws -> Double {
        let script = "TIMEFORMAT='%U %S'; time '\(Person.program)' \(line)"
        let done = try person.run(["-c", script], ["LC_ALL": "C"], program: "/bin/bash")
        #expect(done.status == 0, "\(done)")
        let times = try #require(done.error.split(separator: "\n").last).split(separator: " ")
        return try times.map { try #require(Double($0)) }.reduce(0, +)
    }
}
