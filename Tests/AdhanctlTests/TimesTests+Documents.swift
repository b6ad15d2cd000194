import Foundation
import PrayerEngine
import Protocol
import Testing
import Texts
import Times

extension TimesTests {
    @Test("An event that does not occur is null, with the reason")
    func null() throws {
        let line =
            "times --date 2026-06-21 --latitude 69.65 --longitude 18.96 --timezone Europe/Oslo --high-latitude none"
        let output = try Adhanctl.inQueens().run(line + " --json").output
        let day = try JSON.decode(TimesDocument.self, from: output.utf8).days[0]
        #expect(output.contains("\"isha\":null"))
        #expect(day.events["dhuhr"]?.wrappedValue != nil)
        for (event, instant) in day.events where instant.wrappedValue == nil {
            #expect(day.notes[event]?.isEmpty == false, "\(event) is null without a reason")
        }
        let table = try Adhanctl.inQueens().run(line).output
        #expect(table.contains("Isha        - d\n"))
    }

    static let mistakes: [(String, Int32, String)] = [
        (
            "times --latitude 91 --longitude 0", 64,
            "--latitude must be a number from -90 to 90 (degrees, north positive), not \"91\""
        ),
        (
            "times --latitude NaN --longitude 0", 64,
            "--latitude must be a number from -90 to 90 (degrees, north positive), not \"NaN\""
        ),
        (
            "times --date 2026-02-30", 64,
            "--date must be a day that exists, written YYYY-MM-DD, not \"2026-02-30\""
        ),
        (
            "explain isha --date 2026-02-30", 64,
            "--date must be a day that exists, written YYYY-MM-DD, not \"2026-02-30\""
        ),
        (
            "hijri 2026-02-30", 64,
            "the date must be a day that exists, written YYYY-MM-DD, not \"2026-02-30\""
        ),
        ("times --year -5000", 64, "--year must be a year from 1 to 9999, not \"-5000\""),
        ("times --year 99999", 64, "--year must be a year from 1 to 9999, not \"99999\""),
        ("times --days 0", 64, "--days must be a whole number from 1 to 3660, not \"0\""),
        (
            "times --timezone America/New_Yrok", 64,
            "--timezone: there is no time zone \"America/New_Yrok\"; did you mean \"America/New_York\"?"
        ),
        (
            "times --asr zahiri", 64,
            "--asr must be one of \"standard\", \"hanafi\", not \"zahiri\""
        ),
        (
            "explain isa", 64,
            "there is no prayer or event \"isa\"; there are imsak, fajr, sunrise, dhuhr, asr, sunset, maghrib, isha, "
                + "midnight, lastThird, jumua; did you mean isha?"
        ),
        ("tims", 64, "there is no command \"tims\"; did you mean \"times\"? See \"adhanctl --help\""),
        ("help tims", 64, "there is no command \"tims\"; did you mean \"times\"? See \"adhanctl --help\""),
        ("help times now", 64, "there is no command \"now\"; see \"adhanctl times --help\""),
        (
            "debug timer", 64,
            "there is no command \"timer\"; did you mean \"timers\"? See \"adhanctl debug --help\""
        ),
        ("enable", 64, "missing expected argument '<prayer> ...'; see \"adhanctl enable --help\""),
        (
            "enable fajrr", 64,
            "there is no prayer \"fajrr\"; the prayers are fajr, dhuhr, asr, maghrib, isha, jumua; did you mean fajr?"
        ),
        (
            "mute --for soon", 64,
            "--for must be a duration of at most 366 days, such as 90s, 10m, 2h or 1h30m, not \"soon\"; see \"adhanctl mute --help\""
        ),
        ("mute --for 1h --next", 64, "--for and --next exclude each other; see \"adhanctl mute --help\""),
        (
            "mute --until 25:00", 64,
            "--until must be a time of day such as 14:00, or a prayer such as isha, not \"25:00\"; "
                + "see \"adhanctl mute --help\""
        ),
        (
            "test-play fajr --seconds 0", 64,
            "--seconds must be a number from 0.1 to 3600, not 0.0; see \"adhanctl test-play --help\""
        ),
        (
            "debug trigger asr --in 25h", 64,
            "--in must be a duration up to 24h such as 20s or 5m, not \"25h\"; see \"adhanctl debug trigger --help\""
        ),
        ("check /nowhere.toml", 1, "cannot read \"/nowhere.toml\": No such file or directory"),
    ]

    @Test("Bad input is one sentence and a status", arguments: mistakes.indices)
    func mistake(index: Int) throws {
        let (line, status, sentence) = Self.mistakes[index]
        let outcome = try Adhanctl.inQueens().run(line)
        #expect(outcome == .init(status: status, output: "", error: "adhanctl: \(sentence)\n"))
    }

    @Test("check says that Asr follows the method, until a school is written")
    func followedSchool() throws {
        let plain = try Adhanctl.inQueens("[calculation]\nmethod = \"mwl\"").run("check").output
        #expect(plain.contains("Asr is the standard one, as mwl's timetables have it"))
        let written = try Adhanctl.inQueens("[calculation]\nmethod = \"mwl\"\nasr = \"standard\"").run(
            "check")
        #expect(
            written.output.contains("mwl, Asr standard") && !written.output.contains("no school is written"))
        #expect(try !Adhanctl.inQueens().run("check").output.contains("no school is written"))
    }

    @Test("check says what a file comes to, or where its mistake is")
    func check() throws {
        // ALSA's device that writes into a file; its "null" is reported as silent.
        let program = try Adhanctl.inQueens("[audio]\ndevices = [\"file:/dev/null,raw\"]")
        let file = program.configurationFile
        #expect(
            try program.run("check")
                == .init(
                    status: 0,
                    output: """
                        \(file): valid
                        Queens, New York (40.7282, -73.7949), America/New_York
                        isna, chosen for Queens, New York (United States); Asr hanafi, high latitude auto
                        For another: "adhanctl method NAME".
                        Tried as you: standard can be played, "file:/dev/null,raw" opens.

                        """, error: ""))
        let json = try program.run("check --json").output
        #expect(
            json.contains("\"valid\":true") && json.contains("\"usable\":true") && !json.contains("error"))
        let silent = try Adhanctl.inQueens("[audio]\ndevices = [\"null\"]").run("check --json").output
        #expect(silent.contains("\"valid\":true") && silent.contains("\"usable\":false"))
        let directory = file + ".d"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        try Data("location.name = \"Elsewhere\"\n".utf8).write(
            to: URL(fileURLWithPath: directory + "/1.toml"))
        let checked = try program.run("check").output
        #expect(checked.contains("\nElsewhere (40.7282, -73.7949), America/New_York\n"))
        #expect(
            checked.contains(
                "\ndrop-in \(directory)/1.toml:\n  location.name = \"Elsewhere\"  (over adhand.toml:"))
        #expect(
            try program.run("check --json").output.contains("\"overridden\":[{\"file\":\"\(file)\",\"line\":")
        )
        try FileManager.default.removeItem(atPath: directory)
        try program.configure("[adhan]\nvolum = 3\n")
        for line in ["check", "check \(file)", "times", "qibla"] {
            let outcome = try program.run(line)
            #expect(outcome.status == 65)
            #expect(outcome.error.hasPrefix("adhanctl: \(file):2:1: unknown key adhan.volum"))
            #expect(outcome.error.hasSuffix("did you mean volume?\n"))
        }
        try program.configure("timezone = \"Etc/GMT+3\"\n")
        let nowhere =
            "the time zone \"Etc/GMT+3\" belongs to no place, so the location is not known; "
            + "set latitude and longitude in [location]"
        // The text is right, and adhand runs by it; but it calls nothing.
        let unplaced = try program.run("check")
        #expect(
            unplaced.status != 65 && unplaced.error.contains("nothing is called until somebody sets a place"))
        #expect(
            try program.run("times")
                == .init(
                    status: 64, output: "",
                    error: "adhanctl: \(nowhere), or give --latitude and --longitude\n"))
        try program.configure("timezone = \"Europe/Berlni\"\n")
        let zone = try program.run("check")
        #expect(zone.status == 65)
        #expect(
            zone.error == "adhanctl: \(file):1:12: there is no time zone \"Europe/Berlni\"; "
                + "did you mean \"Europe/Berlin\"?\n")
    }
}
