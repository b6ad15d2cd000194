package import Envelope
package import PrayerEngine
import Settings
import Texts
import Times

/// Checks a body as far as possible without a box, by the functions that adhand uses: a body that they refuse is refused by
/// every box. A box also checks its place, its sounds and devices, and its other files.
extension FleetBody {
    /// - Parameter from: the first instant at which a box may apply it.
    package func check(from: Instant) throws(EnvelopeRefusal) {
        switch self {
        case .configuration(let toml):
            let source = ConfigSource(file: FleetKind.configuration.rawValue, text: Array(toml.utf8))
            if let error = ConfigLoader.ownMistakes(of: source) {
                throw EnvelopeRefusal(.invalid, error.summary)
            }
        case .timetable(let csv):
            do throws(TimetableErrors) {
                _ = try PublishedTimetable.whole(
                    csv: Array(csv.utf8), file: FleetKind.timetable.rawValue)
            } catch {
                throw EnvelopeRefusal(.invalid, error.mistakes.first?.message ?? error.message)
            }
        case .hijri(let pins):
            var months: [HijriMonth: CivilDate] = [:]
            for (text, date) in pins { if let month = HijriMonth(text) { months[month] = date } }
            do throws(HijriPinRefusal) { _ = try HijriCalendar(pins: months) } catch {
                throw EnvelopeRefusal(.invalid, error.message)
            }
        case .exceptions(let exceptions): try Self.check(exceptions, from: from)
        case .command, .keys, .revert: break
        }
    }

    private static func check(_ exceptions: [Exception], from: Instant) throws(EnvelopeRefusal) {
        // A day counts as long as it lasts in any time zone, the last of which is twelve hours behind UTC.
        let today = Zone.utc.civilDate(of: from - 12 * 3600)
        var all = DayExceptions()
        for exception in exceptions {
            do throws(DayException.CheckRefusal) {
                let read = try DayException(
                    date: exception.date, prayer: exception.prayer, adhan: exception.adhan,
                    iqama: exception.iqama, today: today)
                try read.checkWeekday()
                all.set(read)
            } catch {
                throw EnvelopeRefusal(
                    .invalid,
                    "the exception for \(exception.prayer.title) on \(exception.date), \"\(PlainText.visible(error.value))\": \(error.reason)"
                )
            }
        }
        guard all.count <= DayExceptions.most else {
            throw EnvelopeRefusal(
                .invalid, "there are \(all.count) exceptions, and a box keeps \(DayExceptions.most)")
        }
    }
}
