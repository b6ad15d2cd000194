import PrayerEngine
import Texts

/// Friday's congregations.
package struct JumuaSettings: Sendable, Equatable {
    package struct Slot: Sendable, Equatable {
        /// The time of a slot's first adhan.
        package enum FirstAdhan: Sendable, Equatable {
            case none, dhuhr
            /// A clock time, in minutes after midnight.
            case clock(minutes: Int)
            /// A time before the khutba, in minutes.
            case beforeKhutba(minutes: Int)

            package init?(_ text: String) {
                switch text {
                case "none": self = .none
                case "dhuhr": self = .dhuhr
                default:
                    if text.hasPrefix("khutba-"), let seconds = DurationText.parse(text.dropFirst(7)),
                        seconds >= 60, seconds <= 4 * 3600, seconds.truncatingRemainder(dividingBy: 60) == 0
                    {
                        self = .beforeKhutba(minutes: Int(seconds) / 60)
                    } else if let minutes = ClockText.parse(text) {
                        self = .clock(minutes: minutes)
                    } else {
                        return nil
                    }
                }
            }

            package var text: String {
                switch self {
                case .none: "none"
                case .dhuhr: "dhuhr"
                case .clock(let minutes): ClockText.format(minutes)
                case .beforeKhutba(let minutes): "khutba-\(DurationText.format(Double(minutes * 60)))"
                }
            }
        }

        package var adhan = FirstAdhan.dhuhr
        package var khutba: IqamaTime?
        /// The time of the prayer; minutes without an event count from the khutba.
        package var prayer: IqamaTime?
        /// The sound; `nil`: as configured in `[adhan.jumua]`.
        package var sound: RotatingSound?
        package var validity = Validity()

        package init() {}
    }

    /// Whether Dhuhr is not called on a Friday that has slots.
    package var replacesDhuhr = true
    /// The sound for the moment when the imam begins.
    package var khutbaSound = RotatingSound([AdhanSettings.silent])
    package var slots: [Slot] = []

    package init() {}
}

/// The differences in Ramadan, which begins at the maghrib before its first day.
package struct RamadanSettings: Sendable, Equatable {
    /// The wake-ups before fajr, to eat.
    package var wake: [IqamaTime] = []
    package var wakeSound: RotatingSound = ["signal"]
    package var imsak: IqamaTime?
    package var imsakSound: RotatingSound = ["signal"]
    /// The sound played at maghrib before its adhan; empty for none.
    package var iftarSound: RotatingSound = []
    package var isha: IqamaTime?
    package var tarawih: IqamaTime?
    package var qiyam: IqamaTime?
    /// Percent of perceived loudness for wake, imsak and iftar.
    package var volumePercent = 80

    package init() {}
}

/// The two feasts.
package struct EidSettings: Sendable, Equatable {
    /// The times of the prayers, in minutes after midnight.
    package var prayerMinutes: [Int] = []
    /// The sound of the takbirat; empty: none are played.
    package var takbiratSound: RotatingSound = []
    package var takbirat: [IqamaTime] = TimetableColumn.prayers.map { .after($0.event, minutes: 15) }
    package var volumePercent = 80

    package init() {}
}
