import PrayerEngine
import Texts

/// The town that a name means, decided without a question: the rule of `setup --yes` and of `--city`.
package enum TownMeant: Sendable, Equatable {
    case one(GazetteerPlace)
    /// Several towns may be meant, the likeliest first.
    case several([GazetteerPlace])
    case none

    /// The most towns that are listed to choose from.
    package static let most = 8

    /// A whole name means the town that has it. Of several, it means the one with fifty times the population of the next, or
    /// the one of which the others are parts. The beginning of a name means a town if there is only one.
    package init(_ text: String, _ gazetteer: Gazetteer) {
        let matches = gazetteer.matches(text)
        let whole = matches.filter { $0.kind == .whole }.map(\.place)
        let places = whole.isEmpty ? matches.map(\.place) : whole
        guard let first = places.first else {
            self = .none
            return
        }
        let others = places.dropFirst().filter { other in
            whole.isEmpty || !first.dwarfs(other) && !Self.isPart(other, of: first)
        }
        self = others.isEmpty ? .one(first) : .several([first] + others.prefix(Self.most - 1))
    }

    /// The distance in kilometres within which a smaller town of the same name is part of the larger one.
    private static let nearbyKilometres = 20.0

    private static func isPart(_ part: GazetteerPlace, of town: GazetteerPlace) -> Bool {
        part.countryCode == town.countryCode
            && GreatCircle.kilometres(
                from: (part.latitude, part.longitude), to: (town.latitude, town.longitude)) < nearbyKilometres
    }
}

/// The refusal of a name that no town has.
package enum NoSuchTown {
    /// The sentence that there is no such town, with the one that was probably meant.
    package static func sentence(_ name: String, _ gazetteer: Gazetteer) -> String {
        if name.contains(where: \.isNumber) { return postal(name, gazetteer) }
        let near = gazetteer.nearestName(to: name)
        return "no town in the list is called \"\(name)\"; "
            + (near.map { "did you mean \($0.described)?" }
                ?? "take the nearest larger town, or coordinates from a map")
    }

    /// The town in a text with a postal code: `10115 Berlin`, `London E1`, `SW1A 1AA`
    private static func postal(_ text: String, _ gazetteer: Gazetteer) -> String {
        let sentence = "the list has towns, but no postal codes and no districts with numbers"
        let name = text.split(separator: " ").filter { !$0.contains(where: \.isNumber) }.joined(
            separator: " ")
        // Nothing is left of "SW1A 1AA", but "H3Z 2Y7, Montreal" leaves the town.
        let town = gazetteer.matches(name.trimming { $0 == "," || $0 == " " }, limit: 1).first
        guard let town, town.kind == .whole else {
            if text.contains(","), !text.contains(where: \.isLetter) {
                return
                    "\"\(text)\" is not a town; coordinates are written as degrees with decimals, such as 52.52, 13.405"
            }
            return "\(sentence), and so not \"\(text)\"; type the town's name, or coordinates from a map"
        }
        return
            "\(sentence); for \"\(text)\" type \"\(town.place.name)\" (times hardly differ within a town), or coordinates"
    }

    /// The sentence that the name may be any of these towns, with the way to name one.
    package static func several(_ name: String, _ towns: [GazetteerPlace]) -> String {
        let list = towns.map(\.described).joined(separator: "; ")
        return "\"\(name)\" could be \(list)\(towns.count == TownMeant.most ? "; or others" : ""); "
            + "write the region or country behind it, such as \"\(towns[0].described)\", or take coordinates"
    }
}
