import PrayerEngine
import SeededRandom

@testable import Settings
@testable import Texts

extension Config {
    /// Any configuration that a file can say.
    static func random(using random: inout SplitMix64) -> Config {
        var config = Config.default
        if Bool.random(using: &random) { config.timezone = "Europe/Berlin" }
        if Bool.random(using: &random) {
            config.location = ConfiguredLocation(
                name: Bool.random(using: &random) ? "A\"\\'é ☪" : nil,
                latitude: .random(in: -90...90, using: &random),
                longitude: .random(in: -180...180, using: &random),
                elevationMetres: Double(Int.random(in: 0...9000, using: &random)),
                townElevationMetres: Double(Int.random(in: 0...9000, using: &random)))
        }
        config.calculation.method =
            (Method.all.map(\.name) + [CalculationSettings.custom]).randomElement(using: &random) ?? "isna"
        if config.calculation.method == CalculationSettings.custom {
            config.calculation.angles = CustomAngles(
                fajrDegrees: .random(in: 10...20, using: &random),
                isha: Bool.random(using: &random) ? .angle(degrees: 17) : .minutes(77.5))
        }
        if Bool.random(using: &random) { config.calculation.rounding = .up }
        if Bool.random(using: &random) {
            config.calculation.adjustments = EventMinutes(sunrise: -60, asr: 60)
        }
        for prayer in Prayer.allCases where Bool.random(using: &random) {
            config[prayer].enabled = .random(using: &random)
            config[prayer].volumePercent = .random(in: 0...100, using: &random)
            config[prayer].sound = Bool.random(using: &random) ? ["silent"] : ["a b", "/x/\"y\".mp3"]
            if Bool.random(using: &random) {
                config[prayer].sound = RotatingSound(rotating: [["silent"], ["a b", "/x/\"y\".mp3"], ["c"]])
                config[prayer].reminderSound = RotatingSound(rotating: [["silent"], ["b"]])
            }
            config[prayer].reminderSeconds = Bool.random(using: &random) ? [] : [600, 1, 21_600]
            config[prayer].lateGraceSeconds = Double(Int.random(in: 0...21_600, using: &random))
        }
        config.randomizeMosque(using: &random)
        config.prerollSeconds = Double(Int.random(in: 0...60, using: &random))
        config.debugTriggers = .random(using: &random)
        if Bool.random(using: &random) { config.randomizeQuiet(using: &random) }
        if Bool.random(using: &random) { config.randomizeCalls(using: &random) }
        if Bool.random(using: &random) {
            var fleet = FleetSettings()
            (fleet.org, fleet.signing) = ("noor", FleetKey(bytes: [UInt8](repeating: 1, count: 32)))
            if Bool.random(using: &random) {
                fleet.recovery = FleetKey(bytes: [UInt8](repeating: 2, count: 32))
            }
            if Bool.random(using: &random) { fleet.groups = ["uk/london", "test"] }
            config.fleet = fleet
        }
        return config
    }
}

extension Config {
    fileprivate mutating func randomizeQuiet(using random: inout SplitMix64) {
        quiet = (0..<Int.random(in: 1...4, using: &random)).map { index in
            var window = QuietWindow()
            window.name = "window-\(index)"
            if Bool.random(using: &random) {
                window.fromMinutes = .random(in: 0..<1440, using: &random)
                window.untilMinutes = .random(in: 0..<1440, using: &random)
            }
            if Bool.random(using: &random) { window.days = [1, .random(in: 2...7, using: &random)] }
            if Bool.random(using: &random) { window.kinds = [.reminder, .wake] }
            if Bool.random(using: &random) { window.outputs = [QuietWindow.mainOutput] }
            if Bool.random(using: &random) {
                (window.firstDay, window.lastDay) = (DayBound("12-20"), DayBound("02-29"))
            } else {
                window.lastDay = DayBound("2027-01-06")
            }
            window.volumePercent = .random(in: 0...100, using: &random)
            return window
        }
    }

    fileprivate mutating func randomizeCalls(using random: inout SplitMix64) {
        calls = (0..<Int.random(in: 1...4, using: &random)).compactMap { index in
            var call = CallSettings()
            call.name = "call-\(index)"
            let event = DayEvent.allCases.randomElement(using: &random) ?? .fajr
            call.at = CallTime(
                Bool.random(using: &random)
                    ? .clock(minutes: .random(in: 0..<1440, using: &random))
                    : .after(event, minutes: .random(in: -720...720, using: &random)))
            if Bool.random(using: &random) { call.sound = RotatingSound(rotating: [["a"], ["b", "/c d"]]) }
            call.volumePercent = .random(in: 0...100, using: &random)
            call.enabled = .random(using: &random)
            if Bool.random(using: &random) { call.limitSeconds = 90 }
            if Bool.random(using: &random) { call.days = [5, 1] }
            if Bool.random(using: &random) {
                call.hijri = ["ramadan", "12-09", "12-25/01-10", "02"].compactMap { HijriSpan($0) }
                call.validity = Validity(from: .summerTime, until: nil)
            }
            return call
        }
    }

    fileprivate mutating func randomizeMosque(using random: inout SplitMix64) {
        if Bool.random(using: &random) { missing = .silent }
        for prayer in TimetableColumn.prayers where Bool.random(using: &random) {
            var rule = IqamaRule(at: .random(using: &random))
            if Bool.random(using: &random) {
                rule.roundMinutes = .random(in: 1...60, using: &random)
                rule.rounding = .down
                rule.weekly = .random(in: 1...7, using: &random)
                rule.notBefore = .clock(minutes: 0)
                rule.notAfter = .after(.sunrise, minutes: -20)
            }
            iqama.rules[prayer] = rule
        }
        if Bool.random(using: &random) {
            iqamaAnnouncement.sound = ["signal", "silent here"]
            iqamaAnnouncement.reminderSeconds = [300]
            iqama.changes = [
                .init(from: CivilDate(dayNumber: 20_905), times: [.fajr: .clock(minutes: 330)]),
                .init(
                    from: CivilDate(dayNumber: 20_999), until: CivilDate(dayNumber: 21_003),
                    times: [.isha: .after(nil, minutes: 0)]),
            ]
            iqama.ramadan = [.isha: .clock(minutes: 1290)]
            if let from = MonthDay("03-15"), let until = MonthDay("10-15") {
                iqama.seasons = [
                    .init(.winterTime, times: [.dhuhr: .clock(minutes: 780)]),
                    .init(.days(from: from, until: until), times: [.dhuhr: .clock(minutes: 825)]),
                ]
            }
        }
        guard Bool.random(using: &random) else { return }
        self[.dhuhr].beforeIqamaSeconds = 900
        self[.jumua].beforeIqamaSeconds = 900
        if iqama.rules[.dhuhr] != nil { iqama.rules[.dhuhr]?.at = .clock(minutes: 800) }
        var slot = JumuaSettings.Slot()
        slot.khutba = .clock(minutes: 790)
        slot.adhan = .beforeKhutba(minutes: 10)
        slot.validity.from = .summerTime
        var second = JumuaSettings.Slot()
        second.prayer = .clock(minutes: 860)
        second.adhan = .none
        second.sound = ["silent"]
        jumua.slots = [slot, second]
        jumua.replacesDhuhr = false
        ramadan.wake = [.after(.fajr, minutes: -60)]
        ramadan.imsak = .after(.fajr, minutes: -10)
        ramadan.iftarSound = ["signal", "dua"]
        ramadan.isha = .after(.maghrib, minutes: 120)
        eid.prayerMinutes = [480, 570]
        eid.takbiratSound = ["/x/t.mp3"]
        if let month = HijriMonth("1448-09") { calculation.hijriPins = [month: CivilDate(dayNumber: 20_857)] }
        calculation.hijriDayBegins = .midnight
    }
}

extension IqamaTime {
    fileprivate static func random(using random: inout SplitMix64) -> IqamaTime {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: .clock(minutes: .random(in: 0..<1440, using: &random))
        case 1: .after(nil, minutes: .random(in: 0...90, using: &random))
        default: .after(.sunrise, minutes: .random(in: -90...90, using: &random))
        }
    }
}
