import PrayerEngine
import Protocol
import Testing
import Texts

@testable import Settings

@Suite("Calls in the file, and their identities")
struct CallSchemaTests {
    private func call(_ name: String, _ at: String, _ more: String = "") -> String {
        "[[call]]\nname = \"\(name)\"\nat = \"\(at)\"\n\(more)\n"
    }

    private func mistake(_ text: String) -> String? {
        do {
            _ = try ConfigLoader.load(text: text, file: "test")
            return nil
        } catch { return error.reason }
    }

    @Test("Keys read back as they are written")
    func written() throws {
        let text =
            call(
                "a", "last-third-30m",
                "sound = { rotate = [\"a\", \"b\"] }\nvolume = 7\nfor = \"18m\"\nlate-grace = \"1h\"\nfade-in = \"3s\"\ndays = [\"friday\", \"monday\"]\nhijri = [\"ramadan\", \"12-09\", \"12-25/01-10\"]\nfrom = \"03-15\"\nuntil = \"10-15\"\noutputs = \"main\"\nenabled = false"
            ) + call("b", "midnight") + call("c", "02:30", "hijri = \"rabi-al-awwal\"")
        let config = try ConfigLoader.load(text: text, file: "test")
        #expect(try ConfigLoader.load(text: config.printed(), file: "again") == config)
        #expect(config.calls.map(\.at.text) == ["last-third-30m", "midnight", "02:30"])
        #expect(config.calls[0].hijri.map(\.text) == ["ramadan", "12-09", "12-25/01-10"])
        #expect(
            config.calls[0].limitSeconds == 1080 && config.calls[1].sound == "signal"
                && config.calls[1].volumePercent == 80)
    }

    @Test(
        "A mistake has one sentence",
        arguments: [
            ("[[call]]\nat = \"fajr\"", "[[call]] needs name beside the rest"),
            ("[[call]]\nname = \"a\"", "[[call]] needs at beside the rest"),
            (
                "[[call]]\nname = \"a\"\nat = \"+15m\"",
                "it does not say after what; write an event, such as \"isha+15m\""
            ),
            (
                "[[call]]\nname = \"a\"\nat = \"15\"",
                "it does not say after what; write an event, such as \"isha+15m\""
            ),
            (
                "[[call]]\nname = \"a\"\nat = \"-5m\"",
                "it does not say after what; write an event, such as \"isha+15m\""
            ),
            (
                "[[call]]\nname = \"a\"\nat = \"adhan-5m\"",
                "it does not say after what; write an event, such as \"isha+15m\""
            ),
            ("[[call]]\nname = \"a\"\nat = \"fajr-13h\"", "12h at most"),
            ("[[call]]\nname = \"a\"\nat = \"fjar-5m\"", "did you mean \"fajr-5m\"?"),
            ("[[call]]\nname = \"a\"\nat = \"fajr\"\nhijri = \"Ramadan\"", "did you mean \"ramadan\"?"),
            (
                "[[call]]\nname = \"a\"\nat = \"fajr\"\nhijri = \"13-01\"",
                "call.hijri must be a month of the Islamic year"
            ),
            (
                "[[call]]\nname = \"a\"\nat = \"fajr\"\noutputs = [\"bedroom\"]",
                "there is no such output; the only one is \"main\""
            ),
            (
                "[[call]]\nname = \"a\"\nat = \"fajr\"\nfrom = \"03-15\"",
                "call.from is a day of every year and needs until beside it"
            ),
            ("[[call]]\nname = \"A b\"\nat = \"fajr\"", "did you mean \"a-b\"?"),
            (
                "[[call]]\nname = \"a\"\nat = \"fajr\"\n[[call]]\nname = \"a\"\nat = \"isha\"",
                "two calls are named \"a\""
            ),
            ("[[call]]\nname = \"a\"\nat = \"fajr\"\ntime = 3", "unknown key call.time"),
        ])
    func mistakes(_ text: String, _ part: String) {
        #expect(mistake(text)?.contains(part) == true, "\(mistake(text) ?? "it is read")")
    }

    @Test("Its identity is text and back, whatever the name is like")
    func identity() throws {
        let date = try #require(CivilDate("2026-11-20"))
        for name in ["a", "fajr", "test-4", "x-20261120", "a1234567890-bcde"] {
            let id = AnnouncementID.call(name, on: date)
            #expect(id.description == "call_\(name)_20261120" && AnnouncementID(id.description) == id)
            #expect(
                id.adhan == nil && id.isPlanned && !id.isReminder && !id.isOfPrayer && id.prayerName == "none"
            )
        }
        for text in [
            "call_A_20261120", "call__20261120", "call_1a_20261120", "call_a_2026112", "call_a",
            "call-2_a_20261120",
        ] {
            #expect(AnnouncementID(text)?.isCall != true, "\(text)")
        }
    }
}
