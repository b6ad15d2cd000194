import PrayerEngine
package import Settings
import Texts

/// The method and calendar where none is configured. Kept with the configuration: another version of adhand may know a better one
/// for the same place, and a person should learn of it.
package struct PractisedMethod: Codable, Sendable, Equatable {
    package let method: String
    package let asr: String
    package let highLatitude: String

    /// The method in force; `nil` where a person chose it.
    package init?(_ site: Site) {
        guard site.choice.chooser == .place else { return nil }
        method = site.calculation.method.name
        asr = site.calculation.asr.rawValue
        highLatitude = site.calculation.highLatitude.rawValue
    }

    /// The method of every place in versions that kept no method.
    package init(beforePractice settings: CalculationSettings) {
        method = "isna"
        asr = (settings.asr ?? .hanafi).rawValue
        highLatitude = (settings.highLatitude ?? .auto).rawValue
    }
}

/// A method that is not configured, and that another version of adhand chose differently.
package struct MethodNews: Sendable, Equatable {
    package let was: PractisedMethod
    package let now: PractisedMethod
    package let place: String?

    package init?(_ was: PractisedMethod?, _ site: Site) {
        guard let was, let now = PractisedMethod(site), was != now else { return nil }
        (self.was, self.now, place) = (was, now, site.choice.place)
    }

    package var message: String {
        Self.message(
            was: Self.title(was.method, was.asr, was.highLatitude),
            now: Self.title(now.method, now.asr, now.highLatitude), goingBack: was.method, place: place)
    }

    /// `isna's (Asr hanafi, high latitude auto)`
    package static func title(_ method: String, _ asr: String, _ highLatitude: String?) -> String {
        "\(method)'s (Asr \(asr)\(highLatitude.map { ", high latitude \($0)" } ?? ""))"
    }

    package static func message(was: String, now: String, goingBack method: String, place: String?) -> String
    {
        "no method is written in the configuration: until this version of adhand the times were \(was), and "
            + "now they are \(now)\(place.map { ", chosen for \($0)" } ?? ""); \"adhanctl method auto\" "
            + "confirms it, \"adhanctl method \(method)\" goes back"
    }
}

/// A calendar that is not configured, and that another version of adhand chose differently.
package struct CalendarNews: Sendable, Equatable {
    package let was: String
    package let now: String
    package let place: String?
    /// Days that the configuration adds to either calendar.
    package let adjustment: Int

    package init?(_ was: String?, _ site: Site) {
        let now = site.calculation.hijri.rule.name
        guard let was, site.choice.calendar == .place, was != now else { return nil }
        (self.was, self.now, place) = (was, now, site.choice.place)
        adjustment = site.calculation.hijri.adjustment
    }

    package var message: String { Self.message(was: was, now: now, place: place, adjustment: adjustment) }

    package static func message(was: String, now: String, place: String?, adjustment: Int) -> String {
        "no calendar is written in the configuration: until this version of adhand the Hijri dates were \(HijriRule.title(of: was))'s, "
            + "and now they are \(HijriRule.title(of: now))'s, chosen for \(place ?? "the place"); "
            + "\(advice(goingBack: was)); first days of months that somebody decided stay\(warning(adjustment, was))"
    }

    /// The warning that an adjustment for one calendar makes the other wrong.
    private static func warning(_ adjustment: Int, _ was: String) -> String {
        guard adjustment != 0 else { return "" }
        return
            "; hijri-adjustment = \(adjustment), which goes on top, was made for \(HijriRule.title(of: was)): with the new one "
            + "\"adhanctl set calculation.hijri-adjustment 0\" takes it away"
    }

    /// The commands that accept the new calendar, or return to the old one.
    package static func advice(goingBack was: String) -> String {
        "\"adhanctl set hijri.calendar auto\" confirms it, \"adhanctl set hijri.calendar \(was)\" goes back"
    }
}
