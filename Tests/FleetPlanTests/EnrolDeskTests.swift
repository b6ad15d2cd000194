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

    private static func accept(
        _ desk: inout EnrolDesk, _ box: String, users: Set<String> = []
    ) -> EnrolDesk.AcceptRefusal? {
        do throws(EnrolDesk.AcceptRefusal) {
            _ = try desk.accept(box, users: users, at: now)
            return nil
        } catch {
            return error
        }
    }

    @Test
    func `Places are counted, and a board that comes again takes no other`() {
        var desk = Self.desk()
        func ask(_ box: String, _ hardware: String, _ at: Double = 0) -> EnrolDesk.Answer {
            desk.ask(
                Self.request(box, hardware), reported: nil, users: Set(desk.members.keys), at: Self.now + at)
        }
        #expect(ask("one", "a") == .accepted && ask("one", "a") == .accepted)
        #expect(ask("one", "b") == .refused(.cloned))
        #expect(ask("two", "c", 3600) == .refused(.closed) && ask("two", "c", 3599) == .accepted)
        #expect(ask("three", "d") == .refused(.closed) && desk.invitation?.isUsedUp == true)
        let isTakenOut = desk.revoke("one", isUser: true)
        #expect(isTakenOut)
        let isTakenOutAgain = desk.revoke("one", isUser: false)
        #expect(!isTakenOutAgain)
    }

    @Test
    func `A name that the broker has for somebody else is given to nobody, whoever asks and whoever accepts`()
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
        var refusal = Self.accept(&desk, "late", users: ["late"])
        #expect(refusal == .taken)
        refusal = Self.accept(&desk, "late")
        #expect(refusal == nil && desk.members["late"] != nil)
        #expect(
            desk.ask(Self.request("seen", "a"), reported: "b", users: [], at: Self.now) == .refused(.cloned))
    }

    // MARK: Boards without a number

    private static func unnumbered(_ box: String, _ hash: String) -> EnrolRequest {
        EnrolRequest(box: box, hash: hash, hardware: UnnumberedBoard.name, version: "0.1.0")
    }

    /// With the word of a card and a name from a label somebody would have the place of any PC.
    @Test
    func `A board without a number proves nothing: by a known name it waits for a person`() throws {
        var desk = Self.desk(9)
        func ask(_ hash: String, reported: String? = UnnumberedBoard.name) -> EnrolDesk.Answer {
            desk.ask(
                Self.unnumbered("pc", hash), reported: reported, users: Set(desk.members.keys), at: Self.now)
        }
        #expect(ask("own", reported: nil) == .accepted)
        // It asks twice before the broker has read its passwords.
        #expect(ask("own") == .accepted && desk.invitation?.used == 1)
        #expect(ask("thief") == .waitingByKnownName)
        #expect(desk.members["pc"]?.hash == "own" && desk.waitsByKnownName("pc"))
        // A number that somebody makes up proves no more.
        let numbered = desk.ask(Self.request("pc", "a"), reported: nil, users: ["pc"], at: Self.now)
        #expect(numbered == .refused(.cloned))
        // A person who accepts sees the name alone, so nobody takes the place of what waits.
        #expect(ask("other") == .refused(.cloned) && desk.waiting["pc"]?.hash == "thief")
        #expect(ask("own") == .accepted, "the box itself is in")
        desk = try JSON.decode(EnrolDesk.self, from: JSON.encode(desk))
        let refusal = Self.accept(&desk, "pc", users: ["pc"])
        #expect(refusal == nil && desk.members["pc"]?.hash == "thief")
        #expect(desk.waiting.isEmpty && desk.invitation?.used == 1)
        // It needs no invitation that is open.
        #expect(ask("later") == .waitingByKnownName)
        desk.invite(.init(count: 1, until: Self.now - 1, approve: .auto))
        let late = Self.accept(&desk, "pc", users: ["pc"])
        #expect(late == nil && desk.members["pc"]?.hash == "later" && desk.invitation?.used == 0)
        // Taken out, it waits as every other box.
        #expect(ask("last") == .waitingByKnownName)
        let isTakenOut = desk.revoke("pc", isUser: true)
        #expect(isTakenOut && desk.waiting.isEmpty && !desk.waitsByKnownName("pc"))
    }

    @Test
    func `A new name of such a board is let in, and what waits by a name is not exchanged`() {
        var desk = Self.desk(9)
        let isIn = desk.ask(Self.unnumbered("pc", "own"), reported: nil, users: [], at: Self.now)
        #expect(isIn == .accepted)
        var hand = Self.desk(9, .hand)
        func ask(_ hash: String) -> EnrolDesk.Answer {
            hand.ask(Self.unnumbered("pc", hash), reported: nil, users: [], at: Self.now)
        }
        #expect(ask("own") == .waiting && ask("own") == .waiting && ask("thief") == .refused(.cloned))
        #expect(hand.waiting["pc"]?.hash == "own" && !hand.waitsByKnownName("pc"))
    }

    @Test
    func `After a list was lost a board without a number waits, if a box of its name reports`() throws {
        var desk = EnrolRecord(file: Array("{".utf8), copy: nil, wasThere: false).desk
        func ask(_ box: String, reported: String?) -> EnrolDesk.Answer {
            desk.ask(
                Self.unnumbered(box, "new"), reported: reported, users: ["pc", "pi", "fleet"], at: Self.now)
        }
        #expect(ask("fleet", reported: nil) == .refused(.taken))
        #expect(ask("pi", reported: "a") == .refused(.cloned))
        #expect(ask("pc", reported: UnnumberedBoard.name) == .waitingByKnownName)
        desk = try JSON.decode(EnrolDesk.self, from: JSON.encode(desk))
        #expect(desk.waitsByKnownName("pc") && desk.members.isEmpty)
        let refusal = Self.accept(&desk, "pc", users: ["pc"])
        #expect(refusal == nil && desk.members["pc"]?.hash == "new" && !desk.waitsByKnownName("pc"))
        #expect(ask("pc", reported: UnnumberedBoard.name) == .accepted)
    }

    @Test
    func `A box that a person took out comes back by a person alone`() throws {
        var desk = Self.desk(9)
        func ask(_ box: String) -> EnrolDesk.Answer {
            desk.ask(Self.request(box, "a"), reported: nil, users: Set(desk.members.keys), at: Self.now)
        }
        #expect(ask("one") == .accepted)
        let isTakenOut = desk.revoke("one", isUser: true)
        #expect(isTakenOut)
        desk = try JSON.decode(EnrolDesk.self, from: JSON.encode(desk))
        #expect(ask("one") == .waiting && ask("two") == .accepted)
        let refusal = Self.accept(&desk, "one", users: ["two"])
        #expect(refusal == nil && ask("one") == .accepted)
    }

    @Test
    func `A person lets in no more boxes than the invitation is for, also after a restart`() throws {
        var desk = Self.desk(2, .hand)
        for box in ["one", "two", "three"] {
            #expect(
                desk.ask(Self.request(box, "a"), reported: nil, users: [], at: Self.now) == .waiting)
        }
        var refusal = Self.accept(&desk, "one")
        #expect(refusal == nil)
        desk = try JSON.decode(EnrolDesk.self, from: JSON.encode(desk))
        refusal = Self.accept(&desk, "two")
        #expect(refusal == nil && desk.invitation?.used == 2)
        refusal = Self.accept(&desk, "three")
        #expect(refusal == .usedUp(count: 2) && desk.members.count == 2 && desk.waiting["three"] != nil)
        refusal = Self.accept(&desk, "four")
        #expect(refusal == .notWaiting)
        // It waits for the next invitation.
        desk.invite(.init(count: 1, until: Self.now + 3600, approve: .hand))
        refusal = Self.accept(&desk, "three")
        #expect(refusal == nil && desk.invitation?.isUsedUp == true)
    }

    // MARK: The files

    @Test
    func `One of two files is enough, and a list that never was is no loss`() throws {
        var desk = Self.desk(2)
        #expect(
            desk.ask(Self.request("one", "a"), reported: nil, users: [], at: Self.now) == .accepted)
        let (good, bad) = (try JSON.encode(desk), Array("{".utf8))
        let never = EnrolRecord(file: nil, copy: nil, wasThere: false)
        #expect(never.desk == EnrolDesk() && never.loss == nil && !never.isSaveDue && never.complaint == nil)
        let gone = EnrolRecord(file: nil, copy: nil, wasThere: true)
        #expect(gone.loss == .gone && gone.isForgotten && gone.isSaveDue && gone.desk.isRebuilt)
        // As an earlier version wrote it.
        let alone = EnrolRecord(file: good, copy: nil, wasThere: false)
        #expect(alone.desk == desk && alone.loss == nil && alone.isSaveDue && alone.complaint == nil)
        let both = EnrolRecord(file: good, copy: good, wasThere: false)
        #expect(both.desk == desk && both.loss == nil && !both.isSaveDue)
        #expect(EnrolRecord(file: good, copy: bad, wasThere: false).isSaveDue)
        for (file, loss) in [(bad, .damaged), (nil, .gone)] as [([UInt8]?, EnrolRecord.Loss)] {
            let record = EnrolRecord(file: file, copy: good, wasThere: false)
            #expect(record.desk == desk && record.loss == loss && !record.isForgotten && record.isSaveDue)
            #expect(record.desk.invitation?.used == 1 && record.complaint != nil)
            let lost = EnrolRecord(file: file, copy: bad, wasThere: false)
            #expect(lost.loss == loss && lost.isForgotten && lost.isSaveDue && lost.desk.isRebuilt)
        }
        #expect(EnrolRecord(file: bad, copy: nil, wasThere: false).isForgotten)
    }

    @Test
    func `After a list was lost members come in again by their board, and can be revoked`() throws {
        var desk = EnrolRecord(file: Array("{".utf8), copy: nil, wasThere: false).desk
        // The next save says so, too.
        desk = try JSON.decode(EnrolDesk.self, from: JSON.encode(desk))
        func ask(_ box: String, _ hardware: String, reported: String?) -> EnrolDesk.Answer {
            desk.ask(
                Self.request(box, hardware), reported: reported, users: ["one", "byhand", "fleet"],
                at: Self.now)
        }
        #expect(ask("one", "a", reported: "a") == .accepted && desk.members["one"] != nil)
        #expect(ask("one", "b", reported: "a") == .refused(.cloned))
        #expect(ask("byhand", "b", reported: "a") == .refused(.cloned))
        #expect(ask("fleet", "b", reported: nil) == .refused(.taken))
        // Nobody new without a new invitation.
        #expect(ask("new", "n", reported: nil) == .refused(.closed))
        let isTakenOut = desk.revoke("byhand", isUser: true)
        #expect(isTakenOut)
        #expect(desk.wasRevoked("byhand"))
        let isStranger = desk.revoke("stranger", isUser: false)
        #expect(!isStranger)
        // A list that was never lost gives nobody the name of a user of the broker.
        var whole = Self.desk(9)
        let answer = whole.ask(Self.request("byhand", "a"), reported: "a", users: ["byhand"], at: Self.now)
        #expect(answer == .refused(.taken))
    }
}
