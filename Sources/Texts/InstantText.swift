package import PrayerEngine

/// Instants as text: for people in the place's own time, for programs as RFC 3339 with the local offset.
package enum InstantText {
    /// `2026-11-20T16:32:00-05:00`, or with milliseconds `2026-11-20T16:32:00.250-05:00`.
    package static func rfc3339(_ instant: Instant, in zone: Zone, milliseconds: Bool = false) -> String {
        let unit = milliseconds ? 1000.0 : 1
        let rounded = Instant(unixSeconds: (instant.unixSeconds * unit).rounded() / unit)
        let local = zone.clock(of: rounded)
        let second = Int(local.secondOfDay.rounded(.down))
        var text: [UInt8] = []
        text.reserveCapacity(29)
        append(local.date, to: &text)
        text.append(UInt8(ascii: "T"))
        appendClock(second, to: &text)
        if milliseconds {
            let thousandths = Int(((local.secondOfDay - Double(second)) * 1000).rounded())
            text.append(UInt8(ascii: "."))
            append(min(thousandths, 999), 3, to: &text)
        }
        appendOffset(local.offset, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// `16:32`, the minute that contains the instant.
    package static func minute(_ instant: Instant, in zone: Zone) -> String {
        // Half a millisecond is added: an instant kept as a sum of doubles may be slightly before its own minute.
        String(hms(Int(zone.clock(of: instant + 0.0005).secondOfDay)).prefix(5))
    }

    /// `16:32:00`, the second that contains the instant.
    package static func second(_ instant: Instant, in zone: Zone) -> String {
        hms(Int(zone.clock(of: instant + 0.0005).secondOfDay))
    }

    /// `16:32:00` on a whole second, else with its milliseconds `16:32:00.250`.
    package static func exact(_ instant: Instant, in zone: Zone) -> String {
        let text = rfc3339(instant, in: zone, milliseconds: true).dropFirst(11).prefix(12)
        return String(text.hasSuffix(".000") ? text.prefix(8) : text)
    }

    private static func hms(_ secondOfDay: Int) -> String {
        var text: [UInt8] = []
        appendClock(secondOfDay, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    private static func append(_ date: CivilDate, to text: inout [UInt8]) {
        append(date.year, 4, to: &text)
        text.append(UInt8(ascii: "-"))
        append(date.month, 2, to: &text)
        text.append(UInt8(ascii: "-"))
        append(date.day, 2, to: &text)
    }

    private static func appendClock(_ secondOfDay: Int, to text: inout [UInt8]) {
        append(secondOfDay / 3600, 2, to: &text)
        text.append(UInt8(ascii: ":"))
        append(secondOfDay / 60 % 60, 2, to: &text)
        text.append(UInt8(ascii: ":"))
        append(secondOfDay % 60, 2, to: &text)
    }

    private static func appendOffset(_ seconds: Int, to text: inout [UInt8]) {
        // RFC 3339 offsets have no seconds: historical local mean times are rounded down to the minute.
        let minutes = abs(seconds) / 60
        text.append(seconds < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
        append(minutes / 60, 2, to: &text)
        text.append(UInt8(ascii: ":"))
        append(minutes % 60, 2, to: &text)
    }

    /// Appends a number, padded to `width` digits.
    private static func append(_ value: Int, _ width: Int, to text: inout [UInt8]) {
        var unit = 1
        for _ in 1..<width { unit *= 10 }
        guard value >= 0, value < unit * 10 else { return text.append(contentsOf: padded(value, width).utf8) }
        while unit > 0 {
            text.append(UInt8(ascii: "0") + UInt8(value / unit % 10))
            unit /= 10
        }
    }

    package static func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension InstantText {
    /// Reads RFC 3339: `2026-11-20T16:32:00.250-05:00`, `…Z`. `nil` for anything else.
    package static func parse(_ text: String) -> Instant? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, let date = date(bytes[0..<10]), bytes[10] == UInt8(ascii: "T"),
            let hour = number(bytes[11..<13]), bytes[13] == UInt8(ascii: ":"), hour < 24,
            let minute = number(bytes[14..<16]), bytes[16] == UInt8(ascii: ":"), minute < 60,
            let second = number(bytes[17..<19]), second <= 60
        else { return nil }
        var rest = bytes[19...]
        var fraction = 0.0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard !digits.isEmpty, let value = Double("0." + String(decoding: digits, as: UTF8.self)) else {
                return nil
            }
            fraction = value
            rest = rest.dropFirst(1 + digits.count)
        }
        guard let offset = offsetSeconds(rest) else { return nil }
        let seconds = date.dayNumber * 86_400 + hour * 3600 + minute * 60 + second - offset
        return Instant(unixSeconds: Double(seconds) + fraction)
    }

    /// `2026-11-20`
    private static func date(_ bytes: ArraySlice<UInt8>) -> CivilDate? {
        let start = bytes.startIndex
        guard bytes[start + 4] == UInt8(ascii: "-"), bytes[start + 7] == UInt8(ascii: "-"),
            let year = number(bytes[start..<start + 4]), let month = number(bytes[start + 5..<start + 7]),
            let day = number(bytes[start + 8..<start + 10])
        else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    private static func offsetSeconds(_ bytes: ArraySlice<UInt8>) -> Int? {
        let start = bytes.startIndex
        if bytes.count == 1 { return bytes[start] == UInt8(ascii: "Z") ? 0 : nil }
        guard bytes.count == 6, bytes[start + 3] == UInt8(ascii: ":"),
            let hour = number(bytes[start + 1..<start + 3]), hour < 24,
            let minute = number(bytes[start + 4..<start + 6]), minute < 60
        else { return nil }
        switch bytes[start] {
        case UInt8(ascii: "+"): return hour * 3600 + minute * 60
        case UInt8(ascii: "-"): return -(hour * 3600 + minute * 60)
        default: return nil
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return value
    }
}
