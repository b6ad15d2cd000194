package import Texts

/// The time of an iqama as people write it: `13:30`, `1:30`, `1:30pm`, `+15m`, `+15`, `15`. Commands, questions and the phone
/// page accept all of these; the configuration has one form.
package struct IqamaReading: Sendable, Equatable {
    package let time: IqamaTime
    /// The understood time, if it differs from the written one.
    package let note: String?

    package init(_ text: String, for prayer: Prayer) throws(IqamaError) {
        let plain = Self.plainDigits(text)
        let minutes = Self.minutes(plain)
        let time = try IqamaTime(minutes ?? Spelling.timeOfDay(plain) ?? plain)
        let isExact = text.lowercased().contains("am") || text.lowercased().contains("a.m")
        guard !isExact, case .clock(let minutes) = time,
            let meant = Self.afternoon(minutes, prayer)
        else {
            self.time = time
            note =
                minutes == nil || plain.contains("+")
                ? nil : "\(prayer.title)'s \(text) is read as \(time.text), after the adhan"
            return
        }
        self.time = .clock(minutes: meant)
        note = "\(prayer.title)'s \(text) is read as \(ClockText.format(meant))"
    }

    /// Minutes after the adhan, even without their plus or their unit: clock times have a colon. `nil` for other words.
    private static func minutes(_ text: String) -> String? {
        let words = Substring(text).trimmed
        let length = words.hasPrefix("+") ? words.dropFirst().trimmed : words
        let isBare = (1...3).contains(length.count) && length.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return isBare ? "+\(length)m" : Spelling.duration(String(length)).map { "+" + $0 }
    }

    /// Converts digits of any script to those of the configuration.
    private static func plainDigits(_ text: String) -> String {
        String(
            text.map { character in
                guard !character.isASCII, let value = character.wholeNumberValue, (0...9).contains(value),
                    character.unicodeScalars.first?.properties.numericType == .decimal
                else { return character }
                return Character("\(value)")
            })
    }

    /// Hours of the night and the morning at which no congregation of a prayer is held anywhere, in minutes after midnight.
    private static let wrongHalf: [Prayer: Range<Int>] = [
        .dhuhr: 0..<300, .jumua: 0..<300, .asr: 60..<540, .maghrib: 180..<660, .isha: 240..<720,
    ]

    /// The meaning of a clock time on twelve hours, if it cannot be intended as written.
    package static func afternoon(_ minutes: Int, _ prayer: Prayer) -> Int? {
        guard wrongHalf[prayer]?.contains(minutes) == true else { return nil }
        return minutes + ClockText.minutesADay / 2
    }
}

extension IqamaSettings {
    /// Clock times that are in the wrong half of the day, as a file may have them.
    package var wrongHalves: [(prayer: Prayer, minutes: Int, sentence: String)] {
        rules.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap { prayer, rule in
            guard case .clock(let minutes) = rule.at,
                let meant = IqamaReading.afternoon(minutes, prayer)
            else { return nil }
            let sentence =
                "iqama.\(prayer.rawValue) is \(ClockText.format(minutes)) at night; if \(ClockText.format(meant)) is meant, "
                + "\"adhanctl set iqama.\(prayer.rawValue) \(ClockText.format(meant))\" says so"
            return (prayer, minutes, sentence)
        }
    }
}
