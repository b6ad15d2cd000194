import Testing

@testable import Texts

struct ZonePlacesTests {
    private let places = ZonePlaces(
        zoneTab: Array(
            """
            # comment\twith\ttabs
            US\t+404251-0740023\tAmerica/New_York\tEastern (most areas)
            AR\t-3436-05827\tAmerica/Argentina/Buenos_Aires
            HT\t+1832-07220\tAmerica/Port-au-Prince
            NO\t+5955+01045\tEurope/Oslo
            XX\tbroken\tEurope/Broken

            """.utf8),
        zone1970Tab: Array(
            "DE,DK,NO,SE,SJ\t+5230+01322\tEurope/Berlin\tmost of Germany\nIN\t+2232+08822\tAsia/Kolkata\n"
                .utf8),
        rules: Array(
            """
            # version 2025b
            L America/New_York US/Eastern
            Link Asia/Kolkata Asia/Calcutta
            L US/Eastern Old/Old
            L A/B B/A
            L B/A A/B
            """.utf8))

    @Test(
        "A zone's place, with seconds of arc where the table has them",
        arguments: [
            ("America/New_York", "New York US", 40.714_167, -74.006_389),
            ("America/Argentina/Buenos_Aires", "Buenos Aires AR", -34.6, -58.45),
            ("America/Port-au-Prince", "Port-au-Prince HT", 18.533_333, -72.333_333),
            ("Europe/Berlin", "Berlin DE", 52.5, 13.366_667),
            ("US/Eastern", "New York US", 40.714_167, -74.006_389),
            ("Old/Old", "New York US", 40.714_167, -74.006_389),
            ("Asia/Calcutta", "Kolkata IN", 22.533_333, 88.366_667),
            ("posix/Europe/Oslo", "Oslo NO", 59.916_667, 10.75),
        ] as [(String, String, Double, Double)])
    func place(_ zone: String, _ name: String, _ latitude: Double, _ longitude: Double) throws {
        let place = try #require(places.place(of: zone))
        #expect("\(place.name) \(place.country)" == name)
        #expect(abs(place.latitude - latitude) < 1e-6)
        #expect(abs(place.longitude - longitude) < 1e-6)
    }

    @Test(
        "Universal time stands for its meridian, and says that it names no place",
        arguments: ["UTC", "Etc/UTC"])
    func universal(_ zone: String) throws {
        let place = try #require(places.place(of: zone))
        #expect(place.longitude == 0 && place.name.contains("is not a place"))
    }

    @Test(
        "What belongs to no place has none",
        arguments: ["Europe/Broken", "A/B", "", "Etc/GMT+5"])
    func noPlace(_ zone: String) {
        #expect(places.place(of: zone) == nil)
    }

    @Test(
        "Coordinates are read in both lengths, and nothing else is",
        arguments: [
            ("+404251-0740023", true), ("-3436-05827", true), ("+9000+18000", true), ("+9001+00000", false),
            ("+0000+18001", false), ("+4060+00000", false), ("404251-0740023", false), ("+40-074", false),
            ("+4042-0740023x", false), ("", false), ("+", false), ("+٤٠٤٢-07400", false),
        ])
    func coordinates(_ text: String, _ isValid: Bool) {
        #expect((ZonePlaces.coordinates(text[...]) != nil) == isValid)
    }

    @Test(
        "A zone that is nearly named is found",
        arguments: [
            ("America/New_Yrok", "America/New_York"), ("new york", "America/New_York"),
            ("europe/oslo", "Europe/Oslo"),
            ("Oslo", "Europe/Oslo"), ("Mars/Base", nil),
        ] as [(String, String?)])
    func nearest(_ text: String, _ zone: String?) {
        #expect(places.nearest(to: text) == zone)
    }

    @Test(
        "A zone's name leads nowhere else",
        arguments: [
            ("Etc/GMT+5", true), ("America/Port-au-Prince", true), ("UTC", true), ("../x", false),
            ("/etc", false),
            ("a//b", false), ("a/", false), ("a b", false), ("", false), ("a/./b", false),
        ])
    func names(_ name: String, _ isName: Bool) {
        #expect(ZonePlaces.isName(name) == isName)
    }
}
