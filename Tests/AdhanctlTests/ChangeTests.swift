import Daemon
import Foundation
import PrayerEngine
import Protocol
import Settings
import Synchronization
import Testing
import Texts
import Times

/// The commands that change a configuration: one change at a time, all of it or nothing, and the second command says the same.
@Suite("Changing the configuration")
struct ChangeTests {
    @Test("Of two commands at once neither is lost, and none leaves anything behind")
    func atOnce() async throws {
        let program = Adhanctl()
        try program.configure("[adhan]\nvolume = 80\n")
        let file = program.configurationFile
        let prayers = ["fajr", "dhuhr", "asr", "maghrib", "isha"]
        let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
            for (index, prayer) in prayers.enumerated() {
                group.addTask {
                    try program.run(["set", "adhan.\(prayer).volume", "\(40 + index)", "--config", file])
                        .status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == [0, 0, 0, 0, 0])
        let check = try program.run(["check", file, "--json"]).output
        for (index, prayer) in prayers.enumerated() {
            #expect(check.contains("\"key\":\"adhan.\(prayer).volume\",\"line\""), "\(check)")
            #expect(try String(contentsOfFile: file, encoding: .utf8).contains("volume = \(40 + index)"))
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: program.home.path + "/config/adhand")
        #expect(left.sorted() == ["adhand.toml", "adhand.toml.bak"])
    }

    @Test("Whoever holds the lock is waited for; what a killed command left is cleaned up")
    func waits() throws {
        let program = Adhanctl()
        try program.configure("[adhan]\nvolume = 80\n")
        let file = program.configurationFile
        let lock = unsafe open(file + ".lock", O_RDWR | O_CREAT, 0o600)
        #expect(lock >= 0 && flock(lock, LOCK_EX) == 0)
        try Data("x = 1\n".utf8).write(to: URL(filePath: file + ".trial"))
        try FileManager.default.createDirectory(atPath: file + ".trial.d", withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: file + ".trial.d/1.toml"))
        let holder = Thread {
            Thread.sleep(forTimeInterval: 0.7)
            try? "[adhan]\nvolume = 81\n".write(toFile: file, atomically: true, encoding: .utf8)
            close(lock)
        }
        holder.start()
        #expect(try program.run(["set", "adhan.fajr.volume", "70", "--config", file]).status == 0)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains("volume = 81") && text.contains("volume = 70"), "\(text)")
        let left = try FileManager.default.contentsOfDirectory(atPath: program.home.path + "/config/adhand")
        #expect(left.sorted() == ["adhand.toml", "adhand.toml.bak"])
    }

    @Test("A decision that cannot be carried out changes nothing, and the same command is refused again")
    func halfWay() throws {
        for isTableRefused in [true, false] {
            let place = try ChangedPlace()
            if isTableRefused {
                // A directory under the name of the draft: the table cannot be written.
                try FileManager.default.createDirectory(
                    atPath: place.state + "/.timetable.new/x", withIntermediateDirectories: true)
            } else {
                place.refusal.turnOn()
            }
            let before = (place.configuration, place.stateFile("timetable.csv"))
            for _ in 1...2 {
                let outcome = try place.run(ChangedPlace.boston + " --timetable remove --exceptions remove")
                #expect(outcome.status != 0 && outcome.output.isEmpty, "\(outcome)")
                #expect(place.configuration == before.0 && place.stateFile("timetable.csv") == before.1)
                #expect(place.stateFile("timetable.previous.csv") == nil)
                #expect(place.text(place.file + ".bak") == nil && place.text(place.file + ".bak.json") == nil)
            }
            #expect(
                !place.service.requests.contains {
                    if case .reload = $0 { true } else { false }
                })
        }
    }

    @Test(
        "A decision is carried out also where the place is that already, and told where there is nothing to decide"
    )
    func obeyed() throws {
        let place = try ChangedPlace()
        let outcome = try place.run("set adhan.volume 70 --timetable remove")
        #expect(outcome.status == 0 && outcome.output.contains("The timetable is removed"), "\(outcome)")
        #expect(place.stateFile("timetable.csv")?.contains("2026-") == false)
        let again = try place.run("set adhan.volume 70 --timetable remove")
        #expect(again.status == 0 && again.output.contains("There was no timetable to remove"), "\(again)")
        let removed = try place.run("set adhan.volume 70 --exceptions remove")
        #expect(
            removed.output.contains(
                #"type: adhanctl exception 2099-03-20 maghrib 18:31 --iqama 18:40 --reason 'Ali'\''s wedding'"#
            ),
            "\(removed)")
        let undo = try place.run("set --undo --timetable bogus")
        #expect(undo.status == 64 && undo.error.contains("--undo stands alone"), "\(undo)")
    }

    @Test("What was set by hand comes back with the place that it was set for")
    func undone() throws {
        let place = try ChangedPlace()
        let moved = try place.run(ChangedPlace.boston + " --timetable keep --exceptions remove")
        #expect(moved.status == 0, "\(moved)")
        #expect(
            moved.output.contains("Maghrib on Friday 20 March 2099: 18:31") && moved.output.contains("--undo")
        )
        #expect(
            place.service.requests.contains(.removeException(.init(date: "2099-03-20", prayer: "maghrib"))))
        // Keeping is no import: "timetable undo" brings back the same table as before.
        #expect(place.stateFile("timetable.previous.csv") == nil)
        let back = try place.run("set --undo")
        #expect(back.status == 0 && back.output.contains("1 time set by hand is back"), "\(back)")
        #expect(!back.output.contains("There is a timetable"), "\(back)")
        #expect(
            place.service.requests.contains(
                .setException(
                    ExceptionParameters(
                        date: "2099-03-20", prayer: "maghrib", adhan: "18:31", iqama: "18:40",
                        reason: "Ali's wedding"))))
        #expect(place.text(place.file + ".bak.json") == nil)
    }

    @Test("Where nobody chose a place, another zone is another place")
    func zoneMoves() throws {
        let place = try ChangedPlace(hasLocation: false)
        let refused = try place.run("set timezone Asia/Tokyo")
        #expect(refused.status == 64 && refused.error.contains("the place changes"), "\(refused)")
        #expect(try place.run("set adhan.volume 70").status == 0)
        let moved = try place.run("set timezone Asia/Tokyo --timetable remove --exceptions keep")
        #expect(moved.status == 0 && moved.output.contains("The timetable is removed"), "\(moved)")
    }

    @Test("A location that is taken out is a move as well")
    func unset() throws {
        let place = try ChangedPlace(zone: "Asia/Tokyo")
        let refused = try place.run("unset location.name location.latitude location.longitude")
        #expect(refused.status == 64 && refused.error.contains("the place changes"), "\(refused)")
    }

    @Test("Root writes no file that the adhand on a named socket does not read", .enabled(if: geteuid() == 0))
    func foreign() throws {
        let place = try ChangedPlace()
        for line in [
            "set adhan.volume 70", "sound use standard", "setup --city Queens --yes", "setup --undo",
        ] {
            let outcome = try place.program.run(line)
            #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
            #expect(outcome.error.contains(place.file) && outcome.error.contains("--config"), "\(outcome)")
        }
        var silent = Adhanctl()
        silent.socket = silent.home.path + "/nobody"
        let outcome = try silent.run("set adhan.volume 70")
        #expect(outcome.status == 69 && outcome.error.contains("--config"), "\(outcome)")
    }

    static let changes = [
        "set adhan.volume 70", "unset adhan.volume", "method isna", "sound use silent",
        "setup --city Queens --yes --timetable keep --exceptions keep",
    ]

    @Test(
        "Every command that writes refuses where adhand knows of a loss, and what it keeps may not be read",
        arguments: changes)
    func knownLoss(_ line: String) throws {
        let lost =
            "{\"file\": \"/x/1.toml\", \"line\": 1, \"column\": 1, \"message\": \"/x/1.toml is gone\", \"cause\": \"lost\"}"
        let place = try ChangedPlace(problem: lost)
        try Data("damaged".utf8).write(to: URL(filePath: place.state + "/configuration.json"))
        let before = place.configuration
        for _ in 1...2 {
            let outcome = try place.run(line)
            #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
            #expect(outcome.error.contains("/x/1.toml is gone; nothing was changed; put back"), "\(outcome)")
            #expect(outcome.error.contains("run \"adhanctl reload\" to go on without it"), "\(outcome)")
        }
        #expect(place.configuration == before && !place.service.requests.contains { !$0.isReading })
    }

    @Test(
        "Every command that writes refuses where a part was lost since adhand read it, until it is back or meant",
        arguments: changes)
    func unknownLoss(_ line: String) throws {
        let place = try ChangedPlace()
        let whole = try #require(place.configuration)
        func keep(_ text: String) throws {
            let kept = KeptConfiguration(
                place.file, [ConfigSource(file: place.file, text: Array(text.utf8))],
                at: Instant(unixSeconds: 0))
            try Data(try kept.fileBytes()).write(to: URL(filePath: place.state + "/configuration.json"))
        }
        try keep(whole)
        for text in ["", "\n", "#\n", String(whole.prefix { $0 != "\n" }) + "\n", nil] {
            if let text {
                try place.program.configure(text)
            } else {
                try FileManager.default.removeItem(atPath: place.file)
            }
            let outcome = try place.run(line)
            #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
            // A file that is not there is missed by some commands before.
            #expect(outcome.error.contains(place.file), "\(outcome)")
            #expect(text == nil || outcome.error.contains("nothing was changed; put back"), "\(outcome)")
            #expect(place.configuration == text)
        }
        // After a reload the present files are the kept ones.
        try place.program.configure(whole.replacing("[adhan]\nvolume = 80\n", with: ""))
        try keep(try #require(place.configuration))
        try place.program.configure(whole)
        #expect(try place.run(line).status == 0)
        #expect(
            place.service.requests.contains {
                if case .reload(let written, _) = $0 { written?.removed != nil } else { false }
            })
    }
}
