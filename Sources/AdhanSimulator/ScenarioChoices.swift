import Announcements
import Daemon
import Envelope
import PrayerEngine
import Settings
import Texts
import Times

/// The places and configurations among which a scenario chooses.
enum ScenarioChoices {
    static let sites: [Site] = [
        site("Queens", 40.7282, -73.7949, "EST5EDT,M3.2.0,M11.1.0"),
        site("Lord Howe Island", -31.5553, 159.0821, "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"),
        site("Waitangi", -43.9535, -176.5597, "<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45"),
        site("Kathmandu", 27.7172, 85.324, "<+0545>-5:45"),
        site("Oslo", 59.9139, 10.7522, "CET-1CEST,M3.5.0,M10.5.0/3"),
        site("Makkah", 21.4225, 39.8262, "<+03>-3"),
        site("Kiritimati", 1.8721, -157.4278, "<+14>-14"),
        // A person moved and did not change the place.
        site("Queens in the zone of Kathmandu", 40.7282, -73.7949, "<+0545>-5:45"),
        site("Oslo in the zone of Queens", 59.9139, 10.7522, "EST5EDT,M3.2.0,M11.1.0"),
    ].compactMap { $0 }

    /// Unix seconds of midnights in UTC: clock changes in New York, Oslo, on Lord Howe Island and the Chathams in 2026, New
    /// Year's Day 2027, 29 February 2028.
    static let oddDays: [Double] = [
        1_772_928_000, 1_793_491_200, 1_774_742_400, 1_792_886_400, 1_775_347_200, 1_791_072_000,
        1_790_467_200, 1_798_761_600, 1_835_395_200,
    ]

    private static func site(_ name: String, _ latitude: Double, _ longitude: Double, _ posix: String)
        -> Site?
    {
        guard let zone = try? Zone(name: name, posix: posix),
            let place = try? Place(latitude: latitude, longitude: longitude, elevationMetres: 0)
        else { return nil }
        return Site(name: name, place: place, approximate: false, zone: zone, calculation: Calculation())
    }

    static let configurations: [Config] = [
        base(),
        base {
            for prayer in [Prayer.fajr, .dhuhr, .asr] { $0[prayer].reminderSeconds = [600, 300] }
            $0.all {
                $0.sound = RotatingSound(rotating: [["standard"], [AdhanSettings.silent], ["takbir", "dua"]])
                $0.reminderSound = RotatingSound(rotating: [["signal"], [AdhanSettings.silent]])
            }
        },
        base { $0[.fajr].enabled = false },
        base {
            $0[.asr].sound = [AdhanSettings.silent]
            $0[.jumua].enabled = false
        },
        base {
            $0.all { $0.lateGraceSeconds = 0 }
            $0.keepAwakeSeconds = 60
        },
        base {
            $0.all { $0.lateGraceSeconds = 1800 }
            $0[.isha].reminderSeconds = [5, 3600]
        },
        base {
            $0.prerollSeconds = 2
            $0.fadeOutSeconds = 5
            $0.keepAwakeSeconds = 600
            for prayer in [Prayer.asr, .isha, .jumua] { $0[prayer].reminderSeconds = [1, 60] }
        },
        // Reminders that follow each other so closely that each cuts the previous one short.
        base { for prayer in Prayer.allCases { $0[prayer].reminderSeconds = [63, 62, 61, 59] } },
        mosque(),
        mosque {
            $0.missing = .silent
            $0.jumua.replacesDhuhr = false
            $0.prerollSeconds = 2
            $0[.maghrib].sound = [AdhanSettings.silent]
            $0[.isha].reminderSeconds = [600]
            // An iqama within the long adhan of another prayer.
            $0.iqama.rules[.dhuhr] = IqamaRule(at: .after(.asr, minutes: 1))
        },
        quietNights(),
        quietNights {
            // Quiet windows for most of the time, with edges at odd minutes, so nearly every late call has another volume than at
            // its instant.
            $0.quiet += [
                window("most", from: 7, until: 7, volume: 40), window("noon", from: 700, until: 790),
                window("friday", days: [5], volume: 10),
                window("spring", from: 1, until: 1439, first: "03-01", last: "06-30"),
            ]
            $0.all { $0.lateGraceSeconds = 21_600 }
            $0[.dhuhr].sound = [AdhanSettings.silent]
            $0.prerollSeconds = 2
        },
        base {
            // Calls at every event, even during an adhan, its reminder or another call; two of them last until the next adhan.
            $0.calls = [
                call("imsak", "imsak"), call("early", "fajr-20m", for: 1080), call("with-fajr", "fajr"),
                call("sunrise", "sunrise+20m", days: [5]), call("noon", "dhuhr-1m"), call("asr", "asr+12h"),
                call("sunset", "sunset"), call("evening", "maghrib+1m", for: 3), call("isha", "isha-12h"),
                call("midnight", "midnight"), call("night", "last-third", sound: [["signal"], ["silent"]]),
                call("clock", "02:30"), call("same", "02:30"),
                call("winter", "12:00", from: "10-15", until: "03-15"),
                call("ramadan", "imsak-45m", hijri: ["ramadan"]),
                call("days", "asr-10m", hijri: ["12-01/02-20", "07"]),
            ]
            for prayer in [Prayer.dhuhr, .isha] { $0[prayer].reminderSeconds = [60, 600] }
        },
        quietNights {
            $0.calls = [
                call("early", "fajr-1m", for: 600), call("with-dhuhr", "dhuhr"), call("noon", "12:40"),
                call("tarhim", "maghrib-2m"), call("imsak", "imsak-1m"), call("night", "last-third"),
                call("grace", "sunrise", late: 3600), call("off", "asr"),
            ]
            $0.calls[7].enabled = false
            $0.missing = .silent
            $0.prerollSeconds = 2
            $0.quiet.append(window("calls", from: 120, until: 300, volume: 10, kinds: [.call]))
        },
        base {
            $0.prerollSeconds = 60
            $0.fadeOutSeconds = 0
            $0.all { $0.lateGraceSeconds = 21_600 }
            $0[.dhuhr].enabled = false
        },
    ]

    private static func call(
        _ name: String, _ at: String, for limit: Double? = nil, late: Double = 120, days: [Int] = [],
        hijri: [String] = [], from: String? = nil, until: String? = nil, sound: [[String]] = [["dua"]]
    ) -> CallSettings {
        var call = CallSettings()
        (call.name, call.limitSeconds, call.lateGraceSeconds, call.days) = (name, limit, late, days)
        if let time = try? CallTime(at) { call.at = time }
        call.hijri = hijri.compactMap { HijriSpan($0) }
        call.validity = Validity(from: from.flatMap { DayBound($0) }, until: until.flatMap { DayBound($0) })
        call.sound = RotatingSound(rotating: sound)
        return call
    }

    private static func base(_ change: (inout Config) -> Void = { _ in }) -> Config {
        var config = Config.default
        config.debugTriggers = true
        config.fleet = fleet
        change(&config)
        return config
    }

    /// All settings of a mosque, in the kinds of rules that the checker knows.
    private static func mosque(_ change: (inout Config) -> Void = { _ in }) -> Config {
        base {
            $0.iqama.rules = [
                .fajr: IqamaRule(at: .after(nil, minutes: 20)), .dhuhr: IqamaRule(at: .clock(minutes: 785)),
                .asr: IqamaRule(at: .after(nil, minutes: 3)),
                .maghrib: IqamaRule(at: .after(nil, minutes: 0)),
                .isha: IqamaRule(at: .after(.isha, minutes: 1)),
            ]
            $0.iqamaAnnouncement.sound = RotatingSound(rotating: [["dua"], ["signal"]])
            $0.iqamaAnnouncement.reminderSeconds = [90]
            var (first, second) = (JumuaSettings.Slot(), JumuaSettings.Slot())
            first.khutba = .clock(minutes: 760)
            first.prayer = .after(nil, minutes: 20)
            second.adhan = .beforeKhutba(minutes: 10)
            second.khutba = .clock(minutes: 850)
            second.prayer = .clock(minutes: 865)
            second.sound = RotatingSound(rotating: [["dua"], [AdhanSettings.silent]])
            $0.jumua.slots = [first, second]
            $0.jumua.khutbaSound = ["signal"]
            $0.ramadan.wake = [.after(.fajr, minutes: -60), .after(.fajr, minutes: -30)]
            $0.ramadan.imsak = .after(.fajr, minutes: -10)
            $0.ramadan.iftarSound = ["dua"]
            $0.ramadan.isha = .after(.maghrib, minutes: 120)
            $0.eid.prayerMinutes = [480]
            $0.eid.takbiratSound = ["dua"]
            $0.eid.takbirat = [.after(.fajr, minutes: 20), .after(.maghrib, minutes: 20)]
            change(&$0)
        }
    }

    /// A mosque whose loudspeakers are silent at night, by windows over midnight and into hours that clocks skip and repeat.
    private static func quietNights(_ change: (inout Config) -> Void = { _ in }) -> Config {
        mosque {
            $0.quiet = [
                window("night", from: 1320, until: 360, kinds: [.adhan, .iqama]),
                window("afternoon", from: 780, until: 1020, volume: 20, kinds: [.reminder, .iqama, .khutba]),
                window("jump", from: 90, until: 150, days: [6, 7]),
                window("weekend", from: 1140, until: 60, days: [6, 7], volume: 35),
                window("winter", from: 400, until: 420, first: "11-15", last: "02-15"),
            ]
            for prayer in Prayer.allCases { $0[prayer].reminderSeconds = [600] }
            $0.all { $0.lateGraceSeconds = 1800 }
            $0.keepAwakeSeconds = 600
            change(&$0)
        }
    }

    private static func window(
        _ name: String, from: Int? = nil, until: Int? = nil, days: [Int] = [], volume: Int = 0,
        kinds: [AnnouncedKind] = [], first: String? = nil, last: String? = nil
    ) -> QuietWindow {
        var window = QuietWindow()
        (window.name, window.fromMinutes, window.untilMinutes, window.days) = (name, from, until, days)
        (window.volumePercent, window.kinds) = (volume, kinds)
        (window.firstDay, window.lastDay) = (first.flatMap { DayBound($0) }, last.flatMap { DayBound($0) })
        return window
    }

    /// The timetable's entry of every mosque here for a date; `nil` where it has none.
    static func printed(on date: CivilDate) -> [TimetableColumn: Int]? {
        guard printedDays.contains(date.dayNumber), !date.dayNumber.isMultiple(of: 11) else { return nil }
        var cells: [TimetableColumn: Int] = [.begins(.dhuhr): 750 + date.dayNumber % 7]
        if date.dayNumber.isMultiple(of: 3) { cells[.iqama(.dhuhr, slot: 1)] = 775 }
        if date.dayNumber.isMultiple(of: 5) { cells[.begins(.asr)] = 945 }
        return cells
    }

    /// 2026 and 2027.
    private static let printedDays = 20_454..<21_184

    private static let table: PublishedTimetable = {
        var table = PublishedTimetable()
        for day in printedDays {
            let date = CivilDate(dayNumber: day)
            table.dated[date] = printed(on: date).map { .init(cellMinutes: $0, sources: []) }
        }
        return table
    }()

    /// - Parameter fleet: the fleet's configuration. It changes how sounds fade in, which no other setting here does.
    static func inputs(
        site: Int, configuration: Int, _ settings: SettingsLayer, fleet: FleetConfiguration? = nil
    ) -> DaemonInputs {
        let layered = layered(configuration, settings)
        var config = layered?.effective.config ?? configurations[configuration]
        if let fleet { config.all { $0.fadeInSeconds = FleetBehaviour(fleet).fadeInSeconds } }
        let table = config.iqama.isEmpty ? PublishedTimetable() : table
        var inputs = DaemonInputs(
            config: config, configuration: "simulated",
            site: sites[site].following(MosqueTimes(config, table: table)), user: 900, controlGroup: 901,
            layered: layered)
        inputs.fleet = fleet.map { FleetLayer($0) }
        return inputs
    }
}

extension Config {
    fileprivate mutating func all(_ change: (inout AdhanSettings) -> Void) {
        for prayer in Prayer.allCases { change(&self[prayer]) }
    }
}
