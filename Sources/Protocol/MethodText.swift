import PrayerEngine
import Settings
import Texts

/// The method in force for people, and the place that chose it if no person did.
package enum MethodText {
    /// `isna, chosen for Queens, New York (United States)`
    static func name(_ how: CalculationBasics) -> String {
        guard how.methodChosenBy == .place else { return how.method }
        guard let place = how.methodPlace else {
            return how.method == MethodChoice.generic ? "\(how.method), the most widely used one" : how.method
        }
        return "\(how.method), chosen for \(place)"
    }

    /// The whole calculation: `mwl, chosen for Oslo (Norway); Asr standard, high latitude one-seventh`
    package static func line(_ how: CalculationBasics) -> String {
        let school = "Asr \(how.asr), high latitude \(how.highLatitude)"
        return name(how) + (how.methodChosenBy == .place ? "; " : ", ") + school
    }

    /// The facts about the choice, and the command for another; `nil` where a person chose.
    package static func advice(
        _ how: CalculationBasics, typing command: String = "adhanctl method NAME"
    ) -> String? {
        guard how.methodChosenBy == .place else { return nil }
        let other = "For another: \"\(command)\"."
        if let neighbour = how.methodNeighbour {
            return "\(neighbour.country) is as near, and its method is \(neighbour.method). \(other)"
        }
        guard how.methodPlace == nil, how.method == MethodChoice.generic else { return other }
        return "No town is near, so no country's practice is known. \(other)"
    }
}

/// The authority of the calendar, for people.
package enum CalendarText {
    /// `Diyanet, chosen for Istanbul (Turkey)`; `nil` where an older adhand omits it.
    package static func name(_ how: CalculationBasics) -> String? {
        guard let calendar = how.hijriCalendar.map(HijriRule.title(of:)) else { return nil }
        guard how.hijriCalendarChosenBy == .place else { return calendar }
        return "\(calendar), chosen for \(how.methodPlace ?? "the place")"
    }
}

extension CalculationBasics {
    /// The names of the method's authority and of the calendar, `Muslim World League  ·  Umm al-Qura`, only once where both
    /// belong to one authority; a custom method has no name. `nil` where an older adhand omits who chose them.
    package var names: String? {
        guard let hijriCalendar else { return nil }
        let calendar = HijriRule.title(of: hijriCalendar)
        guard method != hijriCalendar, let authority = Method.named(method) else { return calendar }
        return "\(authority.title)  ·  \(calendar)"
    }
}
