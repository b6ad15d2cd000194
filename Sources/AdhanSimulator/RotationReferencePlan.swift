import Announcements
import Daemon
import PrayerEngine
import Protocol
import Settings
import Texts
import Times

/// The sounds of a day by the checker's own count of days, which depends only on the calendar.
enum RotationReferencePlan {
    static func sounds(_ sound: RotatingSound, on date: CivilDate) -> [String] {
        sounds(sound, year: date.year, month: date.month, day: date.day)
    }

    /// The sounds by the date at the end of an identity.
    static func sounds(_ sound: RotatingSound, of id: String) -> [String] {
        guard let digits = Int(id.suffix(8)) else { return [] }
        return sounds(sound, year: digits / 10_000, month: digits / 100 % 100, day: digits % 100)
    }

    /// Days from 1970-01-01 in the Julian calendar's rule of four years, which holds from 1901 to 2099.
    private static func sounds(_ sound: RotatingSound, year: Int, month: Int, day: Int) -> [String] {
        let days = 367 * year - 7 * (year + (month + 9) / 12) / 4 + 275 * month / 9 + day - 719_574
        let count = sound.entries.count
        return sound.entries[(days % count + count) % count]
    }
}

extension Checker {
    /// Checks that the sounds of the identity's date are prepared; a sound that is resumed after a restart keeps its original
    /// sounds.
    mutating func checkRotation(_ order: JobOrder, _ state: DaemonState) {
        guard order.outputs[0].positionSeconds == 0,
            let job = state.jobs.first(where: { $0.token == order.token }),
            job.announcement.isPlanned
        else { return }
        let (config, id) = (state.inputs.config, job.announcement.id)
        let sound: RotatingSound? =
            switch id.kind {
            // Maghrib in Ramadan and Friday's congregations have other rules.
            case .adhan where id.prayer != .maghrib && id.prayer != .jumua: config[id.prayer].sound
            case .reminder: config[id.prayer].reminderSound
            case .iqama: config.iqamaAnnouncement.sound
            default: nil
            }
        guard let sound else { return }
        let expected = RotationReferencePlan.sounds(sound, of: id.description)
        require(order.sounds == expected, "\(id) is prepared with \(order.sounds), not with \(expected)")
    }
}
