package import PrayerEngine
package import Texts

/// A month or a day's prayer that the fleet set by hand, with the household's decision that it replaced.
package struct FleetOverride: Sendable, Equatable {
    package enum Subject: Sendable, Hashable {
        case month(HijriMonth)
        case prayer(Prayer, on: CivilDate)

        package var kind: FleetKind {
            switch self {
            case .month: .hijri
            case .prayer: .exception
            }
        }
    }

    /// The times of an exception, in minutes after midnight.
    package struct Times: Sendable, Equatable, Codable {
        package let adhan: Int?
        package let iqama: Int?
        package let reason: String?

        package init(adhan: Int?, iqama: Int?, reason: String?) {
            (self.adhan, self.iqama, self.reason) = (adhan, iqama, reason)
        }
    }

    package enum Before: Sendable, Equatable {
        case nothing
        case firstDay(CivilDate)
        case times(Times)
    }

    /// The fleet's name, in the form of ``FleetRecord/name(_:_:)``.
    package let fleet: String
    package let subject: Subject
    package let before: Before

    package init(fleet: String, subject: Subject, before: Before) {
        (self.fleet, self.subject, self.before) = (fleet, subject, before)
    }
}

extension FleetRecord {
    package func override(of subject: FleetOverride.Subject) -> FleetOverride? {
        overrides.first { $0.subject == subject }
    }

    package func overrides(of kind: FleetKind) -> [FleetOverride] {
        overrides.filter { $0.subject.kind == kind }
    }

    /// Records that the fleet has set it. After two consecutive changes, the household's decision is the one before the first.
    /// - Parameter known: the content of the record before the change.
    package mutating func override(_ new: FleetOverride, known: FleetOverride?) {
        household(decides: new.subject)
        overrides.append(known.map { $0.fleet == new.fleet ? $0 : new } ?? new)
    }

    /// Records that a person set or removed it on the box: it is no longer the fleet's, and a revert leaves it unchanged.
    package mutating func household(decides subject: FleetOverride.Subject) {
        overrides.removeAll { $0.subject == subject }
    }

    /// Forgets overrides of days that adhand has forgotten, which cannot be restored.
    package mutating func forgetOverrides(where isForgotten: (FleetOverride.Subject) -> Bool) {
        overrides.removeAll { isForgotten($0.subject) }
    }
}

extension FleetOverride {
    /// The form in `state.json`.
    struct File: Codable {
        let fleet: String
        /// The month of a pin.
        private var month: String?
        private var firstDay: String?
        /// The date of an exception.
        private var date: String?
        private var prayer: String?
        private var times: Times?

        init(_ override: FleetOverride) {
            fleet = override.fleet
            switch override.subject {
            case .month(let month): self.month = month.description
            case .prayer(let prayer, let date): (self.prayer, self.date) = (prayer.rawValue, date.description)
            }
            switch override.before {
            case .nothing: break
            case .firstDay(let day): firstDay = day.description
            case .times(let times): self.times = times
            }
        }

        /// The override; `nil`: written by another version.
        var override: FleetOverride? {
            if let month = month.flatMap({ HijriMonth($0) }) {
                let before = firstDay.flatMap { CivilDate($0) }.map { Before.firstDay($0) }
                return FleetOverride(fleet: fleet, subject: .month(month), before: before ?? .nothing)
            }
            guard let prayer = prayer.flatMap({ Prayer(rawValue: $0) }),
                let date = date.flatMap({ CivilDate($0) })
            else { return nil }
            return FleetOverride(
                fleet: fleet, subject: .prayer(prayer, on: date), before: times.map { .times($0) } ?? .nothing
            )
        }
    }
}
