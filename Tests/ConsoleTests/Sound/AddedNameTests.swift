import Console
import Protocol
import Settings
import Testing
import Texts

@Suite("Names of added sounds") struct AddedNameTests {
    @Test(
        "Letters, digits, - and _ of any script make a name",
        arguments: [
            "a", "madinah", "Adhan_2019-b", "7", "مدينة", "أَذَان", "cami-ezanı", "азан", "礼拝", "e\u{301}",
        ])
    func names(text: String) throws {
        #expect(try AddedName(text).text == text)
        // It is one step in a path, whatever it is.
        #expect(SoundName(text) == .named(text))
    }

    @Test(
        "What could leave the directory, be taken for an option, or be no file is no name",
        arguments: [
            "", ".", "..", "../x", "a/b", "/etc", "a\\b", "a b", ".hidden", "-x", "_x", "silent", "a\0b",
            "a\nb", "a.mp3",
            "~", "$HOME", "a;b", "\u{301}a", "a\u{202E}b", "a\u{200B}", "\u{FEFF}a", "💿",
            String(repeating: "a", count: 65), String(repeating: "e\u{301}\u{302}\u{303}", count: 60),
        ])
    func refused(text: String) {
        let error = #expect(throws: AddedNameError.self) { try AddedName(text) }
        #expect(error?.message.contains("\n") == false)
        #expect(error?.message.unicodeScalars.allSatisfy { $0.value >= 0x20 } == true)
    }

    @Test("A name may be 64 characters long, and no longer in bytes than a folder's")
    func longest() throws {
        #expect(try AddedName(String(repeating: "ش", count: 64)).text.count == 64)
        #expect(throws: AddedNameError.self) { try AddedName(String(repeating: "ش", count: 65)) }
        // Gothic letters take four bytes each.
        #expect(throws: AddedNameError.self) { try AddedName(String(repeating: "\u{10330}", count: 61)) }
    }

    @Test(
        "A file suggests its own name, as far as it can be one",
        arguments: [
            ("/home/u/Adhan Madinah (1).mp3", "adhan-madinah-1"), ("adhan.mp3", "adhan"),
            ("noextension", "noextension"),
            ("../../Fajr__2.MP3", "fajr__2"), ("أذان الفجر.mp3", "أذان-الفجر"), ("a.b.c.ogg", "a-b-c"),
            ("--x--.mp3", "x"), (".hidden", "hidden"), ("Silent.mp3", nil), ("....", nil), ("", nil),
            ("/", nil),
            ("(!).mp3", nil),
            (String(repeating: "x", count: 300) + ".mp3", String(repeating: "x", count: 64)),
        ])
    func suggested(path: String, name: String?) {
        #expect(AddedName.suggested(by: path)?.text == name)
    }
}

@Suite("Measurements of sounds") struct SoundMeasurementTests {
    private static let stamp = SoundMeasurement.Stamp(size: 1234, modified: 1_790_000_000)
    private static let measured = SoundMeasurement(
        stamp: stamp, rate: 44100, channels: 2, frames: 441_000, loudnessLufs: -11.236, truePeakDb: 0.449)

    @Test("What is kept is read back, to a hundredth of a decibel")
    func roundTrip() throws {
        let read = try #require(SoundMeasurement(fileBytes: try Self.measured.fileBytes(), of: Self.stamp))
        #expect(read == Self.measured)
        #expect(read.loudnessLufs == -11.24 && read.truePeakDb == 0.45)
        #expect(read.durationSeconds == 10)
        #expect(try Self.measured.fileBytes().count < SoundMeasurement.longestFile)
    }

    @Test("A sound too short to measure has no loudness, and says so")
    func short() throws {
        let short = SoundMeasurement(
            stamp: Self.stamp, rate: 8000, channels: 1, frames: 80, loudnessLufs: nil, truePeakDb: -3)
        let bytes = try short.fileBytes()
        #expect(String(decoding: bytes, as: UTF8.self).contains("\"loudnessLufs\":null"))
        #expect(SoundMeasurement(fileBytes: bytes, of: Self.stamp) == short)
    }

    @Test("A file in the place of the measured one counts as not measured")
    func replaced() throws {
        let bytes = try Self.measured.fileBytes()
        for other in [
            SoundMeasurement.Stamp(size: 1235, modified: 1_790_000_000),
            .init(size: 1234, modified: 1_790_000_001),
        ] {
            #expect(SoundMeasurement(fileBytes: bytes, of: other) == nil)
        }
    }

    @Test(
        "What is no measurement of this version is none",
        arguments: [
            "", "{}", "null", "[]", "\u{0}", "{\"version\":1}",
            "{\"channels\":2,\"frames\":1,\"loudnessLufs\":null,\"rate\":0,\"stamp\":{\"modified\":1790000000,\"size\":1234},"
                + "\"truePeakDb\":0,\"version\":1}",
            "{\"channels\":2,\"frames\":1,\"loudnessLufs\":null,\"rate\":8000,\"stamp\":{\"modified\":1790000000,"
                + "\"size\":1234},\"truePeakDb\":0,\"version\":2}",
        ])
    func garbage(text: String) {
        #expect(SoundMeasurement(fileBytes: Array(text.utf8), of: Self.stamp) == nil)
    }
}

@Suite("What uses a sound") struct SoundUseTests {
    @Test("Every place that names a sound counts, and silence is no sound")
    func all() throws {
        let config = try ConfigLoader.load(
            text: Array(
                """
                [adhan]
                sound = ["madinah", "dua"]
                [adhan.fajr]
                sound = "makkah"
                reminder-sound = "dua"
                [adhan.isha]
                sound = "silent"
                """.utf8), file: "adhand.toml")
        let uses = SoundUse.all(in: config)
        #expect(SoundUse.keys(of: uses.filter { $0.sound == "makkah" }) == ["adhan.fajr.sound"])
        #expect(
            SoundUse.keys(of: uses.filter { $0.sound == "dua" })
                == [
                    "adhan.dhuhr.sound", "adhan.asr.sound", "adhan.maghrib.sound", "adhan.jumua.sound",
                    "adhan.fajr.reminder-sound",
                ])
        #expect(!uses.contains { $0.sound == "silent" })
    }

    @Test("A mosque's own sounds count where they are announced, by their own keys")
    func mosque() throws {
        let text = """
            [iqama]
            sound = "bell"
            reminders = ["5m"]
            [jumua]
            khutba-sound = "gong"
            [[jumua.slot]]
            khutba = "13:00"
            sound = "second"
            [ramadan]
            wake = ["fajr-60m"]
            wake-sound = "drum"
            imsak = "fajr-10m"
            iftar-sound = "cannon"
            [eid]
            takbirat-sound = ["takbir"]
            [adhan.isha]
            enabled = false
            """
        let config = try ConfigLoader.load(text: Array(text.utf8), file: "adhand.toml")
        let uses = SoundUse.all(in: config)
        let keys = [
            "bell": "iqama.sound", "gong": "jumua.khutba-sound", "second": "jumua.slot.sound",
            "drum": "ramadan.wake-sound", "cannon": "ramadan.iftar-sound", "takbir": "eid.takbirat-sound",
        ]
        for (sound, key) in keys {
            #expect(SoundUse.keys(of: uses.filter { $0.sound == sound }) == [key])
        }
        #expect(SoundUse.keys(of: uses.filter { $0.sound == "signal" }).contains("ramadan.imsak-sound"))
        #expect(SoundUse.keys(of: uses.filter { $0.sound == "signal" }).contains("iqama.reminder-sound"))
        let played = uses.filter { $0.isPlayed(by: config) }
        #expect(!played.contains { $0.prayer == .isha } && played.contains { $0.sound == "takbir" })
        // Nobody is woken by default.
        #expect(!SoundUse.all(in: .default).contains { !$0.occasion.isByPrayer })
    }

    @Test("What all prayers share is said once")
    func shared() {
        let uses = SoundUse.all(in: .default)
        #expect(SoundUse.keys(of: uses) == ["adhan.sound", "adhan.reminder-sound"])
        #expect(SoundUse.keys(of: [SoundUse]()).isEmpty)
    }
}
