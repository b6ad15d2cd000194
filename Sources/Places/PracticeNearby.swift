import PrayerEngine
package import Settings

extension CalculationSettings {
    /// The settings with a method and a calendar. Where the configuration names none, they follow the practice of the place, as
    /// do Asr and the rule for short nights unless these are configured.
    ///
    /// - Parameters:
    ///   - point: latitude and longitude; `nil` if the place is unknown.
    ///   - zone: the IANA name of the time zone in force, which shows on which side of a border a place lies.
    package func practised(
        at point: (latitude: Double, longitude: Double)?, zone: String, _ gazetteer: Gazetteer
    ) -> (settings: CalculationSettings, choice: MethodChoice) {
        let isAutomatic = method == Self.automatic
        var (settings, choice) = (self, MethodChoice(isOption ? .option : .configuration))
        guard isAutomatic || hijriRule == nil || hijriRule == .mabims else { return (settings, choice) }
        let near = point.flatMap {
            PracticeNearby(latitude: $0.latitude, longitude: $0.longitude, zone, gazetteer)
        }
        // An authority's zone is in that authority's country, wherever the configured place is.
        let country = zoneOwner.flatMap { CountryPractice.country(of: $0) } ?? near?.country
        // MABIMS' criterion is applied as the place's country applies it.
        if hijriRule == .mabims, let countryRule = country.flatMap(HijriRule.init(country:)),
            countryRule.name == HijriRule.mabims.name
        {
            settings.hijriRule = countryRule
        }
        if hijriRule == nil {
            settings.hijriRule = country.flatMap(HijriRule.init(country:)) ?? .ummAlQura
            choice.calendar = .place
        }
        guard isAutomatic else { return (settings, choice) }
        choice.chooser = .place
        settings.method = zoneOwner?.name ?? near?.practice.method ?? MethodChoice.generic
        guard let near, near.practice.method == settings.method else { return (settings, choice) }
        settings.asr = asr ?? near.practice.asr
        settings.highLatitude = highLatitude ?? near.practice.highLatitude
        choice.place = near.place
        choice.neighbour = near.neighbour
        return (settings, choice)
    }
}

/// The practice of the country in which a point lies, determined by the towns around it.
struct PracticeNearby {
    let practice: CountryPractice
    /// ISO 3166-1 alpha-2.
    let country: String
    let place: String
    let neighbour: MethodChoice.Neighbour?

    /// The distance in kilometres beyond which a point far from every town is sea or empty land, unless a town shares its zone.
    private static let reachKilometres = 300.0
    /// The distance in kilometres up to which a town in the same time zone determines the country: the southernmost Maldives are
    /// 540 km from Male.
    private static let zoneReachKilometres = 1000.0
    /// The extra distance in kilometres within which another country's town counts as near as well.
    private static let borderKilometres = 15.0
    /// The extra distance in kilometres within which another country may still be the point's own, if its zone matches.
    private static let zoneBorderKilometres = 60.0

    init?(latitude: Double, longitude: Double, _ zone: String, _ gazetteer: Gazetteer) {
        let towns = gazetteer.nearest(latitude: latitude, longitude: longitude, limit: 60) ?? []
        let ofZone = towns.first { $0.place.timezone == zone && $0.kilometres <= Self.zoneReachKilometres }
        guard let nearest = towns.first.flatMap({ $0.kilometres <= Self.reachKilometres ? $0 : ofZone })
        else {
            return nil
        }
        let ownTown =
            towns.first {
                $0.kilometres <= nearest.kilometres + Self.zoneBorderKilometres && $0.place.timezone == zone
            }
            ?? nearest
        let practice = Self.practice(ownTown.place, (latitude, longitude))
        self.practice = practice
        country = ownTown.place.countryCode
        // Name the nearby town that most people know.
        let bestKnown = gazetteer.namesake(latitude: latitude, longitude: longitude)?.place
        let town =
            bestKnown?.countryCode == ownTown.place.countryCode ? bestKnown ?? ownTown.place : ownTown.place
        place = town.describedBriefly
        let other = towns.first {
            $0.kilometres <= nearest.kilometres + Self.borderKilometres
                && $0.place.countryCode != ownTown.place.countryCode
        }?.place
        neighbour = other.flatMap { other in
            let otherPractice = Self.practice(other, (latitude, longitude))
            guard otherPractice.method != practice.method, !other.isDisputed, !ownTown.place.isDisputed else {
                return nil
            }
            return MethodChoice.Neighbour(country: other.country, method: otherPractice.method)
        }
    }

    private static func practice(_ town: GazetteerPlace, _ point: (Double, Double)) -> CountryPractice {
        CountryPractice(code: town.countryCode, country: town.country, near: point)
    }
}

extension GazetteerPlace {
    /// `Queens, New York (United States)` or `Istanbul (Turkey)`
    var describedBriefly: String {
        guard !isDisputed, name != country else { return name }
        return label == "\(name), \(country)" ? "\(name) (\(country))" : "\(label) (\(country))"
    }
}
