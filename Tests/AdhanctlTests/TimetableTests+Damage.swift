import Foundation
import Testing

extension TimetableTests {
    @Test("The state is not written through a link, nor is a table half-saved")
    func links() throws {
        let good = try file("good.csv", "date,fajr\n2027-01-01,06:00\n")
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        let target = try file("precious", "precious")
        try FileManager.default.createSymbolicLink(
            atPath: state + "/.timetable.new", withDestinationPath: target)
        #expect(try run("import", good, "--yes").status == 0)
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "precious")
        // A ruined table is not replaced silently.
        try "date,fajr\n2027-01-01,6\n".write(
            toFile: state + "/timetable.csv", atomically: true, encoding: .utf8)
        let refused = try run("import", good, "--yes")
        #expect(refused.status == 65)
        #expect(
            try String(contentsOfFile: state + "/timetable.csv", encoding: .utf8)
                == "date,fajr\n2027-01-01,6\n")
    }

    @Test("A table that cannot be read stands in nobody's way: the one before comes back, or it is set aside")
    func ruined() throws {
        let (table, broken) = (state + "/timetable.csv", state + "/timetable.broken.csv")
        func ruin() throws {
            try "date,fajr\n2027-01-01,6\n".write(toFile: table, atomically: true, encoding: .utf8)
        }
        let first = try file("a.csv", "date,fajr\n2027-01-01,06:00\n")
        let second = try file("b.csv", "date,fajr\n2027-01-01,06:05\n")
        #expect(try run("import", first, "--yes").status == 0)
        #expect(try run("import", second, "--yes").status == 0)
        try ruin()
        let refused = try run("import", first, "--yes")
        #expect(refused.status == 65 && refused.error.contains("timetable undo"))
        #expect(refused.error.contains("timetable remove"))
        let undone = try run("undo")
        #expect(undone.status == 0 && undone.error.contains(broken))
        #expect(try run("export").output.contains("2027-01-01,06:00"))
        #expect(try String(contentsOfFile: broken, encoding: .utf8).contains(",6\n"))
        try ruin()
        #expect(try run("remove").status == 0)
        #expect(try run("show").status == 1)
        #expect(try run("import", second, "--yes").status == 0)
        // A link is not followed, whoever made it.
        let secret = try file("secret", "root:x:0:0\n")
        try FileManager.default.removeItem(atPath: table)
        try FileManager.default.createSymbolicLink(atPath: table, withDestinationPath: secret)
        let shown = try run("show")
        #expect(shown.status != 0 && !shown.error.contains("root:x") && shown.error.contains("symbolic link"))
        #expect(try run("undo").status == 0)
        #expect(try String(contentsOfFile: secret, encoding: .utf8) == "root:x:0:0\n")
    }

    @Test("Congregations imported beside the times go without them")
    func besides() throws {
        let times = try file("t.csv", "date,fajr,isha\n2027-01-01,06:00,18:30\n")
        let iqama = try file("i.csv", "date,fajr_iqama\n2027-01-01,06:30\n")
        _ = try run("import", times, "--yes")
        _ = try run("import", iqama, "--yes", "--name", "iqama")
        let arguments = ["explain", "isha", "--date", "2027-01-01"] + place
        #expect(try program.run(arguments).output.contains("t.csv"))
        #expect(try run("remove", "iqama").status == 0)
        #expect(try run("export").output.hasSuffix("2027-01-01,06:00,18:30,1\n"))
    }

    @Test("On a terminal it asks, and a no saves nothing")
    func asking() throws {
        let path = try file("t.csv", "date,fajr,dhuhr\n1/2/2027,05:50,12:10\n")
        let arguments = ["timetable", "import", path] + place
        let no = try Typist().run(program, arguments, typing: ["day\n", "no\n"])
        #expect(no.status == 1)
        #expect(no.text.contains("Does the day come first"))
        #expect(no.text.contains("2027-02-01"))
        #expect(!FileManager.default.fileExists(atPath: state + "/timetable.csv"))
        let yes = try Typist().run(program, arguments, typing: ["month\n", "yes\n"])
        #expect(yes.status == 0, "\(yes.text)")
        #expect(
            try String(contentsOfFile: state + "/timetable.csv", encoding: .utf8).contains(
                "2027-01-02,05:50,12:10"))
    }
}
