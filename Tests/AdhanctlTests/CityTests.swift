import Foundation
import Places
import Testing
import Texts

@Suite("City")
struct CityTests {
    @Test("A town is printed with its country, coordinates and zone")
    func table() throws {
        let outcome = try Adhanctl().run(["city", "kuala l", "--limit", "1"])
        #expect(
            outcome
                == .init(
                    status: 0, output: "Kuala Lumpur  Malaysia  3.1412  101.6865  Asia/Kuala_Lumpur\n",
                    error: ""))
    }

    @Test("With --json the towns are one document")
    func json() throws {
        let outcome = try Adhanctl().run(["--json", "city", "queens,", "new", "york"])
        let towns = try JSON.decode(CitiesDocument.self, from: Array(outcome.output.utf8)).places
        #expect(towns.first?.name == "Queens")
        #expect(towns.first?.region == "New York")
        #expect(towns.first?.timezone == "America/New_York")
        #expect(outcome.output.contains("\"distanceKm\":null"))
    }

    @Test("A town whose country people do not agree on stands alone")
    func alone() throws {
        let text = try Adhanctl().run(["city", "Al Quds"]).output
        #expect(text.hasPrefix("Jerusalem  ") && !text.contains("Israel") && !text.contains("Al Quds"))
        #expect(!(try Adhanctl().run("city kazan").output.contains("Respublika")))
    }

    @Test("Nothing found is one sentence with what was probably meant, and status 1")
    func nothing() throws {
        #expect(
            try Adhanctl().run("city istnbul")
                == .init(
                    status: 1, output: "",
                    error:
                        "adhanctl: no town in the list is called \"istnbul\"; did you mean Istanbul, Turkey?\n"
                ))
        #expect(try Adhanctl().run(["--json", "city", "qqxzwv"]).status == 1)
    }

    @Test("The town nearest to a point, with its distance")
    func near() throws {
        let outcome = try Adhanctl().run(["city", "--near", "-33.87,151.21"])
        #expect(outcome.output.hasPrefix("Sydney"))
        #expect(outcome.output.contains("Australia/Sydney"))
        #expect(outcome.output.hasSuffix(" km away\n"))
        let sea = try Adhanctl().run(["city", "--near", "33 52 S 140 0 W"])
        #expect(sea.output.contains(" km from the centre of "), "\(sea.output)")
    }

    @Test("A town of two clocks says so")
    func clocks() throws {
        let outcome = try Adhanctl().run(["city", "Kashgar"])
        #expect(
            outcome.output.contains("Asia/Shanghai") && outcome.output.contains("Asia/Urumqi"),
            "\(outcome.output)")
    }

    @Test(
        "What cannot be asked is wrong usage",
        arguments: [
            ["city"], ["city", " "], ["city", "--near", "91,0"], ["city", "--near", "1"],
            ["city", "x", "--near", "1,1"],
            ["city", "x", "--limit", "0"],
        ])
    func usage(arguments: [String]) throws {
        let outcome = try Adhanctl().run(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(outcome.error.split(separator: "\n").count == 1, "\(outcome.error)")
    }
}
