import Foundation
import Protocol
import Testing
import Texts

@Suite("Adding a sound") struct SoundAddTests {
    @Test("What was added is whole, measured, and reported with the contract's fields")
    func added() throws {
        let room = try SoundRoom()
        let sound = try room.add("cbr128_44k_stereo.mp3", "--name", "madinah")
        #expect(sound.name == "madinah")
        #expect(sound.file == room.sounds + "/madinah/adhan.mp3")
        #expect(sound.rate == 44100 && sound.channels == 2 && sound.frames == 66150)
        #expect(sound.durationSeconds == 1.5)
        // Read off ffmpeg's meter: -10.0 LUFS, -9.4 dBTP.
        #expect(abs(try #require(sound.loudnessLufs) + 10.0) < 0.15)
        #expect(abs(sound.truePeakDb + 9.4) < 0.3)
        #expect(abs(sound.gainDb - (-18 - (sound.loudnessLufs ?? 0))) < 0.001)
        #expect(sound.warnings.isEmpty)
        let manager = FileManager.default
        #expect(
            manager.contentsEqual(atPath: sound.file, andPath: SoundRoom.fixture("cbr128_44k_stereo.mp3")))
        #expect(room.files == ["madinah", "madinah/adhan.mp3", "madinah/adhan.mp3.json"])
        for (file, mode) in [
            ("madinah", 0o755), ("madinah/adhan.mp3", 0o644), ("madinah/adhan.mp3.json", 0o644),
        ] {
            let attributes = try manager.attributesOfItem(atPath: "\(room.sounds)/\(file)")
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
    }

    @Test("With --json the document has these fields and no others")
    func fields() throws {
        let room = try SoundRoom()
        let output = try room.run("add", SoundRoom.fixture("cbr64_44k_mono.mp3"), "--json").output
        let object = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
        #expect(
            object.keys.sorted() == [
                "channels", "durationSeconds", "file", "frames", "gainDb", "loudnessLufs", "name", "rate",
                "truePeakDb",
                "warnings",
            ])
        #expect(output.hasSuffix("}\n") && output.count { $0 == "\n" } == 1)
    }

    @Test("A person reads what was measured and what to do next")
    func text() throws {
        var room = try SoundRoom("[adhan]\nsound = \"makkah\"\n")
        let fixture = SoundRoom.fixture("cbr64_44k_mono.mp3")
        let first = try room.run("add", fixture, "--name", "madinah", "--prayer", "fajr")
        #expect(first.status == 0 && first.error.isEmpty)
        #expect(
            first.output == """
                added "madinah" for Fajr: \(room.sounds)/madinah/fajr.mp3
                1.5 s, 44100 Hz mono, -13.1 LUFS, true peak -9.4 dBTP; played at -4.9 dB, which brings it to -18.0 LUFS
                To hear it: adhanctl sound play madinah --prayer fajr
                To have it called: adhanctl sound use madinah --prayer fajr

                """)
        let second = try room.run("add", fixture, "--name", "makkah")
        #expect(
            second.output.hasSuffix(
                "makkah\n\(room.program.configurationFile) names it already: the next announcement plays it.\n"
            ))
        room.program.variables["NO_COLOR"] = "1"
        #expect(room.files.count { $0.hasSuffix(".mp3") } == 2)
    }

    static let usable = [
        ("abr80_44k_stereo.mp3", 66150), ("cbr16_8k_mono_mpeg25.mp3", 13248), ("cbr24_16k_mono.mp3", 25344),
        ("cbr64_22k_mono_tagged.mp3", 33075), ("cbr64_crc_protected.mp3", 66150),
        ("cbr64_no_info_tag.mp3", 67968),
        ("cbr96_48k_stereo.mp3", 72000), ("id3_replaygain.mp3", 24192), ("id3v23_apic_500k.mp3", 24192),
        ("layer2_renamed.mp3", 66816), ("mp3_inside_riff.mp3", 67968), ("short_half_second.mp3", 24192),
        ("two_id3v2_tags.mp3", 24192),
    ]

    @Test("Every kind of MP3 is taken, to the frame", arguments: usable.indices)
    func kinds(index: Int) throws {
        let (fixture, frames) = Self.usable[index]
        let sound = try SoundRoom().add(fixture)
        #expect(sound.frames == frames)
        #expect(sound.warnings.isEmpty)
    }

    @Test(
        "What is odd is added and said",
        arguments: [
            ("corrupt_middle_random.mp3", "is damaged"), ("corrupt_middle_300b.mp3", "is damaged"),
            ("concat_44k_then_22k.mp3", "the rate changes to 22050 Hz"),
        ])
    func odd(fixture: String, warning: String) throws {
        let room = try SoundRoom()
        let outcome = try room.run("add", SoundRoom.fixture(fixture))
        #expect(outcome.status == 0)
        #expect(outcome.error.hasPrefix("adhanctl: note: ") && outcome.error.contains(warning))
        // It is the file as its owner knows it that is damaged.
        #expect(!outcome.error.contains("/proc/"))
    }

    @Test("What is hardly a recording is refused, and added by those who mean it")
    func forced() throws {
        let room = try SoundRoom()
        let bytes = try Data(contentsOf: URL(filePath: SoundRoom.fixture("cbr128_44k_stereo.mp3")))
        let click = room.path + "/click.mp3"
        try Data(bytes.prefix(2000)).write(to: URL(filePath: click))
        let half = room.path + "/half.mp3"
        try Data(bytes.prefix(bytes.count / 2)).write(to: URL(filePath: half))
        for (file, reason) in [(click, "it is only "), (half, "only 0.")] {
            let refused = try room.run("add", file)
            #expect(refused.status == 65)
            #expect(refused.error.hasPrefix("adhanctl: cannot add \"\(file)\": \(reason)"))
            #expect(refused.error.hasSuffix("; if you mean it, use \"adhanctl sound add --force\"\n"))
            #expect(room.files.isEmpty)
        }
        let added = try room.run("add", half, "--force", "--json")
        #expect(added.status == 0)
        let sound = try JSON.decode(AddedSoundDocument.self, from: added.output.utf8)
        #expect(sound.warnings.contains { $0.hasSuffix("decode; it was added because you insisted") })
        let huge = room.path + "/huge.mp3"
        try bytes.write(to: URL(filePath: huge))
        unsafe truncate(huge, 20 << 30)
        let refused = try room.run("add", huge, "--force")
        #expect(
            refused.status == 65 && refused.error.contains("it has 20480 MB; a recording has at most 512"))
    }

    @Test(
        "What cannot be used is refused with what it is, and nothing is left",
        arguments: [
            ("ogg_renamed.mp3", "this is an Ogg Vorbis file; install ffmpeg to have it converted: "),
            ("wav_renamed.mp3", "this is a WAV file; install ffmpeg"),
            ("flac_renamed.mp3", "this is a FLAC file; install ffmpeg"),
            ("aac_adts_renamed.mp3", "this is an AAC (ADTS) file; install ffmpeg"),
            ("text_file.mp3", "this is a text file, not a sound"), ("empty.mp3", "it is empty"),
            ("random_bytes.mp3", "there is no MP3 audio in it"),
            ("truncated_200_bytes.mp3", "there is no MP3 audio in it"),
            ("id3v2_only_no_audio.mp3", "there is no MP3 audio in it"),
        ])
    func refused(fixture: String, reason: String) throws {
        let room = try SoundRoom()
        let outcome = try room.run("add", SoundRoom.fixture(fixture), "--json")
        #expect(outcome.status == 65)
        let details = try JSON.decode(ErrorDocument.self, from: outcome.output.utf8).error
        #expect(details.exit == 65 && outcome.error == "adhanctl: \(details.message)\n")
        #expect(outcome.error.hasPrefix("adhanctl: cannot add \"\(SoundRoom.fixture(fixture))\": \(reason)"))
        #expect(outcome.error.count { $0 == "\n" } == 1)
        #expect(room.files.isEmpty)
    }

    @Test("What a file is called tells nothing; an M4A or a picture in disguise is named")
    func disguised() throws {
        let room = try SoundRoom()
        let bytes: [(String, [UInt8], String)] = [
            (
                "a.mp3", [0, 0, 0, 32] + Array("ftypM4A \0\0\0\0".utf8),
                "an MP4/M4A (AAC) file; install ffmpeg"
            ),
            ("b.mp3", [0xFF, 0xD8, 0xFF, 0xE0] + Array("JFIF".utf8), "a JPEG picture, not a sound"),
            ("c.mp3", Array("<!DOCTYPE html><p>Not found".utf8), "a web page, not a sound"),
        ]
        for (name, content, kind) in bytes {
            try Data(content).write(to: URL(filePath: "\(room.path)/\(name)"))
            let outcome = try room.run("add", "\(room.path)/\(name)")
            #expect(outcome.status == 65)
            #expect(outcome.error.contains("this is \(kind)"))
        }
        // And an MP3 under any other name is one.
        try FileManager.default.copyItem(
            atPath: SoundRoom.fixture("cbr64_44k_mono.mp3"), toPath: room.path + "/adhan.txt")
        #expect(try room.run("add", room.path + "/adhan.txt").status == 0)
        #expect(room.files.contains("adhan/adhan.mp3"))
    }

    @Test("Silence is no sound to add", arguments: [8, 100])
    func silence(frames: Int) throws {
        // MPEG-1 Layer III, 128 kbit/s, 44.1 kHz: frames whose side information says that nothing is coded.
        let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 413)
        let room = try SoundRoom()
        try Data((0..<frames).flatMap { _ in frame }).write(to: URL(filePath: room.path + "/s.mp3"))
        let outcome = try room.run("add", room.path + "/s.mp3")
        #expect(outcome.status == 65)
        #expect(outcome.error.hasSuffix(": it is silent from beginning to end\n"))
        #expect(room.files.isEmpty)
    }

    @Test("What is no file is refused without being waited for")
    func noFile() throws {
        let room = try SoundRoom()
        let fifo = room.path + "/fifo"
        #expect(unsafe mkfifo(fifo, 0o600) == 0)
        for (path, status, reason) in [
            (fifo, 65, "it is not a regular file"), ("/dev/zero", 65, "it is not a regular file"),
            (room.path, 65, "it is a directory"), (room.path + "/none.mp3", 1, "No such file or directory"),
        ] {
            let outcome = try room.run("add", path, "--name", "x")
            #expect(outcome.status == Int32(status))
            #expect(outcome.error.contains(reason))
        }
        #expect(room.files.isEmpty)
    }

    @Test(
        "A name cannot leave its directory, and a refused one is wrong usage",
        arguments: ["../x", "a/b", "/etc/x", ".", "..", ".hidden", "-rf", "a b", "silent", "a\u{1}b"])
    func names(name: String) throws {
        let room = try SoundRoom()
        let outcome = try room.run("add", SoundRoom.fixture("cbr64_44k_mono.mp3"), "--name=\(name)")
        #expect(outcome.status == 64)
        #expect(outcome.error.contains("as a name: "))
        #expect(room.files.isEmpty)
        let paths = FileManager.default.subpaths(atPath: room.path) ?? []
        #expect(!paths.contains { $0.hasSuffix(".mp3") && !$0.hasPrefix("audio/") })
    }
}
