import PrayerEngine
import QR
import Testing

@testable import Envelope
@testable import FleetPlan
@testable import Texts

struct EnrolPagesTests {
    private static let now = Instant(unixSeconds: 1_800_000_000)

    /// One box is in, and one waits.
    private static func desk() -> EnrolDesk {
        var desk = EnrolDesk()
        func ask(_ box: String, _ approve: EnrolDesk.Approval) {
            desk.invite(.init(count: 9, until: now + 3600, approve: approve))
            let request = EnrolRequest(box: box, hash: "$7$…", hardware: "h-\(box)", version: "<0.1.0>")
            _ = desk.ask(request, reported: nil, users: [], at: now)
        }
        ask("in", .auto)
        ask("waits", .hand)
        return desk
    }

    @Test
    func `A label leads to the row of its box`() {
        let address = LabelSheet.address(of: "waits", server: "fleet.example.org")
        #expect(address == "https://fleet.example.org/enrol#waits")
        let page = EnrolPage.html(Self.desk(), org: "noor")
        #expect(page.contains("<tr id=\"waits\" class=\"waiting\">") && page.contains("<tr id=\"in\""))
        #expect(page.contains("adhan-fleet enrol accept waits"))
        // Those that a person has to look at come first, and what a box says is escaped.
        #expect(page.firstRange(of: "waits")!.lowerBound < page.firstRange(of: "<td>in</td>")!.lowerBound)
        #expect(page.contains("&lt;0.1.0&gt;") && !page.contains("<0.1.0>") && !page.contains("<script"))
    }

    @Test
    func `A sheet has a label for each box, with its code and its name`() throws {
        let boxes = (0..<25).map { "box-\($0)" }
        let sheet = try #require(LabelSheet.svg(boxes, org: "noor", server: "fleet.example.org"))
        #expect(sheet.matches(of: /<g transform/).count == 25)
        for box in boxes {
            let code = try #require(QRCode("https://fleet.example.org/enrol#\(box)"))
            #expect(sheet.contains("d=\"\(code.svgPath)\"") && sheet.contains(">\(box)</text>"))
        }
        // 24 labels of 70 by 37 mm have room on the first sheet of A4.
        #expect(sheet.contains("translate(140 259)") && sheet.contains("translate(0 297)"))
        #expect(sheet.contains("height=\"594mm\""))
        #expect(LabelSheet.svg(boxes, org: "noor", server: String(repeating: "a", count: 200)) == nil)
    }

    @Test
    func `A long name has two lines`() throws {
        let box = String(repeating: "a", count: 16) + String(repeating: "b", count: 16)
        let sheet = try #require(LabelSheet.svg([box], org: "noor", server: "a.org"))
        #expect(sheet.contains(">aaaaaaaaaaaaaaaa</text>") && sheet.contains(">bbbbbbbbbbbbbbbb</text>"))
    }

    @Test
    func `The server is the host of the broker, unless that is this machine alone`() throws {
        func server(_ broker: String) throws -> String? {
            LabelSheet.server(of: try #require(BrokerAddress(broker)))
        }
        #expect(try server("mqtts://fleet.example.org:8883") == "fleet.example.org")
        #expect(try server("mqtts://[2001:db8::1]:8883") == "[2001:db8::1]")
        #expect(try server("mqtt://127.0.0.1:1883") == nil)
        #expect(try server("mqtt://localhost") == nil)
        #expect(LabelSheet.server("a.org:8443") == "a.org:8443" && LabelSheet.server("a/b") == nil)
    }
}
