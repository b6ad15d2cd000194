import Languages
package import Settings
import Texts

/// A person's settings of the companion: `companion.toml`.
package struct CompanionSettings: Equatable, Sendable {
    /// The settings of one prayer's notices.
    package struct PrayerSettings: Equatable, Sendable {
        /// Whether it is notified.
        package var enabled = true
        /// Seconds before the prayer.
        package var reminderSeconds: [Double] = [600, 300]
        /// Seconds before the end of its time at which a reminder asks about an unmarked prayer; 0 for never.
        package var followUpSeconds: Double = 1800

        package init() {}
    }

    /// A language's code; `nil`: that of the environment.
    package var language: String?
    /// The number of prayers of a day that suffices for the streak, 1...5.
    package var goal = 5
    /// Seconds.
    package var snoozeSeconds: Double = 1200
    /// Minutes after midnight between which no notification is shown; `nil` for no quiet hours.
    package var quietFromMinutes: Int?
    package var quietUntilMinutes: Int?
    package var arabicName = false
    package var qibla = false
    package var dua = false
    package var prayers: [DailyPrayer: PrayerSettings] = Dictionary(
        uniqueKeysWithValues: DailyPrayer.allCases.map { ($0, PrayerSettings()) })

    package init() {}

    package subscript(prayer: DailyPrayer) -> PrayerSettings {
        get { prayers[prayer] ?? PrayerSettings() }
        set { prayers[prayer] = newValue }
    }

    /// Whether a time of day, in minutes, is in the quiet hours.
    package func isQuiet(_ minute: Int) -> Bool {
        guard let from = quietFromMinutes, let until = quietUntilMinutes else { return false }
        return from <= until ? from <= minute && minute < until : from <= minute || minute < until
    }

    // MARK: The file

    package static let fileName = "companion.toml"

    package static let schema = Schema<CompanionSettings>(
        initial: CompanionSettings(),
        parts: [
            .section(.init(path: [], meaning: "", keys: [language])),
            .section(
                .init(
                    path: ["log"], meaning: "",
                    keys: [
                        .integer("goal", 1...5, "prayers", \.goal, "prayers of a day that keep the streak")
                    ])),
            .section(
                .init(
                    path: ["notifications"], meaning: "",
                    keys: [
                        .duration(
                            "snooze", 60...7200, \.snoozeSeconds, "how much later \"Snooze\" asks again"),
                        timeOfDay("quiet-from", \.quietFromMinutes, example: "23:00"),
                        timeOfDay("quiet-until", \.quietUntilMinutes, example: "05:00"),
                        .flag("arabic-name", \.arabicName, "the prayer's name in Arabic, too"),
                        .flag("qibla", \.qibla, "the direction of the qibla, too"),
                        .flag("dua", \.dua, "the supplication after the adhan, too"),
                    ])),
            .family(
                .init(
                    "prayer", meaning: "how every prayer is announced; [prayer.fajr] overrides it for one",
                    example: "\n# [prayer.fajr]\n# reminders = [\"30m\"]\n",
                    members: DailyPrayer.allCases.map(\.name), initial: PrayerSettings(),
                    keys: [
                        .flag("enabled", \.enabled, "false: nothing is said of it"),
                        .durations(
                            "reminders", 1...21_600, \.reminderSeconds,
                            "before the prayer, such as [\"10m\", \"5m\"]"),
                        .duration(
                            "follow-up", 0...7200, \.followUpSeconds,
                            "asks after it this long before its time ends, unless it is marked; \"0s\" never"),
                    ],
                    get: { settings, name in
                        DailyPrayer.allCases.first { $0.name == name }.map { settings[$0] }
                            ?? PrayerSettings()
                    },
                    set: { settings, name, values in
                        if let prayer = DailyPrayer.allCases.first(where: { $0.name == name }) {
                            settings[prayer] = values
                        }
                    })),
        ],
        relations: { facts in
            let names = ["quiet-from", "quiet-until"]
            let given = names.filter { facts.has(["notifications", $0]) }
            guard given.count == 1, let other = names.first(where: { $0 != given[0] }) else { return [] }
            return [SchemaComplaint(["notifications", given[0]], "\(given[0]) needs \(other) beside it")]
        })

    private static let language = ConfigKey<CompanionSettings>(
        name: "language",
        rule: .text(.other(Language.codeKind)),
        meaning: "of names, notifications and grids; default: that of the environment", example: .text("en")
    ) { settings in
        settings.language.map { .text($0) }
    } set: { settings, value in
        if case .text(let code) = value { settings.language = code }
    }

    private static func timeOfDay(
        _ name: String, _ place: any WritableKeyPath<CompanionSettings, Int?> & Sendable, example: String
    ) -> ConfigKey<CompanionSettings> {
        ConfigKey(
            name: name,
            rule: .text(
                .other(
                    .init(allowed: "a time of day such as \"\(example)\"") { text in
                        minutes(text) == nil ? .init() : nil
                    })),
            meaning: "nothing is said between the two", example: .text(example)
        ) { settings in
            settings[keyPath: place].map {
                .text("\(InstantText.padded($0 / 60, 2)):\(InstantText.padded($0 % 60, 2))")
            }
        } set: { settings, value in
            if case .text(let text) = value { settings[keyPath: place] = minutes(text) }
        }
    }

    private static func minutes(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy(\.isNumber) }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }
}
