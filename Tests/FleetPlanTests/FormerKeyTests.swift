import PrayerEngine
import Testing

@testable import Envelope
@testable import FleetPlan

struct FormerKeyTests {
    private static let now = Instant(unixSeconds: 1_800_000_000)

    private static func label(
        _ digest: String, _ seq: Int, _ selector: FleetSelector = .all, kind: FleetKind = .configuration,
        expires: Double = 3600
    ) -> EnvelopeLabel {
        EnvelopeLabel(digest: digest, kind: kind, seq: seq, selector: selector, expires: now + expires)
    }

    private static func book(
        former: [EnvelopeLabel] = [], rolledOut: [EnvelopeLabel] = [], published: [EnvelopeLabel] = []
    ) -> RolloutBook {
        var book = RolloutBook()
        for label in former { book.formerPublished[label.digest] = label }
        for label in rolledOut { book.formerRolledOut[label.digest] = label }
        for label in published { book.publish(label) }
        return book
    }

    @Test
    func `What a former key signed has to be signed again until a later one reaches each of its boxes`() {
        let all = Self.label("all", 5)
        let two = Self.label("two", 6, .boxes(["a", "b"]))
        #expect(Self.book(published: [all, two]).formerKeys(at: Self.now).isEmpty)
        #expect(
            Self.book(former: [all, two]).formerKeys(at: Self.now)
                == [FormerKey(two, count: 2, highest: 6)])
        // A later one of the former key is signed again in its place.
        let later = Self.label("later", 7)
        #expect(
            Self.book(former: [all, two, later]).formerKeys(at: Self.now)
                == [FormerKey(later, count: 1, highest: 7)])
        let one = Self.label("one", 7, .boxes(["a"]))
        #expect(
            Self.book(former: [two], published: [one]).formerKeys(at: Self.now)
                == [FormerKey(two, count: 1, highest: 7)])
        let other = Self.label("other", 8, .boxes(["b"]))
        #expect(Self.book(former: [two], published: [one, other]).formerKeys(at: Self.now).isEmpty)
        #expect(Self.book(former: [two], published: [later]).formerKeys(at: Self.now).isEmpty)
        // Of a lower number, or of another kind, boxes have no use.
        let times = Self.label("times", 9, kind: .timetable)
        #expect(Self.book(former: [two], published: [all, times]).formerKeys(at: Self.now).count == 1)
    }

    @Test
    func `What is over, was withdrawn or is signed again is left out, and a roll-out that is through is not`()
    {
        let all = Self.label("all", 5)
        #expect(Self.book(former: [all]).formerKeys(at: Self.now + 3600).isEmpty)
        #expect(Self.book(former: [all], published: [all]).formerKeys(at: Self.now).isEmpty)
        var withdrawn = Self.book(former: [all])
        withdrawn.withdraw(["all"])
        #expect(withdrawn.formerKeys(at: Self.now).isEmpty)
        var rolledOut = Self.book(rolledOut: [all])
        rolledOut.withdrawnNumbers = [.configuration: 8]
        #expect(rolledOut.formerKeys(at: Self.now) == [FormerKey(all, count: 1, highest: 8)])
        // One that follows it is on its way.
        rolledOut.put(
            .init(
                FleetRollout(digest: "next", kind: .configuration, seq: 9, at: Self.now), for: .all,
                expires: Self.now + 60))
        #expect(rolledOut.formerKeys(at: Self.now).isEmpty)
        #expect(rolledOut.formerKeys(at: Self.now + 60).count == 1)
    }

    @Test
    func `It is said what to type`() {
        let london = Self.label("london", 4, .groups(["uk/london"]), kind: .hijri)
        let sentence = FormerKey(london, count: 3, highest: 6).sentence(org: "noor", highestReported: 9)
        #expect(sentence.contains("Number 4 of hijri for groups uk/london and 2 others of this kind are"))
        #expect(sentence.contains("--org noor --kind hijri --seq 10 --for groups:uk/london BODY"))
        #expect(sentence.contains("systemctl restart adhan-fleet"))
        let all = FormerKey(Self.label("all", 4), count: 1, highest: 6).sentence(
            org: "noor", highestReported: 0)
        #expect(all.contains("for all is signed") && all.contains("--seq 7 BODY"))
        let names = (0..<9).map { "box-\($0)" }
        let many = FormerKey(Self.label("many", 4, .boxes(names)), count: 1, highest: 4)
        #expect(
            many.sentence(org: "noor", highestReported: 0).contains(
                "boxes:box-0,box-1,box-2,box-3,box-4,... BODY"))
        // Boxes that have the new keys refuse the old ones, and these boxes nothing else.
        let keys = FormerKey(Self.label("keys", 1, kind: .keys), count: 1, highest: 1)
        #expect(keys.sentence(org: "noor", highestReported: 0).contains("adhanctl fleet apply"))
        let last = FormerKey(Self.label("last", 4), count: 1, highest: 4)
        #expect(last.sentence(org: "noor", highestReported: StrictJSON.largestInteger).contains("FLEET.md"))
    }
}
