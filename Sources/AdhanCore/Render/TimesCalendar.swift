import PrayerEngine

/// `adhanctl times --format ics`: an iCalendar (RFC 5545) with one event for every prayer.
///
/// It depends on nothing but the times: the same question gives the same bytes, so that a calendar application that reads
/// it again finds the events it knows.
package enum TimesCalendar {
    package static func render(_ times: TimesDocument) -> String {
        var lines = [
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//adhand//adhanctl//EN", "CALSCALE:GREGORIAN",
            "METHOD:PUBLISH", "X-WR-CALNAME:" + escaped("Prayer times, \(times.location.name)"),
            "X-WR-TIMEZONE:" + escaped(times.location.timezone),
        ]
        for day in times.days {
            guard let date = CivilDate(day.date) else { continue }
            for prayer in Prayer.prayers(on: date) {
                lines += event(prayer, on: date, day, times.location)
            }
        }
        lines.append("END:VCALENDAR")
        return lines.map { folded($0) + "\r\n" }.joined()
    }

    private static func event(
        _ prayer: Prayer, on date: CivilDate, _ day: TimesDocument.Day, _ place: TimesDocument.Location
    ) -> [String] {
        guard let text = day.events[prayer.event.rawValue]?.wrappedValue, let at = InstantText.parse(text)
        else {
            return []
        }
        let stamp = utc(at)
        var lines = [
            "BEGIN:VEVENT",
            "UID:\(prayer.rawValue)_\(date.compact)_\(mark(of: place))@adhand",
            // The time of writing would make every export different; an event's own instant does not.
            "DTSTAMP:\(stamp)",
            "DTSTART:\(stamp)",
            "SUMMARY:" + escaped(prayer.title),
            "LOCATION:" + escaped(place.name),
            "GEO:\(NumberText.decimals(place.latitude, 6));\(NumberText.decimals(place.longitude, 6))",
            "TRANSP:TRANSPARENT",
        ]
        let note = day.notes[prayer.event.rawValue].map { "\n\($0)" } ?? ""
        lines.append("DESCRIPTION:" + escaped(day.hijri.text + note))
        return lines + ["END:VEVENT"]
    }

    /// `20261120T213200Z`
    private static func utc(_ instant: Instant) -> String {
        // Down to the second in which it lies; a hair is allowed for, as an instant is a sum of doubles.
        let whole = Int((instant.unixSeconds + 0.0005).rounded(.down))
        let days = whole >= 0 ? whole / 86_400 : -((86_399 - whole) / 86_400)
        let second = whole - days * 86_400
        let time = [second / 3600, second / 60 % 60, second % 60].map { InstantText.padded($0, 2) }.joined()
        return "\(CivilDate(dayNumber: days).compact)T\(time)Z"
    }

    /// Tells the same prayer at two places apart: 32 bits of FNV-1a (draft-eastlake-fnv, 32-bit offset basis and prime) over
    /// the coordinates. The method is not part of it: a timetable exported anew replaces the old one.
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
