import BoxSupport
import Places
import Testing

@Suite("Gazetteer")
struct GazetteerTests {
    @Test(
        "A town is found by its local, English and older names, however they are typed",
        arguments: [
            ("kuala l", "Kuala Lumpur", "MY"), ("KUALA LUMPUR", "Kuala Lumpur", "MY"),
            ("مكة", "Makkah", "SA"), ("مَكَّة", "Makkah", "SA"), ("مكه", "Makkah", "SA"),
            ("mecca", "Makkah", "SA"),
            ("Köln", "Köln", "DE"), ("Ko\u{308}ln", "Köln", "DE"), ("Koln", "Köln", "DE"),
            ("koeln", "Köln", "DE"),
            ("Cologne", "Köln", "DE"), ("new york", "New York City", "US"), ("Queens", "Queens", "US"),
            ("istanbul", "Istanbul", "TR"), ("İstanbul", "Istanbul", "TR"), ("ISTANBUL", "Istanbul", "TR"),
            ("İSTANBUL", "Istanbul", "TR"), ("東京", "Tokyo", "JP"), ("서울", "Seoul", "KR"),
            ("Москва", "Moscow", "RU"),
            ("МОСКВА", "Moscow", "RU"), ("Αθήνα", "Athens", "GR"), ("ΑΘΗΝΑ", "Athens", "GR"),
            ("ירושלים", "Jerusalem", "IL"),
            ("القدس", "Jerusalem", "IL"), ("লন্ডন", "London", "GB"), ("لندن", "London", "GB"),
            ("کراچی", "Karachi", "PK"),
            ("كراتشي", "Karachi", "PK"), ("jeddah", "Jeddah", "SA"), ("Djeddah", "Jeddah", "SA"),
            ("  saint-étienne ", "Saint-Étienne", "FR"), ("st. louis", "St. Louis", "US"),
            ("ढाका", "Dhaka", "BD"),
        ])
    func found(text: String, name: String, country: String) throws {
        let first = try #require(try Embedded.gazetteer().matches(text).first)
        #expect(first.place.name == name)
        #expect(first.place.countryCode == country)
    }

    @Test("A whole name goes before a beginning, a beginning before a word, and among equals the larger town")
    func order() throws {
        let matches = try Embedded.gazetteer().matches("york")
        #expect(matches.map(\.kind) == matches.map(\.kind).sorted())
        #expect(matches.first?.place.described == "York, England, United Kingdom")
        let word = try #require(try Embedded.gazetteer().matches("lumpur").first)
        #expect(word.kind == .word && word.place.name == "Kuala Lumpur")
        for kind in [Gazetteer.MatchKind.whole, .beginning, .word] {
            let ranks = matches.filter { $0.kind == kind }.map(\.place.rank)
            #expect(ranks == ranks.sorted())
        }
        #expect(Set(matches.map(\.place.rank)).count == matches.count)
        #expect(try Embedded.gazetteer().matches("york", limit: 3) == Array(matches.prefix(3)))
    }

    @Test(
        "After a comma stands a country or a state, in words or as a code",
        arguments: [
            ("cordoba, spain", "Córdoba, Andalucía, Spain"), ("cordoba, ar", "Córdoba, Argentina"),
            ("Springfield, Illinois", "Springfield, Illinois, United States"),
            ("springfield,mass", "Springfield, Massachusetts, United States"),
        ])
    func area(text: String, described: String) throws {
        #expect(try Embedded.gazetteer().matches(text).first?.place.described == described)
    }

    @Test(
        "A town is found by what people there or elsewhere call it, and with what they put behind it",
        arguments: [
            ("Göteborg", "Gothenburg, Västra Götalands län, Sweden"), ("Firenze", "Florence"),
            ("Den Haag", "The Hague"),
            ("'s-Gravenhage", "The Hague"), ("NYC", "New York City"), ("berlin germany", "Berlin"),
            ("berlin deutschland", "Berlin"), ("dearborn mi", "Dearborn, Michigan"),
            ("dearborn mi usa", "Dearborn, Michigan"), ("London, Ontario", "London, Ontario, Canada"),
            ("london on", "London, Ontario, Canada"), ("london uk", "London, England"), ("Anvers", "Antwerp"),
            ("Lamu", "Lamu, Kenya"), ("Bodø", "Bodø"), ("Narvik", "Narvik"), ("Harstad", "Harstad"),
            ("Alta, Norway", "Alta"),
            ("Kiruna", "Kiruna"), ("Gällivare", "Gällivare"), ("Hammerfest", "Hammerfest"),
            ("القاهرة، مصر", "Cairo"), ("san jose ca", "San Jose, California"),
        ])
    func everyday(text: String, described: String) throws {
        let first = try #require(try Embedded.gazetteer().matches(text).first)
        #expect(first.kind == .whole)
        #expect(first.place.described.hasPrefix(described), "\(first.place.described)")
    }

    @Test("A whole name is not followed by towns that only begin like it, nor by nicknames of others")
    func noise() throws {
        let gazetteer = try Embedded.gazetteer()
        #expect(gazetteer.matches("Lamu").allSatisfy { $0.place.name != "Bang Lamung" })
        #expect(gazetteer.matches("new york").allSatisfy { $0.place.name != "Jakarta" })
    }

    @Test(
        "Above 60° north every town is there that has 5,000 people",
        arguments: [(67.85, 20.22), (69.97, 23.27)])
    func north(latitude: Double, longitude: Double) throws {
        let near = try #require(try Embedded.gazetteer().nearest(latitude: latitude, longitude: longitude))
        #expect(near.kilometres < 3)
    }

    @Test(
        "Xinjiang's towns use the clocks that are shown there, and the other one is mentioned",
        arguments: ["Kashgar", "Ürümqi"])
    func xinjiang(name: String) throws {
        let place = try #require(try Embedded.gazetteer().matches(name).first).place
        #expect(place.timezone == "Asia/Shanghai")
        #expect(place.secondClock?.timezone == "Asia/Urumqi")
    }

    @Test("No two places that are listed under one name read the same")
    func distinctNames() throws {
        let gazetteer = try Embedded.gazetteer()
        var seen: [String: Int] = [:]
        for rank in 0..<gazetteer.count { seen[gazetteer.place(rank).described, default: 0] += 1 }
        let alike = seen.filter { $0.value > 1 }.map(\.key).sorted()
        #expect(alike.isEmpty, "\(alike)")
    }

    @Test(
        "A name means one town where it is plain which, and several where it is not",
        arguments: [
            ("Istanbul", "Istanbul, Turkey"), ("Berlin", "Berlin, Germany"), ("Springfield", nil),
            ("London", nil),
            ("london ontario", "London, Ontario, Canada"), ("kuala l", nil),
            ("kuala lump", "Kuala Lumpur, Malaysia"),
            ("Queens", "Queens, New York, United States"), ("Hyderabad", nil),
            ("مكة", "Makkah, Saudi Arabia"),
        ] as [(String, String?)])
    func meant(text: String, described: String?) throws {
        switch TownMeant(text, try Embedded.gazetteer()) {
        case .one(let town): #expect(town.described == described)
        case .several(let towns): #expect(described == nil && towns.count > 1, "\(towns.map(\.described))")
        case .none: Issue.record("nothing found")
        }
    }

    @Test(
        "Postal codes and districts are refused with the town that was probably meant",
        arguments: [
            ("10115 Berlin", "type \"Berlin\""), ("London E1", "type \"London\""),
            ("SW1A 1AA", "type the town's name"),
            ("90210", "type the town's name"),
        ])
    func postal(text: String, advice: String) throws {
        let gazetteer = try Embedded.gazetteer()
        #expect(TownMeant(text, gazetteer) == .none)
        #expect(
            NoSuchTown.sentence(text, gazetteer).contains(advice), "\(NoSuchTown.sentence(text, gazetteer))")
    }

    @Test(
        "A slip of the finger is understood when nothing else is",
        arguments: [
            ("istnbul", "Istanbul"), ("Instanbul", "Istanbul"), ("birmingam", "Birmingham"),
            ("Тшкент", "Tashkent"),
            ("Kuala Lumpr", "Kuala Lumpur"), ("casablanka, morocco", "Casablanca"),
        ])
    func slip(text: String, meant: String) throws {
        #expect(try Embedded.gazetteer().nearestName(to: text)?.name == meant)
    }

    @Test(
        "What is no name finds nothing",
        arguments: ["", " ", "!?", "-", "qqxzwv", "\u{301}", "💡", ","])
    func nothing(text: String) throws {
        #expect(try Embedded.gazetteer().matches(text).isEmpty)
        if text != "qqxzwv" { #expect(try Embedded.gazetteer().nearestName(to: text) == nil) }
    }

    @Test(
        "Towns have their heights above the sea, within what a town's slopes allow",
        arguments: [
            ("Ouarzazate", 1060...1200.0), ("Mexico City", 2150...2350), ("La Paz, Bolivia", 3400...4000),
            ("Jakarta", 0...60), ("Tunis", 0...60), ("Siliana", 380...480), ("Amsterdam", 0...20),
        ])
    func heights(name: String, metres: ClosedRange<Double>) throws {
        let gazetteer = try Embedded.gazetteer()
        let town = try #require(gazetteer.matches(name).first).place
        #expect(metres.contains(town.elevationMetres), "\(town.described): \(town.elevationMetres)")
        #expect(
            gazetteer.elevation(latitude: town.latitude, longitude: town.longitude) == town.elevationMetres)
    }

    @Test("Nearly every town has a height, and the sea has none")
    func height() throws {
        let gazetteer = try Embedded.gazetteer()
        let heights = (0..<gazetteer.count).map { gazetteer.place($0).elevationMetres }
        #expect(heights.allSatisfy { (0...5500).contains($0) })
        #expect(heights.count { $0 == 0 } * 30 < heights.count)
        #expect(gazetteer.elevation(latitude: 30, longitude: -40) == 0)
    }

    @Test("Every one of at least 25,000 places is whole, and known to the search by its own name")
    func whole() throws {
        let gazetteer = try Embedded.gazetteer()
        #expect(gazetteer.count >= 25_000)
        #expect(Embedded.bytes.count <= 1_300_000)
        for rank in 0..<gazetteer.count {
            let place = gazetteer.place(rank)
            #expect(!place.name.isEmpty && place.countryCode.utf8.count == 2 && !place.country.isEmpty)
            #expect((-90...90).contains(place.latitude) && (-180...180).contains(place.longitude))
            #expect(place.timezone.contains("/"))
        }
        // All of them would take a minute; every 331st stands for the rest.
        for rank in stride(from: 0, to: gazetteer.count, by: 331) {
            let name = gazetteer.place(rank).name
            #expect(
                gazetteer.matches(name).contains { $0.place.rank == rank && $0.kind == .whole }, "\(name)")
        }
    }

    @Test(
        "The nearest town tells the zone of a point, across the date line and at the poles too",
        arguments: [
            (40.7282, -73.7949, "America/New_York"), (21.42, 39.83, "Asia/Riyadh"),
            (-36.85, 174.76, "Pacific/Auckland"),
            (-16.8, 179.99, "Pacific/Fiji"), (-16.8, -179.99, "Pacific/Fiji"),
            (78.22, 15.63, "Arctic/Longyearbyen"),
        ])
    func nearest(latitude: Double, longitude: Double, zone: String) throws {
        let found = try #require(try Embedded.gazetteer().nearest(latitude: latitude, longitude: longitude))
        #expect(found.place.timezone == zone)
        #expect(found.kilometres < 250)
    }

    @Test(
        "A point is called after its city rather than after a district of it, and never after one in another country",
        arguments: [
            (40.7282, -73.7949, "Queens", "US"), (52.52, 13.405, "Berlin", "DE"),
            (42.3, -83.05, "Windsor", "CA"),
            (67.85, 20.22, "Kiruna", "SE"),
        ])
    func namesake(latitude: Double, longitude: Double, name: String, country: String) throws {
        let found = try #require(try Embedded.gazetteer().namesake(latitude: latitude, longitude: longitude))
        #expect(found.place.name == name && found.place.countryCode == country, "\(found)")
    }

    @Test("The distance is the great circle's, and what is no point has no nearest town")
    func distance() throws {
        let gazetteer = try Embedded.gazetteer()
        // Makkah's place itself moved a degree north: 6371.0008 km × π/180.
        let makkah = try #require(gazetteer.matches("مكة").first).place
        let near = try #require(
            gazetteer.nearest(latitude: makkah.latitude, longitude: makkah.longitude, limit: 3))
        #expect(near[0].place == makkah && near[0].kilometres < 0.001)
        #expect(near[1].kilometres <= near[2].kilometres)
        #expect(gazetteer.nearest(latitude: 90, longitude: 0) != nil)
        #expect(gazetteer.nearest(latitude: 91, longitude: 0) == nil)
        #expect(gazetteer.nearest(latitude: .nan, longitude: 0) == nil)
    }

    @Test("Countries are known by their codes")
    func countries() throws {
        let gazetteer = try Embedded.gazetteer()
        #expect(gazetteer.country("MY") == "Malaysia")
        #expect(gazetteer.country("XX") == nil)
        #expect(gazetteer.country("") == nil)
    }

    @Test(
        "Bytes that are no list, or only a part of one, are refused", arguments: [0, 7, 50, 1000, 800_000])
    func damaged(length: Int) {
        #expect(throws: GazetteerError.self) { try Gazetteer(bytes: Array(Embedded.bytes.prefix(length))) }
    }
}
