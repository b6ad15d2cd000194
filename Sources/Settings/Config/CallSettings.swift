package import PrayerEngine
import Texts

/// A `[[call]]`: a sound at a clock time or at an event of the day, which gives way to everything else.
package struct CallSettings: Sendable, Equatable {
    package var name = ""
    package var at = CallTime(.clock(minutes: 0))
    package var sound: RotatingSound = "signal"
    /// Percent of perceived loudness, 0...100.
    package var volumePercent = 80
    package var fadeInSeconds = 0.0
    package var lateGraceSeconds = 120.0
    /// Seconds after which it is faded out at the latest; `nil`: it is played to its end.
    package var limitSeconds: Double?
    package var enabled = true
    /// Names of outputs; none: all.
    package var outputs: [String] = []
    /// Days of the week, 1 (Monday) to 7; none: all.
    package var days: [Int] = []
    /// Days of the Islamic year; none: all.
    package var hijri: [HijriSpan] = []
    package var validity = Validity()

    package init() {}

    /// The most calls of one configuration.
    package static let most = 32

    package var isSilent: Bool { sound.isSilent || volumePercent == 0 }
}

/// The time of a call: `02:30`, `last-third`, `fajr-20m`.
package struct CallTime: Sendable, Equatable {
    /// The time, with an event unless it is a clock time.
    package let time: IqamaTime

    init(_ time: IqamaTime) { self.time = time }

    /// Throws the reason why the text is not a time.
    package init(_ text: String) throws(IqamaError) {
        let known =
            text.hasPrefix(Self.lastThird)
            ? DayEvent.lastThird.rawValue + text.dropFirst(Self.lastThird.count) : text
        let time = try IqamaTime(known)
        if case .after(nil, _) = time {
            throw IqamaError("it does not say after what; write an event, such as \"isha+15m\"")
        }
        self.time = time
    }

    package var event: DayEvent? { if case .after(let event, _) = time { event } else { nil } }

    /// As it is written.
    package var text: String {
        guard case .after(let event?, let minutes) = time else { return time.text }
        let name = event == .lastThird ? Self.lastThird : event.rawValue
        return minutes == 0 ? name : name + time.text.dropFirst(event.rawValue.count)
    }

    /// The name of the last third in a file.
    static let lastThird = "last-third"
}

/// Days of every Islamic year: a month, a day, or consecutive days.
package struct HijriSpan: Sendable, Equatable {
    package struct Day: Sendable, Equatable, Comparable {
        package let month: Int
        package let day: Int

        package static func < (a: Self, b: Self) -> Bool { (a.month, a.day) < (b.month, b.day) }

        /// `12-09`
        init?(_ text: some StringProtocol) {
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 2, let month = HijriSpan.number(parts[0], 1...12),
                let day = HijriSpan.number(parts[1], 1...30)
            else { return nil }
            (self.month, self.day) = (month, day)
        }

        init(month: Int, day: Int) { (self.month, self.day) = (month, day) }

        var text: String { "\(HijriSpan.two(month))-\(HijriSpan.two(day))" }
    }

    /// The first and the last day, both included. A span that ends before it begins continues into the next year.
    package let first: Day
    package let last: Day

    /// `ramadan`, `09`, `12-09`, `12-01/12-09`
    package init?(_ text: String) {
        if let month = Self.months.firstIndex(of: text).map({ $0 + 1 }) ?? Self.number(text, 1...12) {
            (first, last) = (Day(month: month, day: 1), Day(month: month, day: 30))
            return
        }
        let ends = text.split(separator: "/", omittingEmptySubsequences: false).map { Day($0) }
        guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1] else {
            return nil
        }
        (self.first, self.last) = (first, last)
    }

    package func contains(_ date: HijriDate) -> Bool {
        let day = Day(month: date.month, day: date.day)
        return first <= last ? first <= day && day <= last : first <= day || day <= last
    }

    package var text: String {
        if first.month == last.month, first.day == 1, last.day == 30 { return Self.months[first.month - 1] }
        return first == last ? first.text : "\(first.text)/\(last.text)"
    }

    /// `rabi-al-awwal`, `shaban`, `ramadan`
    package static let months = HijriDate.monthNames.map { name in
        String(name.lowercased().compactMap { $0 == "'" ? nil : $0 == " " ? "-" : $0 })
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func number(_ text: some StringProtocol, _ range: ClosedRange<Int>) -> Int? {
        guard text.utf8.count == 2,
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int(text), range.contains(number)
        else { return nil }
        return number
    }
}
