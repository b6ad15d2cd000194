import Foundation
import LabSupport
import PrayerEngine
import PrayerLog
import Testing

/// A person's way over several commands.
@Suite("A person's days") struct PersonTests {
    private static let prayers = ["fajr", "dhuhr", "asr", "maghrib", "isha"]

    private func states(_ person: Person, _ day: String) throws -> [String] {
        let days = try person.document("week --json")["days"] as? [[String: Any]] ?? []
        let prayers = days.first { $0["date"] as? String == day }?["prayers"] as? [String: String] ?? [:]
        return Self.prayers.compactMap { prayers[$0] }
    }

    /// The day turns at midday: what was prayed before stays prayed, also when the excuse is removed.
    @Test("An excuse leaves the prayers of the day that were prayed")
    func anExcuseLeavesWhatWasPrayed() throws {
        let person = try Person()
        let day = person.date(2)
        for prayer in ["fajr", "dhuhr", "asr --late"] {
            #expect(try person.run("prayed \(prayer) --date \(day)").status == 0)
        }
        let before = try person.run("export").output
        let done = try person.run("prayed --excused --date \(day)")
        #expect(
            done.output
                == "\(day): excused (Prayers: 2). Left as they were: 3. Prayed today: 0 of 5.\n", "\(done)")
        #expect(try states(person, day) == ["prayed", "prayed", "late", "excused", "excused"])
        #expect(try person.run("prayed --excused --undo --date \(day)").status == 0)
        #expect(try person.run("export").output == before)
        // A named prayer is excused whatever its mark was, and the mark comes back.
        #expect(try person.run("prayed asr --excused --date \(day)").status == 0)
        #expect(try states(person, day)[2] == "excused")
        #expect(try person.run("prayed --excused --undo --date \(day)").status == 0)
        #expect(try person.run("export").output == before)
        // Each of the four changes is undone like any other.
        for _ in 0..<4 { #expect(try person.run("undo").status == 0) }
        #expect(try person.run("export").output == before)
        for _ in 0..<3 { #expect(try person.run("undo").status == 0) }
        let nothing = try person.run("undo")
        #expect(nothing.status == 1 && nothing.error == "adhan-companion: There is nothing to undo\n")
        #expect(try person.run("redo").output.hasPrefix("Done again: Fajr \(day): prayed"))
    }

    @Test("An import is undone as a whole")
    func anImportIsUndone() throws {
        let person = try Person()
        let day = person.date(2)
        #expect(try person.run("prayed fajr --date \(day) --at 5:45").status == 0)
        #expect(try person.run("prayed asr --date \(day)").status == 0)
        let before = try person.run("export").output
        let file = try person.write("log.csv", "date,fajr,asr,isha\n\(day),prayed,no,qada\n")
        let done = try person.run("import \(file) --yes")
        // Fajr is known to the minute: the file says no more of it.
        #expect(
            done.output.hasPrefix("3 entries from \(day) to \(day), 1 of them new, 1 in place of others"),
            "\(done)")
        #expect(try states(person, day) == ["prayed", "missed", "missed", "missed", "made-up"])
        #expect(try person.run("export").output.contains("\(day)T05:45:00.000"))
        #expect(try person.run("import \(file) --yes").output.hasSuffix("the log says the same already\n"))
        #expect(try person.run("undo").status == 0)
        #expect(try person.run("export").output == before)
        #expect(try person.document("undo --json")["changed"] as? Bool == true)
        #expect(try states(person, day)[2] == "missed")
    }

    @Test("Days to come can be excused, and nothing is announced on them")
    func daysToComeAreExcusedAndNothingIsSaidOnThem() throws {
        let person = try Person()
        #expect(try (person.document("pending --json")["pending"] as? [Any])?.isEmpty == false)
        let done = try person.run("prayed --excused --date yesterday --until \(person.date(-7))")
        #expect(done.status == 0, "\(done)")
        #expect(try (person.document("pending --json")["pending"] as? [Any])?.isEmpty == true)
        #expect(try person.run("week").error == "", "excuses ahead are no work of a wrong clock")
        // They leave with the export and come back.
        let export = try person.run("export").output
        #expect(export.contains("\(person.date(-7)),isha,excused"))
        let file = try person.write("export.csv", export)
        #expect(try person.run("erase --yes").status == 0)
        #expect(try person.run("import \(file) --yes").status == 0)
        #expect(try person.run("export").output == export)
        // Well again: coming prayers are owed again.
        #expect(
            try person.run("prayed --excused --undo --date tomorrow --until \(person.date(-7))").status == 0)
        #expect(try (person.document("pending --json")["pending"] as? [Any])?.isEmpty == false)
        let far = try person.run("prayed --excused --date \(person.date(-400))")
        #expect(far.status == 1 && far.error.contains("that is more than 366 days"), "\(far)")
    }

    @Test("Without a place the program says of which city the times are")
    func withoutAPlaceItSaysWhoseTimesTheyAre() throws {
        let person = try Person("")
        let sentence = "No place is set, so these are the times of New York; set yours with adhanctl setup"
        for command in ["next", "pending", "week", "prayed isha --date yesterday"] {
            let done = try person.run(command)
            #expect(done.status == 0 && done.error == "adhan-companion: \(sentence)\n", "\(command): \(done)")
        }
        #expect(
            try (person.document("next --format waybar")["tooltip"] as? String)?.hasSuffix(sentence) == true)
        #expect(try person.document("next --json")["approximate"] as? Bool == true)
        #expect(try person.run("next", ["LANG": "de_DE.UTF-8"]).error.contains("Kein Ort ist eingestellt"))
        let placed = try Person()
        #expect(try placed.run("next").error == "")
        #expect(try placed.document("next --json")["approximate"] as? Bool == false)
    }

    @Test("Answers and refusals are in the user's language")
    func answersAndRefusalsSpeakOneLanguage() throws {
        let person = try Person()
        let german = ["LANG": "de_DE.UTF-8"]
        let (day, tomorrow) = (person.date(2), person.date(-1))
        #expect(
            try person.run("prayed isha --date \(day)", german).output
                == "Ischa \(day): gebetet. Heute gebetet: 0 von 5.\n")
        #expect(
            try person.run("prayed isha --date \(day)", german).output
                == "Ischa \(day): gebetet (nichts wurde geändert). Heute gebetet: 0 von 5.\n")
        #expect(
            try person.run("prayed isha --date tomorrow", german).error
                == "adhan-companion: \(tomorrow) kommt erst noch; jetzt ist \(person.date(0))\n")
        #expect(
            try person.run("undo", german).output.hasPrefix(
                "Rückgängig gemacht: Ischa \(day): nicht eingetragen."))
        #expect(
            try person.run("undo", german).error == "adhan-companion: Es gibt nichts rückgängig zu machen\n")
        #expect(
            try person.run("prayed --date \(day)", german).error.hasPrefix("adhan-companion: Welches Gebet?"))
        #expect(
            try person.run("prayed --excused --until \(day)", german).error
                == "adhan-companion: --until \(day) liegt vor \(person.date(0))\n")
        #expect(
            try person.run("prayed --excused --date \(person.date(-400))", german).error.hasSuffix(
                "das sind mehr als 366 Tage\n"))
        // Faults of a command line are in English, and then nothing beside them is in German.
        let lost = try Person("")
        for line in ["prayed farj", "week --date noon", "month 13"] {
            let done = try lost.run(line, german)
            #expect(
                done.status == 64 && done.error.split(separator: "\n").count == 1
                    && !done.error.contains("Ort"),
                "\(line): \(done)")
        }
        let file = try lost.write("log.csv", "date,fajr\n\(day),prayed\n")
        let imported = try lost.run("import \(file) --yes", german)
        #expect(imported.status == 0 && imported.error.contains("No place is set"), "\(imported)")
    }

    @Test("Dates of other trackers are read in the order that the file shows")
    func otherTrackersDatesAreReadInTheirOrder() throws {
        let person = try Person()
        func write(_ dates: [String]) throws -> String {
            try person.write(
                "log.csv", "Date,Salah,State\n" + dates.map { "\($0),Fajr,In Jamaah\n" }.joined())
        }
        func days() throws -> [String] {
            let days = try person.run("export").output.split(separator: "\n").dropFirst().map {
                String($0.prefix(10))
            }
            _ = try person.run("undo")
            return days
        }
        #expect(try person.run("import \(try write(["20/11/2025", "3/4/2025"])) --yes").status == 0)
        #expect(try days() == ["2025-04-03", "2025-11-20"])
        #expect(try person.run("import \(try write(["3.4.2025", "11.20.2025"])) --yes").status == 0)
        #expect(try days() == ["2025-03-04", "2025-11-20"])
        let open = try person.run("import \(try write(["5/5/2025", "3/4/2025"])) --yes")
        #expect(
            open.status == 65 && open.error.contains("whether 3/4/2025 begins with the day or the month"),
            "\(open)")
        #expect(open.error.contains("say --dates day-month or --dates month-day; nothing was imported"))
        for (order, day) in [("day-month", "2025-04-03"), ("month-day", "2025-03-04")] {
            #expect(try person.run("import \(try write(["3/4/2025"])) --yes --dates \(order)").status == 0)
            #expect(try days() == [day])
        }
        let both = try person.run("import \(try write(["20/11/2025", "11/20/2025"])) --yes")
        #expect(
            both.status == 65
                && both.error.contains("20/11/2025 begins with the day and 11/20/2025 with the month"))
        let none = try person.run("import \(try write(["31/4/2025"])) --yes --dates day-month")
        #expect(
            none.error.contains("\"31/4/2025\" is not a day that exists, written YYYY-MM-DD or DD/MM/YYYY"),
            "\(none)")
    }

    @Test("Other names of commands and months are understood")
    func namesThatPeopleTypeAreUnderstood() throws {
        let person = try Person()
        for (typed, meant) in [("badge", "badges"), ("stat", "stats"), ("streaks", "streak")] {
            #expect(try person.run(typed) == person.run(meant))
        }
        let year = person.date(0).prefix(4)
        let month = try person.document("month 3 --json")["days"] as? [[String: Any]]
        #expect(month?.count == 31 && month?.first?["date"] as? String == "\(year)-03-01")
        #expect(
            try (person.document("month 12 --json")["days"] as? [[String: Any]])?.last?["date"] as? String
                == "\(year)-12-31")
    }

    /// A clock that was in the next century for a while: what it marked is said and left out, and undone.
    @Test("Marks made while the clock was far ahead are reported, left out and undone")
    func aClockThatWasFarAheadLosesNothing() throws {
        let clock = try SteppedClock()
        let person = try Person()
        #expect(try person.run("prayed asr --date \(person.date(2))").status == 0)
        let before = try person.run("export").output
        clock.set(ahead: 73 * 365 * 86_400)
        let ahead = try person.run("prayed isha --date yesterday", clock.environment)
        #expect(ahead.status == 0, "\(ahead)")
        for command in ["week", "stats", "streak", "badges", "next", "pending", "export"] {
            #expect(try person.run(command, clock.environment).status == 0, "\(command)")
        }
        let after = try person.run("export")
        #expect(after.output == before)
        #expect(after.error.contains("cannot be read, from damage or a wrong clock: 1; "), "\(after)")
        #expect(try person.run("undo").status == 0)
        let mended = try person.run("export")
        #expect(mended.output == before && mended.error == "")
    }

    /// A bar, a service and a person at once, after an upgrade or with no log yet: all are answered, and the copy is of the old form.
    @Test("Several programs create or upgrade a log at once, and each is answered", arguments: [false, true])
    func severalProgramsBringALogUpToDateAtOnce(isUpgrade: Bool) throws {
        let person = try Person()
        if isUpgrade {
            let mark = try Mark(
                slot: PrayerSlot(#require(CivilDate(person.date(2))), .asr), status: .late, source: .command,
                markedAt: Instant(unixSeconds: 1_790_000_000), offset: 0)
            try OldLog.write([mark], in: person.data)
        }
        let programs = try (0..<8).map { _ in
            let program = Process()
            program.executableURL = URL(filePath: Person.program)
            program.arguments = ["prayed", "isha", "--date", "yesterday"]
            program.environment = TestClock.under(person.environment)
            program.standardOutput = FileHandle.nullDevice
            try program.run()
            return program
        }
        for program in programs {
            program.waitUntilExit()
            #expect(program.terminationStatus == 0)
        }
        #expect(try person.run("export").output.contains("\(person.date(1)),isha,prayed"))
        #expect(try person.run("export").output.contains("\(person.date(2)),asr,late") == isUpgrade)
        let names = try Set(FileManager.default.contentsOfDirectory(atPath: person.data))
        let copy = "prayers.sqlite.before-2-changes"
        let expected: Set = isUpgrade ? ["prayers.sqlite", copy] : ["prayers.sqlite"]
        #expect(names.subtracting(["prayers.sqlite-wal", "prayers.sqlite-shm"]) == expected)
        if isUpgrade { #expect(try OldLog.tables("\(person.data)/\(copy)") == ["mark"]) }
    }

    /// A newer version's log is left alone, and prayers are reported all the same.
    @Test("The log of a newer version is left alone, and prayers are announced all the same")
    func aLogOfANewerVersionIsLeftAlone() throws {
        let person = try Person()
        #expect(try person.run("prayed asr --date yesterday").status == 0)
        try OldLog.execute(person.log, "INSERT INTO grdb_migrations VALUES ('9-future')")
        for command in ["week", "next", "export", "undo", "redo", "prayed isha --date yesterday"] {
            let done = try person.run(command)
            #expect(done.status == 1, "\(command): \(done)")
            #expect(
                done.error
                    == "adhan-companion: the log \"\(person.log)\" was written by a newer adhan-companion; nothing was changed, install that version\n",
                "\(command)")
        }
    }
}
