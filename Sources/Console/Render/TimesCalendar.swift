package import PrayerEngine
package import Protocol
import Settings
package import Texts

/// `adhanctl times --format ics`: an iCalendar (RFC 5545) with one event for every prayer.
///
/// Events keep their names from file to file, and a later file's have a later revision: a calendar application that reads
/// it again moves the events that it knows.
package struct TimesCalendar {
    /// The time at which the file is made.
    private let made: Instant
    /// Events in addition to the prayers.
    private let besides: [DayEvent]
    /// Seconds before an event at which an application reminds the user.
    private let alarmSeconds: Double?
    /// Prayers that have no event.
    package var leftOut: Set<Prayer> = []
    /// Whether congregations have events of their own.
    package var hasCongregations = true

    package init(made: Instant, besides: [DayEvent] = [], alarmSeconds: Double? = nil) {
        self.made = made
        self.besides = besides
        self.alarmSeconds = alarmSeconds
    }

    package func render(_ times: TimesDocument) -> String {
        var lines = [
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//adhand//adhanctl//EN", "CALSCALE:GREGORIAN",
            "METHOD:PUBLISH", "X-WR-CALNAME:" + Self.escaped("Prayer times, \(times.location.name)"),
            "X-WR-TIMEZONE:" + Self.escaped(times.location.timezone),
        ]
        for day in times.days {
            guard let date = CivilDate(day.date) else { continue }
            for event in DayEvent.allCases where besides.contains(event) {
                lines += entry(
                    event, named: event.rawValue, event.title, on: date, day, times.location)
            }
            let prayers = day.prayers?.compactMap(Prayer.init(rawValue:)) ?? Prayer.prayers(on: date)
            for prayer in prayers where !leftOut.contains(prayer) {
                if prayer == .jumua, let slots = day.jumua, !slots.isEmpty {
                    lines += jumua(slots, on: date, day, times.location)
                    continue
                }
                lines += entry(
                    prayer.event, named: prayer.rawValue, prayer.title, on: date, day, times.location)
            }
            if hasCongregations { lines += congregations(of: day, on: date, times.location) }
        }
        lines.append("END:VCALENDAR")
        return lines.map { Self.folded($0) + "\r\n" }.joined()
    }

    private func entry(
        _ event: DayEvent, named name: String, _ title: String, on date: CivilDate, _ day: TimesDocument.Day,
        _ place: TimesDocument.Location
    ) -> [String] {
        guard let text = day.events[event.rawValue]?.wrappedValue else { return [] }
        let note = (TimesTable.origin(of: event, day) ?? day.notes[event.rawValue]).map { "\n\($0)" } ?? ""
        return entry(at: text, named: name, title, on: date, day.hijri.text + note, place)
    }

    /// Friday's congregations: each begins with its adhan, or where it has none with its khutba.
    private func jumua(
        _ slots: [TimesDocument.FridayTimes], on date: CivilDate, _ day: TimesDocument.Day,
        _ place: TimesDocument.Location
    ) -> [String] {
        slots.flatMap { slot -> [String] in
            guard let at = slot.begins else { return [] }
            return entry(
                at: at, named: "jumua" + slot.suffix, Prayer.jumua.title, on: date, day.hijri.text, place)
        }
    }

    private func congregations(
        of day: TimesDocument.Day, on date: CivilDate, _ place: TimesDocument.Location
    ) -> [String] {
        var lines: [String] = []
        for prayer in TimetableColumn.prayers where !leftOut.contains(prayer) {
            guard let at = day.iqama?[prayer.rawValue] else { continue }
            lines += entry(
                at: at, named: "iqama_\(prayer.rawValue)", "\(prayer.title) iqama", on: date, day.hijri.text,
                place)
        }
        for friday in leftOut.contains(.jumua) ? [] : day.jumua ?? [] {
            for (name, title, at) in [
                ("khutba\(friday.suffix)", "Khutba", friday.khutba),
                ("iqama_jumua\(friday.suffix)", "Jumu'ah iqama", friday.prayer),
            ] {
                guard let at, at != friday.begins else { continue }
                lines += entry(at: at, named: name, title, on: date, day.hijri.text, place)
            }
        }
        return lines
    }

    private func entry(
        at text: String, named name: String, _ title: String, on date: CivilDate, _ description: String,
        _ place: TimesDocument.Location
    ) -> [String] {
        guard let at = InstantText.parse(text) else { return [] }
        let stamp = Self.utc(made)
        var lines = [
            "BEGIN:VEVENT",
            "UID:\(name)_\(date.compact)_\(Self.mark(of: place))@adhand",
            "DTSTAMP:\(stamp)",
            "LAST-MODIFIED:\(stamp)",
            "SEQUENCE:\(Self.sequence(made))",
            "DTSTART:\(Self.utc(at))",
            "SUMMARY:" + Self.escaped(title),
            "LOCATION:" + Self.escaped(place.name),
            "GEO:\(NumberText.decimals(place.latitude, 6));\(NumberText.decimals(place.longitude, 6))",
            "TRANSP:TRANSPARENT",
        ]
        lines.append("DESCRIPTION:" + Self.escaped(description))
        if let alarmSeconds {
            lines += [
                "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:" + Self.escaped(title),
                "TRIGGER:\(Self.duration(before: alarmSeconds))", "END:VALARM",
            ]
        }
        return lines + ["END:VEVENT"]
    }

    /// A number that rises from file to file: minutes since 2020, so that it stays within 31 bits for four thousand years.
    private static func sequence(_ made: Instant) -> Int {
        Int(clamping: Int64(max(0, (made.unixSeconds - 1_577_836_800) / 60)))
    }

    /// `-PT10M`, section 3.3.6.
    private static func duration(before seconds: Double) -> String {
        let whole = Int(seconds)
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        let parts = [(hours, "H"), (minutes, "M"), (rest, "S")].filter { $0.0 > 0 }.map { "\($0)\($1)" }
        return parts.isEmpty ? "PT0S" : "-PT" + parts.joined()
    }

    /// `20261120T213200Z`
    private static func utc(_ instant: Instant) -> String {
        // Rounded down to its second, with a small tolerance, as an instant is a sum of doubles.
        let whole = Int((instant.unixSeconds + 0.0005).rounded(.down))
        let days = whole >= 0 ? whole / 86_400 : -((86_399 - whole) / 86_400)
        let second = whole - days * 86_400
        let time = [second / 3600, second / 60 % 60, second % 60].map { InstantText.padded($0, 2) }.joined()
        return "\(CivilDate(dayNumber: days).compact)T\(time)Z"
    }

    /// Distinguishes the same prayer at two places: 32 bits of FNV-1a (draft-eastlake-fnv, 32-bit offset basis and prime) over
    /// the coordinates. The method is not part of it: a timetable that is exported again replaces the old one.
    private static func mark(of place: TimesDocument.Location) -> String {
        var hash: UInt32 = 0x811C_9DC5
        for byte in NumberText.coordinates(place.latitude, place.longitude).utf8 {
            hash = (hash ^ UInt32(byte)) &* 0x0100_0193
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// TEXT values, RFC 5545 section 3.3.11.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",": result += "\\\(scalar)"
            case "\n": result += "\\n"
            default: if scalar.value >= 0x20, scalar.value != 0x7F { result.unicodeScalars.append(scalar) }
            }
        }
        return result
    }

    /// Lines of at most 75 octets, section 3.1: broken between characters, continued after a space.
    private static func folded(_ line: String) -> String {
        guard line.utf8.count > 75 else { return line }
        var result = ""
        var octets = 0
        for character in line {
            let size = character.utf8.count
            if octets + size > 75 {
                result += "\r\n "
                octets = 1
            }
            result.append(character)
            octets += size
        }
        return result
    }
}

extension TimesDocument.FridayTimes {
    /// The beginning of its event; a slot with only a prayer begins with that.
    fileprivate var begins: String? { adhan ?? khutba ?? prayer }

    /// The suffix of its events' names, from the second congregation on.
    fileprivate var suffix: String { slot > 1 ? "-\(slot)" : "" }
}
