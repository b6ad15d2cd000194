import AdhanCore
import ArgumentParser

struct City: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Finds a town: its coordinates and time zone.",
        usage: """
            adhanctl city <text> ... [--limit <n>] [--json]
            adhanctl city --near <lat,lon> [--limit <n>] [--json]
            """,
        discussion: """
            Searches a list of some 20,500 towns that adhanctl carries, without a network, by the beginning of any word of their \
            names, in local and foreign spellings: "kuala l", مكة, Köln or Cologne, 東京. The country or state may follow a \
            comma: "cordoba, spain".

            The places are GeoNames' (geonames.org), licensed CC BY 4.0. For a smaller place take the nearest town, or \
            coordinates from any map.
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The name, or its beginning.")
    var text: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The towns nearest to a point instead: degrees, north and east positive.",
            valueName: "lat,lon"))
    var near: String?

    @Option(help: ArgumentHelp("So many at most, 1 to 1000 (default: 10, or 1 with --near).", valueName: "n"))
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
        let gazetteer = try Gazetteer.embedded()
        let places: [CityDocument]
        if let near {
            places = try nearest(near, gazetteer)
        } else {
            let name = text.joined(separator: " ")
            places = gazetteer.matches(name, limit: limit ?? 10).map { CityDocument($0.place) }
            if places.isEmpty { throw Refusal(.failed, NoSuchTown.sentence(name, gazetteer)) }
        }
        try global.output.show(places) { CityText.render(places, $0) }
    }

    private func nearest(_ point: String, _ gazetteer: Gazetteer) throws(Refusal) -> [CityDocument] {
        let numbers = point.split(separator: ",").map { Double($0.filter { !$0.isWhitespace }) }
        guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1],
            let found = gazetteer.nearest(latitude: latitude, longitude: longitude, limit: limit ?? 1)
        else {
            throw Refusal(
                .usage,
                "--near must be a latitude from -90 to 90 and a longitude from -180 to 180 with a comma between, "
                    + "such as 40.7282,-73.7949, not \"\(point)\"")
        }
        return found.map { CityDocument($0.place, distanceKm: $0.kilometres) }
    }
}
