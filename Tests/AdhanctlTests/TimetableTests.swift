import Foundation
import Testing

@Suite("Timetable commands")
struct TimetableTests {
    let program: Adhanctl
    var state: String { program.home.path + "/state" }
    var place: [String] { ["--state-dir", state, "--config", program.configurationFile] }

    init() throws {
        var program = try Adhanctl.inQueens()
        program.socket = program.home.path + "/no-daemon"
        self.program = program
    }

    func run(_ arguments: String...) throws -> Adhanctl.Outcome {
        try program.run(["timetable"] + arguments + place)
    }

    func file(_ name: String, _ text: String) throws -> String {
        let path = "\(program.home.path)/\(name)"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    func document(_ outcome: Adhanctl.Outcome) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    }

    func computedYear(_ year: Int) throws -> String {
        let outcome = try run("export", "--year", "\(year)")
        #expect(outcome.status == 0, "\(outcome.error)")
        return outcome.output
    }

    @Test("A computed year goes out, comes in again, and is the same")
    func roundTrip() throws {
        let exported = try computedYear(2027)
        let path = try file("2027.csv", exported)
        let shown = try run("import", path, "--dry-run", "--json")
        #expect(shown.status == 0, "\(shown.error)")
        let seen = try document(shown)
        #expect(seen["format"] as? String == "adhand")
        #expect(seen["clock"] as? String == "local")
        #expect(seen["days"] as? Int == 365)
        #expect(seen["year"] as? Int == 2027)
        #expect(seen["first"] as? String == "2027-01-01")
        #expect(seen["asr"] is NSNull)
        #expect((seen["missing"] as? [Any])?.isEmpty == true)
        #expect((seen["findings"] as? [Any])?.isEmpty == true)
        #expect(seen["saved"] as? Bool == false)
        #expect(!FileManager.default.fileExists(atPath: state + "/timetable.csv"))
        let saved = try run("import", path, "--yes", "--name", "ours", "--json")
        #expect(try document(saved)["saved"] as? Bool == true)
        let again = try run("export").output
        func rows(_ text: String) -> [String] {
            text.split(separator: "\n").filter { $0.hasPrefix("2027-") }.map(String.init)
        }
        #expect(rows(again).map { String($0.dropLast(2)) } == rows(exported))
        let source = try #require((try document(run("show", "--json"))["sources"] as? [[String: Any]])?.first)
        #expect(source["name"] as? String == "ours")
        #expect(source["file"] as? String == path)
        #expect((source["sha256"] as? String)?.count == 64)
        #expect(try document(run("check", "ours", "--json"))["days"] as? Int == 365)
    }

    @Test("The congregation's list")
    func iqama() throws {
        let path = try file(
            "t.csv",
            "date,fajr,dhuhr,isha,fajr_iqama,dhuhr_iqama,isha_iqama,jumua,jumua_iqama,jumua_iqama_2\n"
                + "2027-01-01,06:00,12:05,23:50,06:30,,00:05,12:45,13:15,14:00\n2027-01-02,06:00,,,06:31,,,,,\n"
        )
        let list = ["iqama", "--date", "2027-01-01", "--days", "3"] + place
        #expect(try program.run(list).status == 1)
        #expect(try run("import", path, "--yes").status == 0)
        let days = try #require(document(program.run(list + ["--json"]))["days"] as? [[String: Any]])
        #expect(
            days.map { $0["iqama"] as? [String: String] } == [
                ["fajr": "2027-01-01T06:30:00-05:00", "isha": "2027-01-02T00:05:00-05:00"],
                ["fajr": "2027-01-02T06:31:00-05:00"], [:],
            ])
        let slots = try #require(days[0]["jumua"] as? [[String: Any]])
        #expect(
            slots.map { $0["prayer"] as? String } == [
                "2027-01-01T13:15:00-05:00", "2027-01-01T14:00:00-05:00",
            ])
        #expect(slots[0]["khutba"] as? String == "2027-01-01T12:45:00-05:00")
        let text = try program.run(list).output
        #expect(text.contains("13:15, 14:00"))
    }

    @Test("Removed, brought back, and taken away again")
    func undo() throws {
        #expect(try run("undo").status == 1)
        #expect(try run("show").status == 1)
        let path = try file("t.csv", "date,fajr\n2027-01-01,06:00\n")
        #expect(try run("import", path, "--yes").status == 0)
        let whole = try String(contentsOfFile: state + "/timetable.csv", encoding: .utf8)
        #expect(try run("remove").status == 0)
        #expect(try run("show").status == 1)
        #expect(try run("undo").status == 0)
        #expect(try String(contentsOfFile: state + "/timetable.csv", encoding: .utf8) == whole)
        #expect(try run("undo").status == 0)
        #expect(try run("show").status == 1)
        #expect(try run("remove", "nobody").status == 1)
    }

    @Test("A table that is gone although one was imported is damage, and an import or a removal ends it")
    func vanished() throws {
        let path = try file("t.csv", "date,fajr\n2027-01-01,06:00\n")
        for way in [["import", path, "--yes"], ["remove"], ["undo"]] {
            #expect(try run("import", path, "--yes").status == 0)
            #expect(try run("import", path, "--yes").status == 0)
            try FileManager.default.removeItem(atPath: state + "/timetable.csv")
            let shown = try run("show")
            #expect(shown.status == 65 && shown.error.contains("is gone, although a timetable was imported"))
            let mended = try program.run(["timetable"] + way + place)
            #expect(mended.status == 0, "\(way): \(mended)")
            let isRemoved = way == ["remove"]
            #expect(try run("show").status == (isRemoved ? 1 : 0), "\(way)")
        }
    }

    @Test("Next year's import leaves this year's alone, and nothing is left behind")
    func two() throws {
        let first = try file("a.csv", "date,fajr,isha\n2026-12-31,06:00,18:30\n")
        let second = try file("b.csv", "date,fajr\n2027-01-01,06:01\n")
        _ = try run("import", first, "--yes")
        _ = try run("import", second, "--yes", "--name", "next")
        let rows = try run("export").output.split(separator: "\n").suffix(2)
        #expect(Array(rows) == ["2026-12-31,06:00,18:30,1", "2027-01-01,06:01,,2"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: state).sorted() == [
                "timetable.csv", "timetable.previous.csv",
            ])
        _ = try run("remove", "next")
        #expect(try run("export").output.contains("2026-12-31"))
        #expect(try !run("export").output.contains("2027-01-01"))
    }

    @Test("Without a terminal it is saved by --yes alone; what is wrong is reported and changes nothing")
    func refusals() throws {
        let good = try file("good.csv", "date,fajr\n2027-01-01,06:00\n")
        let unasked = try run("import", good)
        #expect(unasked.status == 64)
        #expect(unasked.error.contains("--yes"))
        let bad = try file("bad.csv", "Date,Fajr,Dhuhr\n2027-01-01,06:00,12:77\n")
        let refused = try run("import", bad, "--yes")
        #expect(refused.status == 65)
        #expect(refused.error.contains("bad.csv\", line 2, \"12:77\""))
        #expect(refused.error.split(separator: "\n").count == 1)
        let error = try document(run("import", bad, "--yes", "--json"))["error"] as? [String: Any]
        #expect(error?["file"] as? String == bad)
        #expect(error?["line"] as? Int == 2)
        #expect(error?["cell"] as? String == "12:77")
        #expect((error?["message"] as? String)?.contains("dhuhr") == true)
        #expect(try run("import", program.home.path + "/none.csv", "--yes").status == 1)
        for usage in [
            ["--clock", "sumer"], ["--year", "soon"], ["--hours", "13"], ["--column", "fajr"],
            ["--column", "fajer=F"], ["--format", "mawakit"], ["--dates", "day"],
        ] {
            #expect(
                try program.run(["timetable", "import", good, "--yes"] + usage + place).status == 64,
                "\(usage)")
        }
        #expect(
            try program.run(["timetable", "import", good, "--yes", "--column", "fajr=Sobh"] + place).status
                == 65)
        #expect(!FileManager.default.fileExists(atPath: state + "/timetable.csv"))
    }

    @Test("A folder, and twelve files")
    func folder() throws {
        let folder = program.home.path + "/months"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let year = try computedYear(2027).split(separator: "\n").filter { $0.hasPrefix("2027-") }
        for month in 1...12 {
            let number = month < 10 ? "0\(month)" : "\(month)"
            let rows = year.filter { $0.hasPrefix("2027-\(number)-") }.map { row in
                let cells = row.split(separator: ",")
                return (["\(Int(cells[0].suffix(2)) ?? 0)"] + cells[2...7].map(String.init)).joined(
                    separator: ",")
            }
            try (["Day,Fajr,Shuruk,Duhr,Asr,Maghrib,Isha"] + rows).joined(separator: "\n")
                .write(toFile: "\(folder)/\(number).csv", atomically: true, encoding: .utf8)
        }
        let outcome = try run("import", folder, "--year", "2027", "--dry-run", "--json")
        let seen = try document(outcome)
        #expect(seen["format"] as? String == "mawaqit")
        #expect(seen["days"] as? Int == 365)
        #expect(
            seen["columns"] as? [String: String] == [
                "fajr": "Fajr", "sunrise": "Shuruk", "dhuhr": "Duhr", "asr": "Asr", "maghrib": "Maghrib",
                "isha": "Isha",
            ])
        #expect((seen["findings"] as? [Any])?.isEmpty == true)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map {
            "\(folder)/\($0)"
        }
        let both = try program.run(
            ["timetable", "import"] + files + ["--year", "2027", "--dry-run", "--json"] + place)
        #expect(both.output == outcome.output)
    }

    @Test("With --replace a corrected table leaves nothing of the faulty one, and one undo brings it back")
    func replaced() throws {
        let faulty = try file(
            "faulty.csv",
            "date,fajr,maghrib,isha_iqama\n2027-01-01,06:00,12:55,20:00\n2027-01-02,06:00,12:55,20:00\n")
        let right = try file("right.csv", "date,fajr,maghrib\n2027-01-02,06:01,16:39\n")
        #expect(try run("import", faulty, "--yes", "--name", "other").status == 0)
        let before = try run("export").output
        // After a merge the rows that the second file lacks stay.
        #expect(try run("import", right, "--yes").status == 0)
        let merged = try run("export").output
        #expect(merged.contains("2027-01-01,") && merged.contains("20:00") && merged.contains("12:55"))
        #expect(try run("undo").output.contains("published again"))
        #expect(try run("export").output == before)
        let outcome = try run("import", right, "--yes", "--replace")
        #expect(
            outcome.status == 0 && outcome.output.contains("in place of the timetable before"), "\(outcome)")
        let after = try run("export").output
        #expect(
            !after.contains("2027-01-01") && !after.contains("12:55") && !after.contains("isha_iqama"),
            "\(after)")
        #expect(after.contains("2027-01-02"), "\(after)")
        #expect(try run("undo").status == 0)
        #expect(try run("export").output == before)
        #expect(try run("undo").status == 0)
        #expect(try run("export").output == after)
        // One that cannot be read does not stand in the way either, and is kept.
        try Data("no table".utf8).write(to: URL(fileURLWithPath: state + "/timetable.csv"))
        #expect(try run("import", right, "--yes").status == 65)
        #expect(try run("import", right, "--yes", "--replace").status == 0)
        #expect(try run("export").output == after)
        #expect(FileManager.default.fileExists(atPath: state + "/timetable.broken.csv"))
    }
}
