import Foundation
import LabSupport
import Testing

@testable import Settings

/// A configuration and the one sentence that it earns.
struct ConfigMistake: Sendable, CustomTestStringConvertible {
    let text: String
    let place: String
    let sentence: String

    var testDescription: String { text.debugDescription }

    /// Fixtures/config-mistakes.txt: a text, then `=> line:column key` and `=> sentence`.
    static func all() throws -> [ConfigMistake] {
        var mistakes: [ConfigMistake] = []
        var lines: [Substring] = []
        var place: String?
        for line in try ExpectedText.read("config-mistakes.txt", in: .module).split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            guard line.hasPrefix("=> ") else {
                lines.append(line)
                continue
            }
            if let known = place {
                mistakes.append(
                    ConfigMistake(
                        text: lines.joined(separator: "\n"), place: known, sentence: String(line.dropFirst(3))
                    ))
                lines = []
                place = nil
            } else {
                place = String(line.dropFirst(3))
            }
        }
        return mistakes
    }

    /// Writes the places and sentences of today beside the texts.
    static func update(_ file: URL) throws {
        let cases = try all().map { mistake in
            do throws(ConfigError) {
                _ = try ConfigLoader.load(text: mistake.text, file: "adhand.toml")
                return mistake.text + "\n=> no mistake\n=> \n"
            } catch {
                let place = "\(error.line):\(error.column) \(error.key ?? "-")"
                return mistake.text + "\n=> \(place)\n=> \(error.reason)\n"
            }
        }
        try cases.joined().write(to: file, atomically: true, encoding: .utf8)
    }
}

struct ConfigMistakeTests {
    @Test("Every mistake is one sentence with line, column, key, what is allowed and the nearest name")
    func sentences() throws {
        if let folder = UpdatedFixtures.folder() {
            try ConfigMistake.update(folder.appending(path: "config-mistakes.txt"))
        }
        let mistakes = try ConfigMistake.all()
        #expect(mistakes.count >= 100)
        for mistake in mistakes {
            let error = #expect(throws: ConfigError.self, "\(mistake.text.debugDescription)") {
                _ = try ConfigLoader.load(text: mistake.text, file: "adhand.toml")
            }
            guard let error else { continue }
            #expect(
                "\(error.line):\(error.column) \(error.key ?? "-")" == mistake.place,
                "\(mistake.text.debugDescription)")
            #expect(error.reason == mistake.sentence)
            #expect(error.message == "adhand.toml:\(error.line):\(error.column): \(mistake.sentence)")
        }
    }

    @Test("All mistakes of a file are reported, in its order, and none is reported twice")
    func all() throws {
        let text = """
            [adhan]
            volume = 300
            sound = 5
            [locaton]
            latitude = 1
            [calculation]
            method = isna
            asr = "shafi"
            [adhan.volume]
            x = 1
            """
        let error = try #require(
            #expect(throws: ConfigError.self) { _ = try ConfigLoader.load(text: text, file: "f") })
        #expect(error.all.map { "\($0.line):\($0.column)" } == ["2:10", "3:9", "4:2", "7:10", "8:7", "9:8"])
        #expect(error.summary == error.message + " (and 5 more mistakes)")
        let together = try #require(
            #expect(throws: ConfigError.self) {
                _ = try ConfigLoader.load(
                    text: "location.latitude = 1\ncalculation.method = \"custom\"\n", file: "f")
            })
        #expect(together.all.map(\.line) == [1, 2] && together.summary.hasSuffix(" (and 1 more mistake)"))
        // Rules for several keys use each key's own value.
        let alone = try #require(
            #expect(throws: ConfigError.self) {
                _ = try ConfigLoader.load(text: "location.latitude = 91\n", file: "f")
            })
        #expect(alone.others.isEmpty)
    }

    @Test("Line ends of other systems and a byte order mark do not shift the place")
    func lineEndsAndMark() {
        #expect(place("[adhan]\r\nenabled = true\r\nvolume = 300\r\n") == "3:10")
        #expect(place("\u{FEFF}timezon = 3") == "1:1")
        #expect(place("\u{FEFF}[adhan]\nvolume = 300") == "2:10")
        #expect(place("# ﷽ سم الله\n[adhan]\nsound = \"أذان\"\n[debug]\n\ttriggers = 3") == "5:13")
    }

    @Test(
        "Bytes that are no text are refused where they stand",
        arguments: [
            (
                [0x61, 0x0A, 0x62, 0xC3, 0x28], "2:2",
                "a byte that is not UTF-8 (0xC3); save the file as UTF-8"
            ),
            ([0xFF, 0xFE, 0x61, 0x00], "1:1", "the file is UTF-16; save it as UTF-8"),
            ([0x61, 0x00, 0x3D, 0x00, 0x31, 0x00], "1:1", "the file is UTF-16; save it as UTF-8"),
            (
                [UInt8](repeating: 0, count: 300), "1:1",
                "there are only zeros where the file began, as after a loss of power; put a copy back, or move the file away and run \"sudo adhanctl setup\""
            ),
            (
                Array("# a\r[b]".utf8), "1:4",
                "a carriage return alone; save the file with the line ends of Unix or Windows"
            ),
            (
                Array("a\u{A0}= 1".utf8), "1:2",
                "a blank that looks like a space and is none (U+00A0); write a plain one"
            ),
            (
                Array("# a\u{1}".utf8), "1:4",
                "a control character (U+0001), which TOML does not allow; remove it"
            ),
            ([0xED, 0xA0, 0x80], "1:1", "a byte that is not UTF-8 (0xED); save the file as UTF-8"),
            ([0x23, 0x00], "1:2", "a NUL byte, which TOML does not allow; is it a text file?"),
        ] as [([UInt8], String, String)])
    func noText(_ bytes: [UInt8], _ place: String, _ sentence: String) throws {
        let error = try #require(
            #expect(throws: ConfigError.self) { _ = try ConfigLoader.load(text: bytes, file: "f") })
        #expect("\(error.line):\(error.column)" == place)
        #expect(error.reason == sentence)
    }

    @Test("A file that is too large, too deep or too strange is refused in no time")
    func hostileSizes() {
        let limit = ConfigLoader.longestFile
        #expect(place(String(repeating: "#", count: limit + 1)) == "1:1")
        #expect(place("x = " + String(repeating: "[", count: 100_000)) == "1:36")
        #expect(place(String(repeating: "a.", count: 100_000) + "a = 1") == "1:65")
        #expect(place("[" + String(repeating: "a.", count: 100_000) + "a]") == "1:66")
        #expect(place("x = " + String(repeating: "{a=", count: 100_000)) != nil)
        #expect(place("x = \"" + String(repeating: "\\", count: 100_001)) != nil)
    }

    @Test("A sentence stays one that can be read, however long the key or the value")
    func lengths() {
        let long = String(repeating: "a", count: 100_000)
        for text in [
            "\(long) = 1", "[adhan]\nsound = \"\(long)\"", "\(long) = 1\n\(long) = 2",
            "timezone = \"\(long)\"",
        ] {
            let error = #expect(throws: ConfigError.self) { _ = try ConfigLoader.load(text: text, file: "f") }
            #expect((error?.message.count ?? 0) < 400)
        }
    }

    @Test(
        "What only the machine can tell is reported at the value, or at the beginning when the key is left out"
    )
    func fromOutside() {
        let text = Array("[adhan]\n\ntimezone = 1\n".utf8)
        let top = Array("\ntimezone = \"Europe/Atlantis\"".utf8)
        let error = ConfigLoader.error(
            at: "timezone", in: [ConfigSource(file: "f", text: top)], file: "f", reason: "no such zone")
        #expect(error.message == "f:2:12: no such zone")
        let without = ConfigLoader.error(
            at: "timezone", in: [ConfigSource(file: "f", text: text)], file: "f", reason: "x")
        #expect(without.message == "f:1:1: x")
    }

    private func place(_ text: String) -> String? {
        do {
            _ = try ConfigLoader.load(text: text, file: "f")
            return nil
        } catch {
            return "\(error.line):\(error.column)"
        }
    }
}
