package import Languages
package import PrayerEngine
import Texts

/// Alerts and banners as sentences of one language, for programs that read `/state.json` and for `adhanctl display`.
package struct NoticeText: Sendable {
    let language: Language
    let zone: Zone

    let now: Instant

    package init(_ language: Language, in zone: Zone, now: Instant) {
        self.language = language
        self.zone = zone
        self.now = now
    }

    package func sentence(_ alert: Alert) -> String {
        let key =
            switch alert.kind {
            case .noSound where alert.at == nil: "alert-no-sound-now"
            case .noSoundIn where alert.prayer == nil: "alert-no-sound-in-now"
            case .mute where alert.at == nil: "alert-mute-open"
            default: "alert-\(alert.kind.rawValue)"
            }
        return language.phrase(
            key,
            [
                "time": alert.at.map(moment) ?? "", "date": alert.date.map(date) ?? "",
                "prayer": alert.prayer.map(name) ?? "", "place": alert.text ?? "", "names": alert.text ?? "",
            ])
    }

    package func sentence(_ banner: Banner) -> String {
        // Omit the prayers of a feast that are over.
        let coming = banner.later.filter { now < $0 }
        let times = coming.isEmpty || now < banner.at ? [banner.at] + coming : coming
        return language.phrase(
            "note-\(banner.kind.rawValue)",
            [
                "prayer": banner.prayer.map(name) ?? "", "time": times.map(clock).joined(separator: ", "),
                "date": date(banner.date),
            ])
    }

    private func name(_ prayer: Prayer) -> String { language.prayers[prayer.rawValue] ?? prayer.title }

    /// The date and time, because a time alone would be read as today's; within a week the weekday suffices.
    private func moment(_ instant: Instant) -> String {
        let day = zone.civilDate(of: instant)
        switch abs(day.dayNumber - zone.civilDate(of: now).dayNumber) {
        case 0: return clock(instant)
        case 1..<7: return "\(language.weekdays[day.weekday - 1]) \(clock(instant))"
        default: return "\(date(day)), \(clock(instant))"
        }
    }

    private func clock(_ instant: Instant) -> String { InstantText.minute(instant, in: zone) }

    private func date(_ date: CivilDate) -> String {
        let pattern = zone.monthStandsFirst ? language.monthFirst?.date : nil
        let solar = language.solar?.day(of: date)
        let (year, day) = (solar?.year ?? date.year, solar?.day ?? date.day)
        let month = solar.flatMap { language.solar?.months[$0.month - 1] } ?? language.months[date.month - 1]
        return (pattern ?? language.date).replacing("{weekday}", with: language.weekdays[date.weekday - 1])
            .replacing("{day}", with: String(day))
            .replacing("{month}", with: month)
            .replacing("{year}", with: String(year))
    }
}
