package import PrayerEngine
import Protocol
package import Texts

/// One prayer of one day with everything that belongs to it: its adhan, its khutba, its iqama.
package struct Congregation: Sendable, Equatable {
    package let prayer: Prayer
    package let slot: Int
    package let date: CivilDate
    package var adhan: Occasion?
    package var khutba: Occasion?
    package var iqama: Occasion?

    /// The event for which people come: the adhan, or without one the khutba or the iqama. An iqama that was set before its adhan
    /// does not make the prayer earlier.
    package var beginning: Instant { (adhan ?? khutba ?? iqama)?.at ?? Instant(unixSeconds: 0) }

    /// Whether people gather for it at a set time. At home they do not.
    var isGathering: Bool { iqama != nil || khutba != nil }

    /// The congregations of a schedule, in the order in which they begin.
    package static func all(in schedule: Schedule) -> [Congregation] {
        struct Key: Hashable {
            let prayer: Prayer
            let slot: Int
            let date: CivilDate
        }
        var found: [Key: Congregation] = [:]
        for occasion in schedule.occasions {
            guard let prayer = occasion.prayer ?? (occasion.kind == .khutba ? .jumua : nil) else { continue }
            let key = Key(prayer: prayer, slot: occasion.slot, date: occasion.date)
            var congregation =
                found[key] ?? Congregation(prayer: prayer, slot: occasion.slot, date: occasion.date)
            switch occasion.kind {
            case .adhan: congregation.adhan = occasion
            case .khutba: congregation.khutba = occasion
            case .iqama: congregation.iqama = occasion
            default: continue
            }
            found[key] = congregation
        }
        return found.values.sorted {
            ($0.beginning, $0.prayer.rawValue, $0.slot) < ($1.beginning, $1.prayer.rawValue, $1.slot)
        }
    }

    /// The first congregation of the coming day whose iqama is before its adhan.
    package static func earlyIqama(in schedule: Schedule, after now: Instant) -> Congregation? {
        all(in: schedule).first { congregation in
            guard let adhan = congregation.adhan?.at, let iqama = congregation.iqama?.at else { return false }
            return iqama < adhan && now < adhan && iqama - now < 86_400
        }
    }
}
