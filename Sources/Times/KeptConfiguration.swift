package import PrayerEngine
package import Settings
import Texts

/// The last usable configuration, text by text, as the state directory keeps it: a box whose file was damaged since continues to
/// call by it after a restart.
package struct KeptConfiguration: Codable, Sendable, Equatable {
    package static let fileName = "configuration.json"

    private struct Text: Codable, Sendable, Equatable {
        let file: String
        let text: String
    }

    private let version: Int
    /// The configuration's path: a copy never replaces a file of another path.
    package let configuration: String
    /// The time of keeping in RFC 3339, in UTC.
    package let keptAt: String
    private let texts: [Text]
    /// Its time zone; `nil` from older versions, and where no file names one.
    package let zone: KeptZone?
    /// Whether a timetable was in force beside it; `nil` from older versions.
    package private(set) var hasTimetable: Bool?
    /// The method in force where none is configured; `nil` from older versions.
    package private(set) var practised: PractisedMethod?
    /// The method of an earlier version, until a person confirms the new one.
    package private(set) var practisedBefore: PractisedMethod?
    /// The calendar in force where none is configured; `nil` from older versions.
    package private(set) var calendar: String?
    /// The calendar of an earlier version, until a person confirms the new one.
    package private(set) var calendarBefore: String?

    package init(
        _ configuration: String, _ sources: [ConfigSource], zone: KeptZone? = nil, at now: Instant
    ) {
        version = 1
        self.zone = zone
        self.configuration = configuration
        keptAt = InstantText.rfc3339(now, in: .utc)
        texts = sources.map { Text(file: $0.file, text: String(decoding: $0.text, as: UTF8.self)) }
    }

    package var sources: [ConfigSource] {
        texts.map { ConfigSource(file: $0.file, text: Array($0.text.utf8)) }
    }

    /// Returns a copy with the method and the calendar that follow from it.
    ///
    /// - Parameter earlier: the configuration that was kept before. If its place and calculation are the same, another version of
    ///     adhand chose another method.
    package func practising(_ site: Site, _ settings: CalculationSettings, since earlier: Self?) -> Self {
        var kept = self
        kept.keepCalendar(of: site, since: earlier)
        kept.practised = PractisedMethod(site)
        guard let now = kept.practised, let earlier, hasSameTimes(as: earlier),
            earlier.zone == nil || zone?.name == earlier.zone?.name
        else {
            kept.practisedBefore = nil
            return kept
        }
        let was = earlier.practised ?? PractisedMethod(beforePractice: settings)
        let before = was == now ? earlier.practisedBefore : earlier.practisedBefore ?? was
        kept.practisedBefore = before == now ? nil : before
        return kept
    }

    private mutating func keepCalendar(of site: Site, since earlier: Self?) {
        calendar = site.choice.calendar == .place ? site.calculation.hijri.rule.name : nil
        calendarBefore = nil
        guard let calendar, let earlier, hasSameDates(as: earlier),
            earlier.zone == nil || zone?.name == earlier.zone?.name
        else { return }
        // Versions that kept no calendar knew only one.
        let was = earlier.calendar ?? HijriRule.ummAlQura.name
        let before = was == calendar ? earlier.calendarBefore : earlier.calendarBefore ?? was
        calendarBefore = before == calendar ? nil : before
    }

    private func hasSameDates(as other: Self) -> Bool {
        guard let own = try? ConfigLoader.load(sources), let theirs = try? ConfigLoader.load(other.sources)
        else { return texts == other.texts }
        let key = "hijri.calendar"
        return Self.isSamePlace(own.config, theirs.config)
            && own.config.calculation.hijriRule == theirs.config.calculation.hijriRule
            && own.settings.contains { $0.key == key } == theirs.settings.contains { $0.key == key }
    }

    /// Whether a country's practice is determined at the same place: name and heights do not affect it.
    private static func isSamePlace(_ one: Config, _ other: Config) -> Bool {
        one.location?.latitude == other.location?.latitude
            && one.location?.longitude == other.location?.longitude && one.timezone == other.timezone
    }

    private func hasSameTimes(as other: Self) -> Bool {
        guard let own = try? ConfigLoader.load(sources), let theirs = try? ConfigLoader.load(other.sources)
        else {
            return texts == other.texts
        }
        let key = "calculation.method"
        let (ours, others) = (own.config.calculation, theirs.config.calculation)
        // Minutes, roundings and the calendar do not select a method, so a change of them confirms none.
        return Self.isSamePlace(own.config, theirs.config)
            && (ours.method, ours.zone, ours.asr, ours.highLatitude)
                == (others.method, others.zone, others.asr, others.highLatitude)
            && own.settings.contains { $0.key == key } == theirs.settings.contains { $0.key == key }
    }

    /// Returns a copy with the rules of a zone that has changed.
    package func having(zone: KeptZone?) -> Self {
        Self(self, zone: zone)
    }

    /// Returns a copy for another timetable.
    package func having(timetable: Bool?) -> Self {
        var other = self
        other.hasTimetable = timetable
        return other
    }

    private init(_ other: Self, zone: KeptZone?) {
        (version, configuration, keptAt, texts, hasTimetable) = (
            other.version, other.configuration, other.keptAt, other.texts, other.hasTimetable
        )
        self.zone = zone
        (practised, practisedBefore) = (other.practised, other.practisedBefore)
        (calendar, calendarBefore) = (other.calendar, other.calendarBefore)
    }

    /// Whether the content is the same, whenever it was kept.
    package func isSame(as other: Self) -> Bool {
        configuration == other.configuration && texts == other.texts && zone == other.zone
            && hasTimetable == other.hasTimetable
            && practised == other.practised && practisedBefore == other.practisedBefore
            && calendar == other.calendar && calendarBefore == other.calendarBefore
    }

    package func fileBytes() throws -> [UInt8] { try JSON.encode(self, pretty: true) + [UInt8(ascii: "\n")] }

    package init(fileBytes: [UInt8]) throws { self = try JSON.decode(Self.self, from: fileBytes) }
}

/// The problem of the configuration on disk, while an older one is in force.
package struct UnusableConfiguration: Sendable, Equatable {
    package let error: ConfigError
    /// When the configuration in force was kept; `nil` when this run of the program read it.
    package let keptAt: String?

    package init(_ error: ConfigError, keptAt: String? = nil) {
        self.error = error
        self.keptAt = keptAt
    }

    /// The command that reads the files at once and confirms them.
    package static let fix = "adhanctl reload"

    /// The problem, and the configuration that is in force instead.
    package var message: String {
        let since = keptAt.map { ", kept on \($0.prefix(10))," } ?? ""
        let fault = error.cause == .lost ? "lost a part" : "cannot be used"
        return
            "the configuration \(fault): \(error.summary); the last one that could be used\(since) stays in force until "
            + (error.cause == .lost ? "it is back or somebody reloads" : "the file is right")
    }

    /// The remedy, around the command.
    package static func remedy(_ cause: ConfigError.Cause?, fix: String) -> String {
        switch cause {
        case .lost: "Restore the file, or run \"\(fix)\" to go on without it."
        case .unanswered: "adhand reads it again every minute."
        case .mistake, nil: "Fix the file and run \"\(fix)\"; adhand reads it again every minute."
        }
    }
}
