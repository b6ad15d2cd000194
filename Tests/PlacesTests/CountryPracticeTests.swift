import BoxSupport
import Foundation
import PrayerEngine
import Testing

@testable import Places

@Suite("What is usual in a country")
struct CountryPracticeTests {
    @Test("Every method that is proposed exists, and every country too")
    func exist() throws {
        let gazetteer = try Embedded.gazetteer()
        let codes = Set(CountryPractice.methods.keys).union(CountryPractice.schools.keys)
            .union(CountryPractice.muslimWorldLeague)
        for code in codes { #expect(gazetteer.country(code) != nil, "\(code)") }
        for (method, _) in CountryPractice.methods.values { #expect(Method.named(method) != nil) }
        #expect(CountryPractice.muslimWorldLeague.isDisjoint(with: CountryPractice.methods.keys))
    }

    @Test("The proposal names its source")
    func source() {
        let practice = CountryPractice(code: "MY", country: "Malaysia")
        #expect(practice.method == "jakim" && practice.asr == .standard)
        #expect(practice.methodReason.contains("JAKIM"))
        #expect(CountryPractice(code: "PK", country: "Pakistan").asr == .hanafi)
    }

    @Test("Where nothing is known the sentence says so", arguments: ["ZA", "BR", "XX"])
    func unknown(code: String) {
        let practice = CountryPractice(code: code, country: "Somewhere")
        #expect(practice.method == "mwl" && practice.asr == .standard)
        #expect(practice.methodReason.contains("no method of Somewhere's own is known here"))
        #expect(practice.methodReason.contains("ask your mosque"))
    }

    @Test("London has its own timetable, the rest of Britain has not")
    func london() {
        let practice = { CountryPractice(code: "GB", country: "United Kingdom", near: $0) }
        #expect(practice((51.55, 0.07)).method == "london")
        #expect(practice((51.55, 0.07)).methodReason.contains("365 published days"))
        #expect(practice((52.48, -1.9)).method == "moonsighting")
        #expect(practice(nil).method == "moonsighting")
    }

    @Test("Tatarstan's towns have its own timetable, its neighbours' have Russia's")
    func tatarstan() throws {
        let gazetteer = try Embedded.gazetteer()
        var count = (inside: 0, outside: 0)
        for rank in 0..<gazetteer.count {
            let place = gazetteer.place(rank)
            guard place.countryCode == "RU" else { continue }
            let isTatar = place.region == "Tatarstan"
            let practice = CountryPractice(
                code: "RU", country: "Russia", near: (place.latitude, place.longitude))
            #expect((practice.method == "tatarstan") == isTatar, "\(place.described)")
            count = isTatar ? (count.inside + 1, count.outside) : (count.inside, count.outside + 1)
        }
        #expect(count.inside > 10 && count.outside > 500)
    }

    @Test("Where a ministry's own table was found it is proposed, where only towns' were, these")
    func printed() {
        for (code, method) in [
            ("LK", "sri-lanka"), ("MV", "maldives"), ("DZ", "algeria"), ("AE", "uae-printed"),
            ("OM", "oman-printed"), ("BH", "bahrain"), ("LY", "libya-printed"),
        ] { #expect(CountryPractice(code: code, country: "there").method == method) }
        #expect(CountryPractice(code: "AE", country: "there").methodReason.contains("inferred"))
    }

    @Test("The far north gets a rule of its own, with the reason")
    func highLatitudes() {
        let norway = CountryPractice(code: "NO", country: "Norway")
        #expect(
            norway.method == "mwl" && norway.highLatitude == .oneSeventh && norway.highLatitudeReason != nil)
        #expect(CountryPractice(code: "SE", country: "Sweden").highLatitude == .oneThird)
        let tromso = CountryPractice(code: "NO", country: "Norway", near: (69.65, 18.96))
        #expect(tromso.highLatitude == .auto && tromso.highLatitudeReason == nil)
        #expect(CountryPractice(code: "DE", country: "Germany").highLatitude == .auto)
    }
}
