import Daemon
import Foundation
import PrayerEngine
import Protocol
import Settings
import Synchronization
import Testing
import Texts
import Times

extension ChangeTests {
    @Test("Undo puts back a file that was emptied; what is gone beside it is in its way; twice is once more")
    func lossUndone() throws {
        let place = try ChangedPlace()
        let first = try #require(place.configuration)
        #expect(try place.run("set adhan.volume 70").status == 0)
        let second = try #require(place.configuration)
        let dropIn = ConfigSource(file: place.file + ".d/1.toml", text: Array("adhan.isha.volume = 3\n".utf8))
        let main = ConfigSource(file: place.file, text: Array(second.utf8))
        func keep(_ sources: [ConfigSource]) throws {
            let kept = KeptConfiguration(place.file, sources, at: Instant(unixSeconds: 0))
            try Data(try kept.fileBytes()).write(to: URL(filePath: place.state + "/configuration.json"))
        }
        try place.program.configure("")
        try keep([main, dropIn])
        let refused = try place.run("set --undo")
        #expect(
            refused.status == 1 && refused.error.contains("1.toml: the file was in force and is gone"),
            "\(refused)")
        try keep([main])
        #expect(try place.run("set adhan.volume 60").status == 1)
        let undone = try place.run("set --undo")
        #expect(undone.status == 0 && place.configuration == first, "\(undone)")
        #expect(try place.run("set --undo").output.contains("location.latitude: 40.7282 -> not set"))
    }

    @Test("What a command took out while adhand did not run is no loss to the next command")
    func unread() throws {
        let program = try Adhanctl.inQueens("[adhan]\nvolume = 80\n")
        let file = program.configurationFile
        let state = program.home.path + "/.local/state/adhand"
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let kept = KeptConfiguration(
            file, [ConfigSource(file: file, text: Array(text.utf8))], at: Instant(unixSeconds: 0))
        try Data(try kept.fileBytes()).write(to: URL(filePath: state + "/configuration.json"))
        for line in ["unset adhan.volume", "set adhan.volume 70"] {
            let outcome = try program.run(line.split(separator: " ").map(String.init) + ["--config", file])
            #expect(outcome.status == 0, "\(outcome)")
        }
    }

    @Test("Of a text that cannot be used undo tells the difference that can be known")
    func undoOfInvalid() throws {
        let program = Adhanctl()
        try program.configure("[adhan]\nvolume = 80\nenabled = true\n")
        let file = program.configurationFile
        #expect(try program.run(["set", "adhan.volume", "70", "--config", file]).status == 0)
        try program.configure("[adhan]\nvolum = 70\nenabled = true\n")
        let outcome = try program.run(["set", "--undo", "--config", file])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.output.contains("adhan.volum: 70 -> not set"))
        #expect(outcome.output.contains("adhan.volume: not set -> 80"))
        #expect(
            !outcome.output.contains("enabled") && outcome.output.contains("could not be used"), "\(outcome)")
    }

    @Test("A zone whose file is broken stands in the way of nothing but a change of the zone")
    func brokenZone() throws {
        var program = Adhanctl()
        let zones = program.home.path + "/zones"
        try FileManager.default.createDirectory(atPath: zones + "/Europe", withIntermediateDirectories: true)
        try Data("broken".utf8).write(to: URL(filePath: zones + "/Europe/Berlin"))
        try FileManager.default.copyItem(
            atPath: "/usr/share/zoneinfo/zone.tab", toPath: zones + "/zone.tab")
        program.variables["TZDIR"] = zones
        try program.configure(
            "timezone = \"Europe/Berlin\"\n[location]\nlatitude = 52.5\nlongitude = 13.4\n[adhan]\nvolume = 80\n"
        )
        let file = program.configurationFile
        let set = try program.run(["set", "adhan.volume", "70", "--config", file])
        #expect(set.status == 0 && set.output.contains("the time zone cannot be read"), "\(set)")
        #expect(set.output.contains("apt-get install --reinstall tzdata"), "\(set)")
        try program.configure("[location]\nlatitude = 52.5\nlongitude = 13.4\n")
        let zone = try program.run(["set", "timezone", "Europe/Berlin", "--config", file])
        #expect(zone.status == 1 && zone.error.contains("first type: sudo apt-get"), "\(zone)")
    }

    @Test("A timetable that vanished is not removed as one of no days")
    func vanished() throws {
        let place = try ChangedPlace()
        try FileManager.default.moveItem(
            atPath: place.state + "/timetable.csv", toPath: place.state + "/timetable.previous.csv")
        let outcome = try place.program.run([
            "timetable", "remove", "--state-dir", place.state, "--config", place.file,
        ])
        #expect(outcome.status == 0 && outcome.output.hasPrefix("the timetable was lost"), "\(outcome)")
    }
}
