import PrayerEngine
import Settings
import Texts

/// The method in force for people, and the place that chose it if no person did.
package enum MethodText {
    /// `isna, chosen for Queens, New York (United States)`
    static func name(_ basics: CalculationBasics) -> String {
        guard basics.methodChosenBy == .place else { return basics.method }
        guard let place = basics.methodPlace else {
            return basics.method == MethodChoice.generic
                ? "\(basics.method), the most widely used one" : basics.method
        }
        return "\(basics.method), chosen for \(place)"
    }

    /// The whole calculation: `mwl, chosen for Oslo (Norway); Asr standard, high latitude one-seventh`
    package static func line(_ basics: CalculationBasics) -> String {
        let school = "Asr \(basics.asr), high latitude \(basics.highLatitude)"
        return name(basics) + (basics.methodChosenBy == .place ? "; " : ", ") + school
    }

    /// The facts about the choice, and the command for another; `nil` where a person chose.
    package static func advice(
        _ basics: CalculationBasics, typing command: String = "adhanctl method NAME"
    ) -> String? {
        guard basics.methodChosenBy == .place else { return nil }
        let other = "For another: \"\(command)\"."
        if let neighbour = basics.methodNeighbour {
            return "\(neighbour.country) is as near, and its method is \(neighbour.method). \(other)"
        }
        guard basics.methodPlace == nil, basics.method == MethodChoice.generic else { return other }
        return "No town is near, so no country's practice is known. \(other)"
    }
}

/// The authority of the calendar, for people.
package enum CalendarText {
    /// `Diyanet, chosen for Istanbul (Turkey)`; `nil` where an older adhand omits it.
    package static func name(_ basics: CalculationBasics) -> String? {
        guard let calendar = basics.hijriCalendar.map(HijriRule.title(of:)) else { return nil }
        guard basics.hijriCalendarChosenBy == .place else { return calendar }
        return "\(calendar), chosen for \(basics.methodPlace ?? "the place")"
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
