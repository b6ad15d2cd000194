import Settings
import Testing
import Texts

@testable import BridgePlan
@testable import Envelope

struct FleetAdmissionTests {
    private static func new(_ file: [UInt8] = [], org: String = "noor") -> FleetAdmission {
        var next: UInt8 = 0
        return FleetAdmission(org: org, fileBytes: file) {
            next &+= 7
            return next
        }
    }

    @Test
    func `A new box asks, waits, comes in, and comes by its own name after a restart`() throws {
        var box = Self.new()
        #expect(box.role == .applicant && box.standing == .asking)
        #expect(box.document.password.utf8.count == 64 && box.document.password.hasPrefix("070e15"))
        #expect(box.noteRequest() == 3 && box.role == .member && box.standing == .waiting)
        let news = box.cameIn()
        #expect(news && box.standing == .member)
        let again = box.cameIn()
        #expect(!again)
        let later = Self.new(try JSON.encode(box.document))
        #expect(later.role == .member && later.standing == .member && later.document == box.document)
    }

    @Test
    func `Whoever is not let in asks again, with pauses that grow to an end`() {
        var box = Self.new()
        var pauses: [Double] = []
        for _ in 0..<10 {
            pauses.append(box.noteRequest())
            #expect(box.refused() == 1 && box.role == .applicant && box.standing == .waiting)
        }
        #expect(pauses == [3, 6, 12, 24, 48, 96, 192, 300, 300, 300])
        _ = box.noteRequest()
        _ = box.cameIn()
        // Taken out by the fleet, or its broker went back to an older list: it asks once more.
        #expect(box.refused() == 1 && box.role == .applicant && box.standing == .member)
        #expect(box.noteRequest() == 3)
    }

    @Test
    func `Where the word of the card is over, the box still looks whether its own name opens`() {
        var box = Self.new()
        #expect(box.refused() == 3 && box.role == .member && box.standing == .closed)
        #expect(box.refused() == 1 && box.role == .applicant && box.standing == .closed)
        #expect(box.refused() == 6)
        let news = box.cameIn()
        #expect(news && box.standing == .member)
    }

    @Test
    func `The password of another fleet, and one that is not whole, are not used`() throws {
        var first = Self.new()
        _ = first.cameIn()
        let file = try JSON.encode(first.document)
        for (bytes, org) in [(file, "other"), (Array("{".utf8), "noor"), ([], "noor")] {
            let box = Self.new(bytes, org: org)
            #expect(box.role == .applicant && box.document.org == org && !box.document.isLetIn)
        }
        let short = Array(#"{"v":1,"org":"noor","password":"ab","isLetIn":true}"#.utf8)
        #expect(Self.new(short).role == .applicant)
    }

    @Test
    func `A request has a place for the board, also where that has no number`() throws {
        for (hardware, written) in [("ab", "ab"), (nil, "unknown")] {
            let facts = BoxFacts(boot: "b", version: "0.1.0", hardware: hardware)
            let text = String(
                decoding: try JSON.encode(EnrolmentPayload(facts, box: "kitchen", hash: "$7$")),
                as: UTF8.self)
            for part in [#""v":1"#, #""box":"kitchen""#, #""hash":"$7$""#, "\"hardware\":\"\(written)\""] {
                #expect(text.contains(part), "\(text)")
            }
        }
        #expect(FleetTopic(org: "noor").enrolment(of: "kitchen") == "adhand/v1/noor/enrol/kitchen")
    }

    @Test
    func `The word of a card stands alone in bridge.toml`() throws {
        func complaints(_ more: String) -> [String] {
            let text = "[fleet]\nbroker = \"mqtts://a\"\ntoken-file = \"/etc/adhand/fleet-token\"\n\(more)"
            do {
                _ = try BridgeConfig.schema.read([.init(file: "f", text: Array(text.utf8))])
                return []
            } catch {
                return error.all.map(\.reason)
            }
        }
        #expect(complaints("").isEmpty)
        for key in ["username = \"kitchen\"", "password-file = \"/etc/adhand/p\""] {
            #expect(complaints(key).count == 1, "\(complaints(key))")
        }
    }
}
