import Foundation
import LabSupport
import Protocol
import Testing
import Texts

extension SoundAddTests {
    @Test("A name that is taken needs --replace, which puts the new file in place of the old")
    func replace() throws {
        let room = try SoundRoom()
        _ = try room.add("cbr64_44k_mono.mp3", "--name", "a")
        for name in ["a", "standard", "signal"] {
            let outcome = try room.run("add", SoundRoom.fixture("cbr96_48k_stereo.mp3"), "--name", name)
            #expect(outcome.status == 1)
            #expect(outcome.error.contains("there is a sound \"\(name)\" already"))
        }
        #expect(try room.list().first?.files.map(\.rate) == [44100])
        #expect(try room.add("cbr96_48k_stereo.mp3", "--name", "a", "--replace").rate == 48000)
        #expect(try room.list().first?.files.map(\.rate) == [48000])
        // One prayer of a sound does not compete with the whole, nor of another prayer.
        _ = try room.add("cbr64_44k_mono.mp3", "--name", "a", "--prayer", "fajr")
        _ = try room.add("cbr64_44k_mono.mp3", "--name", "a", "--prayer", "Isha")
        #expect(try room.list().first?.files.map(\.prayer) == [.fajr, .isha, nil])
        _ = try room.add("cbr64_44k_mono.mp3", "--name", "standard", "--replace")
        #expect(room.files.contains("standard/adhan.mp3"))
    }

    @Test("An unknown prayer is named with the ones there are")
    func prayer() throws {
        let outcome = try SoundRoom().run(
            "add", SoundRoom.fixture("cbr64_44k_mono.mp3"), "--prayer", "noon")
        #expect(outcome.status == 64)
        #expect(outcome.error.contains("noon"))
    }

    /// Ten minutes take the debug program more than one.
    @Test(
        "A recording of more than ten minutes is added with a question",
        .enabled(if: BuiltProgram.isReleased))
    func long() throws {
        let room = try SoundRoom()
        let once = try Data(contentsOf: URL(filePath: SoundRoom.fixture("cbr16_8k_mono_mpeg25.mp3")))
        var bytes = Data()
        for _ in 0..<370 { bytes.append(once) }
        try bytes.write(to: URL(filePath: room.path + "/long.mp3"))
        let outcome = try room.run("add", room.path + "/long.mp3")
        #expect(outcome.status == 0)
        #expect(
            outcome.error
                == "adhanctl: note: it is 10 min long; an adhan has 2 to 5, so is this the right file?\n")
    }

    @Test(
        "Root decodes and converts with the rights of the user whose sounds they become",
        .enabled(if: geteuid() == 0))
    func rights() throws {
        let room = try SoundRoom()
        unsafe chmod(room.path, 0o755)
        #expect(unsafe chown(room.state, 65534, 65534) == 0)
        let seen = room.path + "/seen"
        try FileManager.default.createDirectory(atPath: seen, withIntermediateDirectories: true)
        unsafe chmod(seen, 0o777)
        try room.install(
            ffmpeg: """
                { id -u; id -g; id -G; grep NoNewPrivs /proc/self/status; } > \(seen)/rights
                cat \(SoundRoom.fixture("cbr64_44k_mono.mp3")) > $out
                """)
        let secret = room.path + "/secret.ogg"
        try FileManager.default.copyItem(atPath: SoundRoom.fixture("ogg_renamed.mp3"), toPath: secret)
        unsafe chmod(secret, 0o600)
        let outcome = try room.run("add", secret, "--name", "mine")
        #expect(outcome.status == 0, "\(outcome.error)")
        let rights = try String(contentsOfFile: seen + "/rights", encoding: .utf8)
        #expect(rights == "65534\n65534\n65534\nNoNewPrivs:\t1\n")
        var status = stat()
        #expect(unsafe stat(room.sounds + "/mine/adhan.mp3", &status) == 0 && status.st_uid == 65534)
        #expect(room.files == ["mine", "mine/adhan.mp3", "mine/adhan.mp3.json"])
    }

    @Test("A process that is to give up its rights and cannot does nothing")
    func worker() throws {
        for words in [[], ["x", "0", "measure"], ["0", "0"], ["0", "0", "run"], ["0", "0", "fly"]]
            as [[String]]
        {
            let outcome = try Adhanctl().run(["_sound-worker"] + words)
            #expect(outcome.status == 1 && outcome.output.isEmpty)
        }
    }

    @Test(
        "What a file is by its beginning is looked at where its sound is decoded",
        arguments: ["recognise", "measure"])
    func workerLooks(_ word: String) throws {
        // Nothing is open under the number by which it knows the file.
        let outcome = try Adhanctl().run(["_sound-worker", "\(getuid())", "\(getgid())", word])
        #expect(outcome.status == 0 && outcome.output.contains("\"refusal\""), "\(outcome)")
    }
}
