import PrayerEngine
import Testing

@testable import Envelope
@testable import FleetPlan
@testable import Texts

struct EnrolDeskTests {
    private static let now = Instant(unixSeconds: 1_800_000_000)

    private static func request(_ box: String, _ hardware: String) -> EnrolRequest {
        EnrolRequest(box: box, hash: "$7$…", hardware: hardware, version: "0.1.0")
    }

    private static func desk(_ count: Int = 2, _ approve: EnrolDesk.Approval = .auto) -> EnrolDesk {
        var desk = EnrolDesk()
        desk.invite(.init(count: count, until: now + 3600, approve: approve))
        return desk
    }

    @Test
    func `places are counted, and a board that comes again takes no other`() {
        var desk = Self.desk()
        func ask(_ box: String, _ hardware: String, _ at: Double = 0) -> EnrolDesk.Answer {
            desk.ask(
                Self.request(box, hardware), reported: nil, users: Set(desk.members.keys), at: Self.now + at)
        }
        #expect(ask("one", "a") == .accepted && ask("one", "a") == .accepted)
        #expect(ask("one", "b") == .refused(.cloned))
        #expect(ask("two", "c", 3600) == .refused(.closed) && ask("two", "c", 3599) == .accepted)
        #expect(ask("three", "d") == .refused(.closed) && desk.invitation?.isUsedUp == true)
        #expect(desk.revoke("one") && !desk.revoke("one"))
    }

    @Test
    func `a name that the broker has for somebody else is given to nobody, whoever asks and whoever accepts`()
    {
        let users: Set = ["fleet", "byhand"]
        for approve in EnrolDesk.Approval.allCases {
            var desk = Self.desk(9, approve)
            for user in users {
                let answer = desk.ask(Self.request(user, "a"), reported: nil, users: users, at: Self.now)
                #expect(answer == .refused(.taken))
            }
            #expect(desk.members.isEmpty && desk.waiting.isEmpty)
        }
        var desk = Self.desk(9, .hand)
        #expect(desk.ask(Self.request("late", "a"), reported: nil, users: [], at: Self.now) == .waiting)
        #expect(desk.accept("late", users: ["late"], at: Self.now) == nil)
        #expect(desk.accept("late", users: [], at: Self.now)?.box == "late" && desk.members["late"] != nil)
        #expect(
            desk.ask(Self.request("seen", "a"), reported: "b", users: [], at: Self.now) == .refused(.cloned))
    }

    @Test
    func `a box that a person took out comes back by a person alone`() throws {
        var desk = Self.desk(9)
        func ask(_ box: String) -> EnrolDesk.Answer {
            desk.ask(Self.request(box, "a"), reported: nil, users: Set(desk.members.keys), at: Self.now)
        }
        #expect(ask("one") == .accepted && desk.revoke("one"))
        desk = try JSON.decode(EnrolDesk.self, from: JSON.encode(desk))
        #expect(ask("one") == .waiting && ask("two") == .accepted)
        #expect(desk.accept("one", users: ["two"], at: Self.now) != nil)
        #expect(ask("one") == .accepted)
    }
}
