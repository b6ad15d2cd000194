import Testing

@testable import Places

@Suite("Points as people write them")
struct PointTextTests {
    @Test(
        "Coordinates are understood in every usual way",
        arguments: [
            "52.52, 13.405", "52.52 13.405", "52.52,13.405", "52,52 13,405", "52,52; 13,405", "52,52, 13,405",
            "52,52,13,405", "52.52N 13.405E", "N52.52 E13.405", "13.405 E, 52.52 N", "52°31.2'N 13°24.3'E",
            "52°31′12″N 13°24′18″E", "52 31 12 N, 13 24 18 E", "52 31.2 13 24.3", "52° 31' 12\" 13° 24' 18\"",
            "52d31m12s N 13d24m18s E", "(52.52, 13.405)", "lat 52.52 lon 13.405", "+52.52 +13.405",
            "latitude: 52.52, longitude: 13.405", "٥٢٫٥٢، ١٣٫٤٠٥", "52º31'12''N 13º24'18''E",
            "52.52° N, 13.405° E",
            "geo:52.52,13.405", "geo:52.52,13.405;u=35", "geo:0,0?q=52.52,13.405(Mosque)",
            "https://www.google.com/maps/@52.52,13.405,15z", "https://www.google.com/maps?q=52.52,13.405",
            "https://www.google.com/maps/place/Berlin/@52.50,13.40,17z/data=!3m1!4b1!8m2!3d52.52!4d13.405",
            "https://www.openstreetmap.org/#map=15/52.52/13.405",
            "https://www.openstreetmap.org/?mlat=52.52&mlon=13.405#map=15/52.1/13.1",
            "https://maps.apple.com/?ll=52.52,13.405&q=Mosque", "https://waze.com/ul?ll=52.52%2C13.405",
            "https://osmand.net/map?pin=52.52,13.405#15/52.5/13.4",
            "https://yandex.com/maps/?ll=13.405%2C52.52&z=12",
            "https://www.bing.com/maps?cp=52.52~13.405", "https://www.google.com/maps/search/52.52,+13.405",
        ])
    func understood(text: String) {
        guard case .point(let latitude, let longitude) = PointText(text) else {
            Issue.record("\(text): \(PointText(text))")
            return
        }
        #expect(abs(latitude - 52.52) < 1e-6 && abs(longitude - 13.405) < 1e-6, "\(latitude) \(longitude)")
    }

    @Test(
        "South and west are negative",
        arguments: [
            "33 52 12 S 151 12 36 W", "-33.87, -151.21", "33.87S 151.21W", "S 33.87 W 151.21",
            "−33.87 −151.21",
        ])
    func negative(text: String) {
        guard case .point(let latitude, let longitude) = PointText(text) else {
            Issue.record("\(text): \(PointText(text))")
            return
        }
        #expect(abs(latitude + 33.87) < 1e-6 && abs(longitude + 151.21) < 1e-6, "\(latitude) \(longitude)")
    }

    @Test(
        "What was meant for a point and is none says why",
        arguments: [
            ("95, 10", "did you mean 10.0000, 95.0000?"), ("101.68, 3.14", "did you mean 3.1400, 101.6800?"),
            ("95, 200", "not a place on Earth"), ("52,13", "one number or two"),
            ("52 75 0 N 13 0 0 E", "below 60"),
            ("52.5N 13.4N", "north or south"), ("-52.5S 13.4E", "same twice"),
            ("48.85N 2.35O", "write W or E"),
            ("1 2 3", "latitude and a longitude"), ("https://maps.app.goo.gl/AbCd", "short link"),
            ("https://www.google.com/maps/place/Berlin", "no coordinates"),
        ])
    func faults(text: String, words: String) {
        guard case .fault(let sentence) = PointText(text) else {
            Issue.record("\(text): \(PointText(text))")
            return
        }
        #expect(sentence.contains(words), "\(sentence)")
    }

    @Test("Where only a point can be meant, whole degrees with a comma are two numbers")
    func wholeDegrees() {
        #expect(PointText("70,20", isPoint: true) == .point(latitude: 70, longitude: 20))
    }

    @Test(
        "Names are no points",
        arguments: [
            "Berlin", "10115", "SW1A 1AA", "London E1", "6th of October City", "", "N", "St. Louis",
            "10115 Berlin", "°",
        ])
    func names(text: String) {
        #expect(PointText(text) == .other)
    }

    @Test("Whatever is typed, it is read to an answer")
    func anything() {
        let pieces = [
            "5", "-", ".", ",", "°", "'", "\"", "N", "W", "o", " ", "@", "geo:", "://", "%2", "!3d", "é",
            "1e9", "/",
        ]
        var state: UInt64 = 7
        for _ in 0..<5_000 {
            var text = ""
            for _ in 0..<8 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                text += pieces[Int(state >> 33) % pieces.count]
            }
            if case .point(let latitude, let longitude) = PointText(text) {
                #expect(abs(latitude) <= 90 && abs(longitude) <= 180, "\(text)")
            }
        }
    }
}
