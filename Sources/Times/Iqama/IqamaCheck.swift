package import PrayerEngine
import Settings
package import Texts

/// A problem of congregations over a year, with the affected days.
package struct IqamaProblem: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case beforeAdhan = "iqama-before-adhan"
        case tooLate = "iqama-too-late"
        case tooSoon = "iqama-too-soon"
    }

    package let kind: Kind
    package let prayer: Prayer
    package let spans: [DateSpan]
    package let text: String
}

extension IqamaCalendar {
    /// The problems on every day of a year. `adhanSeconds`: the length of each adhan, where known.
    package func problems(
        from first: CivilDate, days: Int = 366, adhanSeconds: (Prayer) -> Double? = { _ in nil }
    ) -> [IqamaProblem] {
        var found: [Prayer: [IqamaProblem.Kind: [(date: CivilDate, isClock: Bool)]]] = [:]
        for index in 0..<days {
            let date = first.adding(days: index)
            let today = events(on: date)
            for prayer in TimetableColumn.prayers {
                guard let adhan = today.eventMinutes[prayer.event], let time = time(of: prayer, on: date)
                else {
                    continue
                }
                func note(_ kind: IqamaProblem.Kind) {
                    found[prayer, default: [:]][kind, default: []].append((date, time.isClock))
                }
                let end = Self.end(of: prayer).flatMap { today.eventMinutes[$0] }
                if time.minutes < adhan - 0.5 {
                    note(.beforeAdhan)
                } else if let end, time.minutes >= end {
                    note(.tooLate)
                } else if let seconds = adhanSeconds(prayer), time.minutes < adhan + seconds / 60 {
                    note(.tooSoon)
                }
            }
        }
        return TimetableColumn.prayers.flatMap { prayer in
            (found[prayer] ?? [:]).sorted { $0.key.rawValue < $1.key.rawValue }.map { kind, days in
                let spans = DateSpan.runs(days.map(\.date), gap: 7)
                let isClock = days.contains(where: \.isClock)
                return IqamaProblem(
                    kind: kind, prayer: prayer, spans: spans,
                    text: Self.text(kind, prayer, spans, isClock: isClock, seconds: adhanSeconds(prayer)))
            }
        }
    }

    /// The event by which the congregation must have prayed.
    package static func end(of prayer: Prayer) -> DayEvent? {
        switch prayer {
        case .fajr: .sunrise
        case .dhuhr, .jumua: .asr
        case .asr: .maghrib
        case .maghrib: .isha
        case .isha: nil
        }
    }

    private static func text(
        _ kind: IqamaProblem.Kind, _ prayer: Prayer, _ spans: [DateSpan], isClock: Bool, seconds: Double?
    ) -> String {
        let when = spans.map(\.when).joined(separator: ", ")
        switch kind {
        case .beforeAdhan:
            return isClock
                ? "\(prayer.rawValue)'s iqama is a clock time, and \(when) its adhan is later than this time; write minutes after the adhan, such as +15m, or let the time end before"
                : "\(prayer.rawValue)'s iqama is before its adhan \(when)"
        case .tooLate:
            return
                "\(prayer.rawValue)'s iqama would come after \(end(of: prayer).map(\.title) ?? "") \(when)"
        case .tooSoon:
            return
                "\(prayer.rawValue)'s adhan, of \(LocalText.exactSpan((seconds ?? 0).rounded())), still sounds at its iqama \(when)"
        }
    }
}
