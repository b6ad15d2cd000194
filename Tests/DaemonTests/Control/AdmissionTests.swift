import Announcements
import ControlRules
import Daemon
import Testing

@Suite("Who is let in")
struct AdmissionTests {
    private typealias ConnectionSlot = Admission.ConnectionSlot<Int>

    /// This many connections of a user, all in use as said, the first the oldest.
    private func crowd(
        _ count: Int, of user: UInt32, rank: CallerRank = .stranger, _ use: Admission.Use, from first: Int
    ) -> [ConnectionSlot] {
        (0..<count).map { index in
            ConnectionSlot(
                id: first + index, user: user, rank: rank, use: use, lastActive: UInt64(first + index))
        }
    }

    private func admit(_ user: UInt32, _ rank: CallerRank, _ slots: [ConnectionSlot])
        -> Admission.Verdict<Int>
    {
        Admission.admit(user: user, rank: rank, among: slots.shuffled())
    }

    @Test("Two users who begin requests and never end them lock nobody out")
    func halfSent() {
        let full = crowd(32, of: 1, .stalled, from: 0) + crowd(32, of: 2, .stalled, from: 100)
        #expect(admit(0, .root, full) == .admitted)
        #expect(admit(3, .member, full) == .admitted)
        // A third stranger takes the place of the longest of one crowd.
        #expect([.inPlaceOf(0), .inPlaceOf(100)].contains(admit(3, .stranger, full)))
        #expect(admit(1, .stranger, full) == .inPlaceOf(0))
    }

    @Test(
        "A crowd of any rank takes nothing from the others", arguments: [CallerRank.stranger, .member, .root])
    func ranks(rank: CallerRank) {
        let crowds = (0..<64).map {
            ConnectionSlot(id: $0, user: UInt32($0) * 100, rank: rank, use: .working, lastActive: UInt64($0))
        }
        for other in [CallerRank.stranger, .member, .root] where other != rank {
            #expect(admit(7, other, crowds) == .admitted)
        }
    }

    @Test("One user has at most half of the strangers' room; root has all of root's")
    func shares() {
        #expect(admit(1, .stranger, crowd(31, of: 1, .working, from: 0)) == .admitted)
        #expect(admit(1, .stranger, crowd(32, of: 1, .working, from: 0)) == .turnedAway)
        #expect(admit(2, .stranger, crowd(32, of: 1, .working, from: 0)) == .admitted)
        #expect(admit(0, .root, crowd(63, of: 0, rank: .root, .working, from: 0)) == .admitted)
        #expect(admit(0, .root, crowd(64, of: 0, rank: .root, .monitoring, from: 0)) == .turnedAway)
        #expect(admit(0, .root, crowd(64, of: 0, rank: .root, .idle, from: 0)) == .inPlaceOf(0))
    }

    @Test("Who has left goes first, then who is idle for longest, then who lets others wait for longest")
    func order() {
        let many =
            crowd(24, of: 1, .working, from: 0) + crowd(3, of: 1, .stalled, from: 50)
            + crowd(3, of: 1, .idle, from: 100)
        let over = crowd(2, of: 1, .over, from: 200)
        #expect([.inPlaceOf(200), .inPlaceOf(201)].contains(admit(1, .stranger, many + over)))
        #expect(admit(1, .stranger, many + crowd(2, of: 1, .idle, from: 300)) == .inPlaceOf(100))
        let busy = crowd(29, of: 1, .working, from: 0) + crowd(3, of: 1, .stalled, from: 50)
        #expect(admit(1, .stranger, busy) == .inPlaceOf(50))
    }

    @Test("A crowd makes room before somebody with a single connection does, however long that one is idle")
    func fairness() {
        let lone = ConnectionSlot(id: 999, user: 9, rank: .stranger, use: .idle, lastActive: 0)
        let full = crowd(32, of: 1, .monitoring, from: 10) + crowd(31, of: 2, .working, from: 100) + [lone]
        #expect(admit(3, .stranger, full) == .inPlaceOf(10))
        // The crowd itself cannot push its way in.
        #expect(admit(1, .stranger, full) == .turnedAway)
    }
}

@Suite("Whose turn it is")
struct FairTurnsTests {
    @Test("Every user in turn, and of one user in order; who has left does not wait")
    func turns() {
        var turns = RoundRobin<String>()
        for number in 1...4 { turns.add("a\(number)", of: 1) }
        turns.add("b1", of: 2)
        turns.add("c1", of: 3)
        turns.add("b2", of: 2)
        turns.remove("a2", of: 1)
        turns.remove("c1", of: 3)
        turns.remove("never", of: 7)
        var order: [String] = []
        while let next = turns.next() { order.append(next) }
        #expect(order == ["a1", "b1", "a3", "b2", "a4"])
        #expect(turns.isEmpty)
    }

    @Test("However much one user asks for, another waits for one piece of it")
    func flood() {
        var turns = RoundRobin<Int>()
        for number in 0..<500 { turns.add(number, of: 1) }
        _ = turns.next()
        turns.add(1000, of: 0)
        _ = turns.next()
        #expect(turns.next() == 1000)
    }
}

@Suite("How long callers may take")
struct CallerPatienceTests {
    @Test("A request has five seconds, however it trickles in")
    func request() {
        var patienceSeconds = RequestTimeout()
        patienceSeconds.wait(for: .request, at: 100)
        #expect(patienceSeconds.deadlineUptime == 105)
        patienceSeconds.wait(for: .request, at: 103)
        #expect(patienceSeconds.deadlineUptime == 105)
        patienceSeconds.wait(for: .nothing, at: 104.5)
        #expect(patienceSeconds.deadlineUptime == nil)
        patienceSeconds.wait(for: .request, at: 106)
        #expect(patienceSeconds.deadlineUptime == 111)
    }

    @Test("A reply may be read slowly, as long as it is read")
    func reply() {
        var patienceSeconds = RequestTimeout()
        patienceSeconds.wait(for: .reply(unread: 9000), at: 100)
        #expect(patienceSeconds.deadlineUptime == 130)
        patienceSeconds.wait(for: .reply(unread: 9000), at: 110)
        #expect(patienceSeconds.deadlineUptime == 130)
        patienceSeconds.wait(for: .reply(unread: 8999), at: 125)
        #expect(patienceSeconds.deadlineUptime == 155)
        // An added key is not one that was taken out; a removed one is.
        patienceSeconds.wait(for: .reply(unread: 12_000), at: 130)
        #expect(patienceSeconds.deadlineUptime == 155)
        patienceSeconds.wait(for: .reply(unread: 10_000), at: 140)
        #expect(patienceSeconds.deadlineUptime == 170)
        patienceSeconds.wait(for: .nothing, at: 141)
        #expect(patienceSeconds.deadlineUptime == nil)
    }
}
