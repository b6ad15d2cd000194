import PrayerEngine

/// How times are calculated where nobody has written a method. It is kept with the configuration: another version of adhand may know a
/// better one for the same place, and that is news.
package struct PractisedMethod: Codable, Sendable, Equatable {
    package let method: String
    package let asr: String
    package let highLatitude: String

    /// What is in force; `nil` where somebody chose the method.
    package init?(_ site: Site) {
        guard site.choice.chooser == .place else { return nil }
        method = site.calculation.method.name
        asr = site.calculation.asr.rawValue
        highLatitude = site.calculation.highLatitude.rawValue
    }

    /// What every place had in versions that kept no method.
    package init(beforePractice settings: CalculationSettings) {
        method = "isna"
        asr = (settings.asr ?? .hanafi).rawValue
        highLatitude = (settings.highLatitude ?? .auto).rawValue
    }
}

/// A method that nobody wrote, and that another version of adhand chose otherwise.
package struct MethodNews: Sendable, Equatable {
    package let was: PractisedMethod
    package let now: PractisedMethod
    package let place: String?

    package init?(_ was: PractisedMethod?, _ site: Site) {
        guard let was, let now = PractisedMethod(site), was != now else { return nil }
        (self.was, self.now, place) = (was, now, site.choice.place)
    }

    package var message: String {
        Self.message(was: was.method, wasAsr: was.asr, now: now.method, nowAsr: now.asr, place: place)
    }

    static func message(was: String, wasAsr: String, now: String, nowAsr: String, place: String?) -> String {
        "no method is written in the configuration: until this version of adhand the times were \(was)'s (Asr \(wasAsr)), and "
            + "now they are \(now)'s (Asr \(nowAsr))\(place.map { ", chosen for \($0)" } ?? ""); \"adhanctl method auto\" "
            + "confirms it, \"adhanctl method \(was)\" goes back"
    }
}
