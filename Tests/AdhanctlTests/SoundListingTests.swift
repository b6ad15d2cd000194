import Foundation
import Protocol
import Testing
import Texts

@Suite("Listing and removing sounds") struct SoundListingTests {
    private static let mono = SoundRoom.fixture("cbr64_44k_mono.mp3")

    @Test("Shipped and added sounds are listed with what was measured and what uses them")
    func list() throws {
        let room = try SoundRoom(
            "[adhan]\nsound = [\"madinah\", \"standard\"]\n[adhan.isha]\nsound = \"standard\"\n")
        let added = try room.add("cbr128_44k_stereo.mp3", "--name", "madinah")
        _ = try room.add("cbr64_44k_mono.mp3", "--name", "madinah", "--prayer", "isha")
        let sounds = try room.list()
        #expect(sounds.map(\.name) == ["madinah", "signal", "standard"])
        #expect(sounds.map(\.origin) == [.added, .shipped, .shipped])
        #expect(sounds[0].files.map(\.prayer) == [.isha, nil])
        #expect(sounds[0].files[1].file == added.file)
        #expect(sounds[0].files[1].gainDb == added.gainDb)
        #expect(sounds[0].files[1].loudnessLufs == added.loudnessLufs)
        #expect(sounds[0].files[1].durationSeconds == 1.5)
        let users = ["fajr", "dhuhr", "asr", "maghrib", "jumua"].map { "adhan.\($0).sound" }
        #expect(sounds.map(\.usedBy) == [users, ["adhan.reminder-sound"], ["adhan.sound"]])
        #expect(sounds[2].files.map(\.prayer) == Prayer.allCases)
        #expect(sounds[1...].allSatisfy { $0.files.allSatisfy { $0.gainDb == 0 && $0.problem == nil } })
    }

    @Test("A person sees a line for each file")
    func text() throws {
        let room = try SoundRoom("[adhan.fajr]\nsound = \"madinah\"\n")
        _ = try room.add("cbr64_44k_mono.mp3", "--name", "madinah", "--prayer", "fajr")
        let outcome = try room.run("list")
        #expect(outcome.status == 0 && outcome.error.isEmpty)
        #expect(
            outcome.output.hasPrefix(
                """
                madinah (added), used by adhan.fajr.sound
                  Fajr  1.5 s  44100 Hz mono  -13.1 LUFS  -4.9 dB
                signal (shipped), used by adhan.reminder-sound
                  every prayer  2.9 s  44100 Hz mono  -18.0 LUFS  +0.0 dB

                """))
        #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test("What was copied there by hand is measured on the spot; what cannot be played says why")
    func byHand() throws {
        let manager = FileManager.default
        let room = try SoundRoom()
        let added = try room.add("cbr128_44k_stereo.mp3", "--name", "a")
        // In the place of what was measured.
        try manager.removeItem(atPath: added.file)
        try manager.copyItem(atPath: Self.mono, toPath: added.file)
        try manager.copyItem(atPath: Self.mono, toPath: room.sounds + "/b.mp3")
        try manager.createDirectory(atPath: room.sounds + "/c", withIntermediateDirectories: true)
        try manager.copyItem(
            atPath: SoundRoom.fixture("ogg_renamed.mp3"), toPath: room.sounds + "/c/fajr.mp3")
        try manager.createDirectory(atPath: room.sounds + "/empty", withIntermediateDirectories: true)
        let sounds = try room.list().filter { $0.origin == .added }
        #expect(sounds.map(\.name) == ["a", "b", "c"])
        #expect(sounds[0].files.map(\.gainDb) == [-4.9])
        #expect(sounds[1].files.map(\.gainDb) == [-4.9])
        #expect(sounds[2].files[0].problem?.contains("this is an Ogg Vorbis file") == true)
        #expect(sounds[2].files[0].gainDb == nil)
    }

    @Test("A sound that the configuration uses stays, and the sentence says what uses it")
    func inUse() throws {
        let room = try SoundRoom("[adhan.fajr]\nsound = \"madinah\"\nreminder-sound = \"madinah\"\n")
        _ = try room.add("cbr64_44k_mono.mp3", "--name", "madinah", "--prayer", "fajr")
        _ = try room.add("cbr64_44k_mono.mp3", "--name", "madinah")
        for more in [["--prayer", "fajr"], []] {
            let outcome = try room.program.run(room.arguments(["remove", "madinah"] + more))
            #expect(outcome.status == 1)
            #expect(
                outcome.error
                    == "adhanctl: cannot remove \"madinah\": adhan.fajr.sound, adhan.fajr.reminder-sound in "
                    + "\"\(room.program.configurationFile)\" use it; name another sound there first, then run "
                    + "\"adhanctl reload\"\n")
        }
        #expect(room.files.count == 5)
        try room.program.configure("")
        #expect(try room.run("remove", "madinah", "--prayer", "fajr").status == 0)
        #expect(room.files == ["madinah", "madinah/adhan.mp3", "madinah/adhan.mp3.json"])
        let outcome = try room.run("remove", "madinah", "--json")
        #expect(outcome.output == "{\"files\":[\"\(room.sounds)/madinah/adhan.mp3\"],\"name\":\"madinah\"}\n")
        #expect(room.files.isEmpty)
    }

    @Test("A configuration that cannot be read stops nobody from adding; only removing waits for it")
    func brokenConfiguration() throws {
        let room = try SoundRoom("[adhan]\nsoundd = 3\n")
        _ = try room.add("cbr64_44k_mono.mp3", "--name", "a")
        let listed = try room.run("list", "--json")
        #expect(listed.status == 0)
        #expect(listed.error.contains("soundd") && listed.error.contains("is therefore not shown"))
        let removed = try room.run("remove", "a")
        #expect(removed.status == 65 && removed.error.contains("soundd"))
        #expect(room.files.count == 3)
        let named = try room.run(
            "add", Self.mono, "--name", "b", "--config", room.program.configurationFile)
        #expect(named.status == 65)
    }

    @Test(
        "What is shipped, not there, or no name at all is not removed",
        arguments: [
            ("standard", 1, "is shipped with adhand and cannot be removed"),
            ("nowhere", 1, "there is no added sound"),
            ("../state.json", 64, "is not the name of a sound"),
            ("/etc/passwd", 64, "is not the name of a sound"),
            ("", 64, "is not the name of a sound"),
        ])
    func notRemoved(name: String, status: Int32, reason: String) throws {
        let room = try SoundRoom()
        try "{}".write(toFile: room.state + "/state.json", atomically: true, encoding: .utf8)
        let outcome = try room.run("remove", name)
        #expect(outcome.status == status)
        #expect(outcome.error.contains(reason))
        #expect(FileManager.default.fileExists(atPath: room.state + "/state.json"))
    }

    @Test("The daemon says where its sounds are, and what it is playing stays")
    func daemon() throws {
        var room = try SoundRoom()
        _ = try room.add("cbr64_44k_mono.mp3", "--name", "madinah")
        try Data().write(to: URL(filePath: room.state + "/adhand.lock"))
        let status = try SampleDocuments.status(
            replacing: [
                "\"configuration\": \"/etc/adhand/adhand.toml\"":
                    "\"configuration\": \"x\", \"configurationLookedFor\": [\"y\"], \"stateDirectory\": \"\(room.state)\", "
                    + "\"audioDirectory\": \"\(room.shipped)\"",
                "\"playback\": {\"state\": \"idle\", \"id\": null, \"prayer\": null, \"sound\": null":
                    "\"playback\": {\"state\": \"playing\", \"id\": \"x\", \"prayer\": \"asr\", \"sound\": \"signal, madinah\"",
            ])
        let service = FakeService(in: room.program.home) { _ in .reply(.document(StatusReply(status: status)))
        }
        room.program.socket = service.path
        let refused = try room.program.run("sound remove madinah")
        #expect(refused.status == 1)
        #expect(
            refused.error
                == "adhanctl: cannot remove \"madinah\": it is being played; wait until it is over, or run "
                + "\"adhanctl stop\"\n")
        #expect(try room.program.run(["sound", "add", Self.mono, "--name", "makkah"]).status == 0)
        #expect(try room.program.run("sound remove makkah").status == 0)
        #expect(room.files == ["madinah", "madinah/adhan.mp3", "madinah/adhan.mp3.json"])
    }
}
