import Announcements
import BoxSupport
import Daemon
import PrayerEngine
import Testing

@testable import Console
@testable import Protocol
@testable import Settings
@testable import Texts
@testable import Times

@Suite("What is switched off is reported whatever the day")
struct SwitchedOffTests {
    /// A Monday.
    private static let monday = "2026-11-23T10:00:00-05:00"

    @Test("Friday's prayer, switched off by command or by the configuration, in status on a Monday")
    func status() throws {
        var box = try Box(Self.monday)
        #expect(box.state.status(at: box.now).switchedOff == [])
        _ = box.ask(.disablePrayers(["jumua"]))
        let status = box.state.status(at: box.now)
        #expect(status.switchedOff == [SwitchedOff(prayer: .jumua, how: .command)])
        #expect(!status.prayers.contains { $0.prayer == "jumua" })
        #expect(StatusText.render(status, .plain).contains("Off       Jumu'ah\n"))
        #expect(StatusText.render(status, .plain).contains("\"adhanctl enable jumua\" switches on again."))
        var config = Config.default
        config[.jumua].enabled = false
        let other = try Box(Self.monday, config: config)
        #expect(
            other.state.status(at: other.now).switchedOff == [
                SwitchedOff(prayer: .jumua, how: .configuration)
            ])
    }

    @Test("Prayers and congregations without a sound")
    func silent() {
        var config = Config.default
        config[.jumua].volumePercent = 0
        config[.isha].sound = [AdhanSettings.silent]
        #expect(
            SwitchedOff.all(config, Toggles()) == [
                SwitchedOff(prayer: .isha, how: .sound), SwitchedOff(prayer: .jumua, how: .volume),
            ])
    }

    @Test(
        "An output's own volume decides: a prayer of volume 0 may be heard there"
    )
    func outputs() throws {
        let toml = """
            [adhan.fajr]
            volume = 0
            [adhan.isha]
            volume = 0
            [[output]]
            name = "hall"
            devices = ["hw:0"]
            fajr-volume = 40
            [[output]]
            name = "horn"
            devices = ["hw:1"]
            except = ["fajr"]
            """
        var config = try ConfigLoader.load(text: toml, file: "adhand.toml")
        #expect(SwitchedOff.all(config, Toggles()) == [SwitchedOff(prayer: .isha, how: .volume)])
        config.outputs[0].prayerVolumes[.isha] = 30
        #expect(SwitchedOff.all(config, Toggles()) == [])
        // Outputs that silence what is set up to be heard are named as outputs, by the doctor.
        for index in config.outputs.indices { config.outputs[index].prayerVolumes[.asr] = 0 }
        #expect(SwitchedOff.all(config, Toggles()) == [])
    }

    @Test("Doctor names Friday's prayer on any day")
    func doctor() throws {
        for (how, words) in [("command", "switched off"), ("volume", "configured to be silent")] {
            var patient = try Patient()
            try patient.editStatus {
                $0.switchedOff = #"[{"prayer": "jumua", "slot": null, "how": "\#(how)"}]"#
            }
            let check = Doctor.silence(patient.facts)
            #expect(check.verdict == .warning && check.message.contains("Jumu'ah is \(words)"), "\(check)")
        }
    }

    @Test("The table of times marks it on its day")
    func times() throws {
        let site = try Box.inputs(.default).site
        var mosque = site.times.mosque
        mosque.switch(Toggles([.jumua: false]))
        let (thursday, friday) = (CivilDate(dayNumber: 20_776), CivilDate(dayNumber: 20_777))
        let marked = TimesDocument(site: site.following(mosque), dates: [thursday, friday])
        #expect(marked.days.map(\.off) == [nil, ["jumua"]])
        #expect(TimesTable.render(marked, .plain).contains("Jumu'ah is switched off"))
        let one = TimesDocument(site: site.following(mosque), dates: [friday])
        #expect(TimesTable.render(one, .plain).contains("Jumu'ah is switched off"))
        // Friday's prayer follows Dhuhr's switch, unless its settings say otherwise.
        mosque = site.times.mosque
        mosque.switch(Toggles([.dhuhr: false]))
        #expect(TimesDocument(site: site.following(mosque), dates: [friday]).days[0].off == ["jumua"])
    }

    @Test(
        "What goes with a prayer and was set up without a sound is reported on any day: reminders, imsak, wake-up"
    )
    func company() throws {
        let toml = """
            [adhan.asr]
            reminders = ["10m"]
            reminder-sound = "silent"
            [iqama]
            asr = "+15m"
            [ramadan]
            imsak = "fajr-10m"
            imsak-sound = "silent"
            wake = ["fajr-60m"]
            """
        let config = try ConfigLoader.load(text: toml, file: "adhand.toml")
        let all = SwitchedOff.all(config, Toggles())
        #expect(
            all == [
                SwitchedOff(prayer: .asr, how: .sound, occasion: .reminder),
                SwitchedOff(prayer: .fajr, how: .sound, occasion: .imsak),
            ])
        #expect(all.map(\.title) == ["reminders of Asr", "imsak"] && all.allSatisfy { !$0.isOff })
        let box = try Box(Self.monday, config: config)
        #expect(
            StatusText.render(box.state.status(at: box.now), .plain).contains(
                "without a sound: reminders of Asr, imsak"))
        var quiet = config
        quiet.ramadan.volumePercent = 0
        #expect(
            SwitchedOff.all(quiet, Toggles()).suffix(2) == [
                SwitchedOff(prayer: .fajr, how: .volume, occasion: .wake),
                SwitchedOff(prayer: .fajr, how: .volume, occasion: .imsak),
            ])
        // With Fajr they are off anyway.
        var toggles = Toggles()
        _ = toggles.set(.fajr, false, in: quiet)
        #expect(!SwitchedOff.all(quiet, toggles).contains { $0.occasion == .imsak })
        let bytes = try JSON.encode(all)
        #expect(try JSON.decode([SwitchedOff].self, from: bytes) == all)
    }
}
