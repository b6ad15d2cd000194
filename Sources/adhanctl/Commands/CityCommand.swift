import ArgumentParser
import CommandKit
import Host
import Maintenance
import Places

struct City: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "city",
        abstract: "Finds a town: its coordinates and time zone.",
        usage: """
            adhanctl city <text> ... [--limit <n>] [--json]
            adhanctl city --near <point> [--limit <n>] [--json]
            """,
        discussion: """
            Searches a list of some 26,000 towns that adhanctl carries, without a network, by the beginning of any word of their \
            names, in local and foreign spellings: "kuala l", مكة, Köln or Cologne, Firenze, 東京. The country, state or \
            province may follow: "cordoba, spain", "london ontario", "dearborn mi".

            The places are GeoNames' (geonames.org), licensed CC BY 4.0. For a smaller place take the nearest town, or \
            coordinates from any map.
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The name, or its beginning.")
    var text: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The towns nearest to a point instead: 40.7282,-73.7949, 52°31'N 13°24'E, or a map's address.",
            valueName: "point"))
    var near: String?

    @Option(
        help: ArgumentHelp("At most this many, 1 to 1000 (default: 10, or 1 with --near).", valueName: "n"))
    var limit: Int?

    func validate() throws {
        if let limit, !(1...1000).contains(limit) {
            throw ValidationError("--limit must be a whole number from 1 to 1000, not \(limit)")
        }
        if near == nil, text.allSatisfy({ $0.allSatisfy(\.isWhitespace) }) {
            throw ValidationError("name a town, as in adhanctl city \"kuala l\"")
        }
        if near != nil, !text.isEmpty { throw ValidationError("a name and --near exclude each other") }
    }

    func run() throws {
        let gazetteer = Gazetteer.embedded
        let places: [CityDocument]
        if let near {
            places = try nearest(near, gazetteer)
        } else {
            let name = text.joined(separator: " ")
            places = gazetteer.matches(name, limit: limit ?? 10).map { CityDocument($0.place) }
            if places.isEmpty { throw refusal(name, gazetteer) }
        }
        try global.output.show(CitiesDocument(places: places)) { CityText.render(places, $0) }
    }

    private func refusal(_ name: String, _ gazetteer: Gazetteer) -> CommandError {
        if case .point = PointText(name) {
            return CommandError(.usage, "these are coordinates; \"--near\" finds the towns nearest to them")
        }
        return CommandError(.failed, NoSuchTown.sentence(name, gazetteer))
    }

    private func nearest(_ point: String, _ gazetteer: Gazetteer) throws(CommandError) -> [CityDocument] {
        switch PointText(point, isPoint: true) {
        case .point(let latitude, let longitude):
            let found = gazetteer.nearest(latitude: latitude, longitude: longitude, limit: limit ?? 1) ?? []
            return found.map { CityDocument($0.place, distanceKm: $0.kilometres) }
        case .fault(let sentence): throw CommandError(.usage, "--near: \(sentence)")
        case .other:
            throw CommandError(
                .usage,
                "--near must be coordinates, such as 40.7282,-73.7949, or a map's address, not \"\(point)\"")
        }
    }
}
