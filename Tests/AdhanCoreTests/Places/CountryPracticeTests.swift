import Foundation
import PrayerEngine
import Testing

@testable import AdhanCore

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

    @Test("Where nothing is known the sentence says so", arguments: ["ZA", "NG", "BR", "XX"])
    func unknown(code: String) {
        let practice = CountryPractice(code: code, country: "Somewhere")
        #expect(practice.method == "mwl" && practice.asr == .standard)
        #expect(practice.methodReason.contains("no method of Somewhere's own is known here"))
        #expect(practice.methodReason.contains("ask your mosque"))
    }

    @Test("docs/METHODS.md shows the same table")
    func documented() throws {
        let file = URL(fileURLWithPath: #filePath).appending(path: "../../../../docs/METHODS.md").standardized
        let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
            $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }.filter { $0.count == 3 }
        let gazetteer = try Embedded.gazetteer()
        for code in Set(CountryPractice.methods.keys).union(CountryPractice.schools.keys) {
            let country = code == "TR" ? "Türkiye" : try #require(gazetteer.country(code))
            let practice = CountryPractice(code: code, country: country)
            let row = try #require(
                rows.first { $0[0].components(separatedBy: ", ").contains(country) }, "\(country)")
            #expect(row[1].hasPrefix("`\(practice.method)`"), "\(country)")
            #expect(row[2].hasPrefix(practice.asr.rawValue), "\(country)")
        }
    }
}
