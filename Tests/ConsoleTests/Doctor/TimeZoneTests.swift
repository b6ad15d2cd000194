import BoxSupport
import PrayerEngine
import Protocol
import Testing

@testable import Console

/// Whether a box uses the clock of the place in its settings: the wrong hour is the commonest complaint.
@Suite("The time zone and the place")
struct TimeZoneTests {
    static let fitting: [(String, Double, Double, String)] = [
        ("Queens", 40.7282, -73.7949, "America/New_York"),
        ("Queens, by an old name", 40.7282, -73.7949, "US/Eastern"),
        ("London", 51.5194, -0.0657, "Europe/London"),

        ("Kashgar by its own", 39.47, 75.99, "Asia/Urumqi"), ("Vigo", 42.24, -8.72, "Europe/Madrid"),
        ("Mendoza", -32.89, -68.84, "America/Argentina/Mendoza"), ("Accra", 5.6, -0.19, "Africa/Accra"),
        ("Accra on UTC", 5.6, -0.19, "Etc/UTC"), ("Reykjavik on UTC", 64.15, -21.94, "Etc/UTC"),
        ("Kathmandu", 27.72, 85.32, "Asia/Kathmandu"), ("Apia", -13.83, -171.77, "Pacific/Apia"),
        ("Chatham", -43.95, -176.55, "Pacific/Chatham"), ("Adak", 51.88, -176.65, "America/Adak"),
        ("Nome", 64.5, -165.4, "America/Nome"), ("Mecca", 21.42, 39.83, "Asia/Riyadh"),
        ("Kuala Lumpur", 3.139, 101.69, "Asia/Kuala_Lumpur"), ("Perth", -31.95, 115.86, "Australia/Perth"),
        ("Kaliningrad", 54.71, 20.51, "Europe/Kaliningrad"),
        ("Cape Town", -33.92, 18.42, "Africa/Johannesburg"),
        ("Tromsø", 69.65, 18.96, "Europe/Oslo"), ("Longyearbyen", 78.22, 15.65, "Arctic/Longyearbyen"),
    ]

    @Test("A zone that fits is well", arguments: fitting)
    func fits(_ story: String, _ latitude: Double, _ longitude: Double, _ zone: String) throws {
        var patient = try Patient()
        patient.facts.locationFacts = try Patient.locationFacts(latitude, longitude, zone)
        let check = try patient.check(.timezone)
        #expect(check.verdict == .ok, "\(check)")
    }

    static let wrong: [(String, Double, Double, String, String, String)] = [
        (
            "the classic", 40.7282, -73.7949, "Etc/UTC", "America/New_York",
            "5 hours ahead of America/New_York (New York)"
        ),
        ("Riyadh on UTC", 24.71, 46.68, "UTC", "Asia/Riyadh", "3 hours behind Asia/Riyadh"),
        ("Lagos on UTC", 6.45, 3.39, "Etc/UTC", "Africa/Lagos", "1 hour behind Africa/Lagos"),
        ("Kuala Lumpur by London", 3.139, 101.69, "Europe/London", "Asia/Kuala_Lumpur", "8 hours behind"),
        ("Kathmandu by Sydney", 27.72, 85.32, "Australia/Sydney", "Asia/Kathmandu", "5.25 hours ahead"),
    ]

    @Test("A zone that does not is a problem, with the one that does", arguments: wrong)
    func isWrong(
        _ story: String, _ latitude: Double, _ longitude: Double, _ zone: String, _ right: String,
        _ says: String
    ) throws {
        var patient = try Patient()
        patient.facts.locationFacts = try Patient.locationFacts(latitude, longitude, zone)
        let check = try patient.check(.timezone)
        #expect(check.verdict == .problem)
        #expect(check.fix == "sudo timedatectl set-timezone \(right)")
        #expect(check.message.contains(says), "\(check.message)")
    }

    @Test("Where two clocks are lived by, a person has to compare")
    func twoClocks() throws {
        var patient = try Patient()
        patient.facts.locationFacts = try Patient.locationFacts(39.47, 75.99, "Asia/Shanghai")
        let check = try patient.check(.timezone)
        #expect(check.verdict == .warning)
        #expect(check.message.contains("Compare the times with your mosque's"))
    }

    @Test("London on UTC looks right in winter and is not in summer")
    func winter() throws {
        var patient = try Patient()
        patient.facts.locationFacts = try Patient.locationFacts(51.5194, -0.0657, "Etc/UTC")
        let check = try patient.check(.timezone)
        #expect(check.verdict == .warning)
        #expect(check.fix == "sudo timedatectl set-timezone Europe/London")
        #expect(check.message.contains("today, but not all through the year"))
    }

    @Test("A longitude without its minus is recognised")
    func missingMinus() throws {
        var patient = try Patient()
        patient.facts.locationFacts = try Patient.locationFacts(40.7282, 73.7949, "America/New_York")
        let check = try patient.check(.timezone)
        #expect(check.verdict == .problem)
        #expect(check.fix == "sudoedit /etc/adhand/adhand.toml")
        #expect(check.message.contains("longitude 73.7949, but would fit -73.7949"))
    }

    @Test("A zone that the configuration names is mended there")
    func configured() throws {
        var patient = try Patient()
        patient.facts.locationFacts = try Patient.locationFacts(40.7282, -73.7949, "Europe/London")
        patient.facts.locationFacts?.zoneIsConfigured = true
        let check = try patient.check(.timezone)
        #expect(check.fix == "sudo adhanctl set timezone America/New_York")
    }

    @Test("Without tables of zones the Sun tells the grossest mistakes")
    func withoutTables() throws {
        var patient = try Patient()
        for (zone, verdict) in [("Etc/UTC", DoctorCheck.Verdict.problem), ("America/New_York", .ok)] {
            patient.facts.locationFacts = try Patient.locationFacts(40.7282, -73.7949, zone)
            patient.facts.locationFacts?.nearby = []
            patient.facts.locationFacts?.nearbyAcross = []
            #expect(try patient.check(.timezone).verdict == verdict)
        }
    }

    @Test("A box on UTC without a location keeps Greenwich's times, which are nobody's")
    func nowhere() throws {
        var patient = try Patient()
        patient.facts.locationFacts = try Patient.locationFacts(51.4772, 0, "Etc/UTC")
        patient.facts.locationFacts?.isApproximate = true
        let check = try patient.check(.timezone)
        #expect(check.verdict == .problem)
        #expect(check.fix == "sudo adhanctl setup")
    }

    @Test("A place that nobody set is one problem, also where the clock names none")
    func nowhereOnce() throws {
        var patient = try Patient()
        patient.facts.locationFacts = try Patient.locationFacts(51.4772, 0, "Etc/UTC")
        patient.facts.locationFacts?.isApproximate = true
        var status = try patient.status.document
        status.placeProblem = .init(code: "no-place", message: "no place is set", fix: "adhanctl setup")
        patient.facts.daemon = .answers(status)
        let problems = Doctor.examine(patient.facts).checks.filter { $0.verdict == .problem }
        #expect(problems.map(\.name) == [.location])
        #expect(problems.first?.fix == "sudo adhanctl setup")
        #expect(Doctor.examine(patient.facts).checks.first?.name == .service)
        status.awaiting = .place
        patient.facts.daemon = .answers(status)
        #expect(Doctor.examine(patient.facts).checks.first?.name == .location)
    }

    @Test("With a timetable a wrong zone calls every published time hours wrong")
    func published() throws {
        var patient = try Patient()
        patient.facts.locationFacts = try Patient.locationFacts(40.7282, -73.7949, "UTC")
        #expect(try patient.check(.timezone).message.contains("Times are shown by the wrong clock"))
        try patient.editStatus {
            $0.timetable = #"""
                {"days": 365, "everyYear": 0, "first": "2026-01-01", "last": "2026-12-31", "published": ["fajr"],
                 "missing": "compute", "warning": null, "problem": null}
                """#
        }
        #expect(try patient.check(.timezone).message.contains("publishes is called 5 hours too early"))
        // Two hours prove little by themselves, but a timetable is read by that clock.
        patient.facts.locationFacts = try Patient.locationFacts(24.71, 46.68, "Asia/Karachi")
        let near = try patient.check(.timezone)
        #expect(
            near.verdict == .problem && near.message.contains("publishes is called 2 hours too early"),
            "\(near)")
        try patient.editStatus { $0.timetable = "null" }
        #expect(try patient.check(.timezone).verdict == .warning)
    }

    @Test("A timetable that does not fit by a wrong clock is not to be removed: the zone is to be set right")
    func wrongClock() throws {
        var patient = try Patient()
        try patient.editStatus {
            $0.timetable = #"""
                {"days": 365, "everyYear": 0, "first": "2026-01-01", "last": "2026-12-31", "published": ["fajr"],
                 "missing": "compute", "warning": "the timetable does not fit Riyadh", "mismatch": "sun",
                 "problem": null}
                """#
        }
        let elsewhere = try patient.check(.timetable)
        #expect(elsewhere.verdict == .problem && elsewhere.fix == "sudo adhanctl timetable remove")
        patient.facts.locationFacts = try Patient.locationFacts(24.71, 46.68, "Asia/Karachi")
        let check = try patient.check(.timetable)
        #expect(
            check.verdict == .problem && check.fix == "sudo timedatectl set-timezone Asia/Riyadh",
            "\(check)")
        #expect(check.message.contains("set the time zone right first") && !check.message.contains("remove"))
    }

    @Test("What contradicts the prayers is a warning, told once")
    func mosqueTimes() throws {
        var patient = try Patient()
        #expect(try patient.check(.mosqueTimes).verdict == .ok)
        try patient.editStatus {
            $0.timetable = #"""
                {"days": 365, "everyYear": 0, "first": "2026-01-01", "last": "2026-12-31", "published": ["fajr"],
                 "missing": "compute", "warning": "the timetable does not fit Riyadh", "mismatch": "sun",
                 "problem": null}
                """#
        }
        patient.facts.mosqueProblems = ["the timetable does not fit Riyadh"]
        #expect(try patient.check(.mosqueTimes).verdict == .ok)
        patient.facts.mosqueProblems = ["asr's iqama is before its adhan all year", "b", "c", "d", "e"]
        let check = try patient.check(.mosqueTimes)
        #expect(check.verdict == .warning && check.fix == "sudo adhanctl check")
        #expect(check.message == "Asr's iqama is before its adhan all year. B. C. There are 2 more.")
        patient.facts.mosqueProblems = nil
        #expect(try patient.check(.mosqueTimes).verdict == .ok)
    }
}
