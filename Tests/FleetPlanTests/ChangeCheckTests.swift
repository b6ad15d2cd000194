import PrayerEngine
import Testing

@testable import Envelope
@testable import FleetPlan

struct ChangeCheckTests {
    private static let now = Instant(unixSeconds: 1_800_000_000)
    private static let all = ChangePlace(box: ChangePlace.everyBox, kind: .configuration)

    private static func label(
        _ digest: String, _ seq: Int, _ selector: FleetSelector = .all, kind: FleetKind = .configuration,
        expires: Double = 3600
    ) -> EnvelopeLabel {
        EnvelopeLabel(digest: digest, kind: kind, seq: seq, selector: selector, expires: now + expires)
    }

    private static func rollout(
        _ digest: String, _ seq: Int, _ change: (inout FleetRollout) -> Void = { _ in }
    ) -> FleetRollout {
        var rollout = FleetRollout(digest: digest, kind: .configuration, seq: seq, at: now)
        change(&rollout)
        return rollout
    }

    private static func check(
        _ published: [EnvelopeLabel] = [], _ rollouts: [FleetRollout] = [],
        kept: [ChangePlace: EnvelopeLabel] = [:]
    ) -> ChangeCheck {
        ChangeCheck(published: published, rollouts: rollouts, kept: kept)
    }

    private static func refusal(_ check: ChangeCheck, _ new: EnvelopeLabel) -> ChangeCheck.Refusal? {
        do throws(ChangeCheck.Refusal) {
            _ = try check.publish(new, at: now)
            return nil
        } catch {
            return error
        }
    }

    private static func rolloutRefusal(_ check: ChangeCheck, _ new: EnvelopeLabel) -> ChangeCheck.Refusal? {
        do throws(ChangeCheck.Refusal) {
            try check.rollOut(new)
            return nil
        } catch {
            return error
        }
    }

    @Test
    func `a number that is not above what stands at the broker, was published or was rolled out is refused`()
    {
        let new = Self.label("new", 5)
        for seq in [5, 6] {
            let other = Self.label("other", seq)
            #expect(
                Self.refusal(Self.check(kept: [Self.all: other]), new) == .notAbove(seq, .kept(Self.all)))
            #expect(Self.refusal(Self.check([other]), new) == .notAbove(seq, .published))
            // Also where it is for other boxes, and over.
            let past = Self.label("other", seq, .boxes(["a"]), expires: -1)
            #expect(Self.refusal(Self.check([past]), new) == .notAbove(seq, .published))
            let ended = Self.rollout("rolled", seq) { $0.abort() }
            #expect(Self.refusal(Self.check([], [ended]), new) == .notAbove(seq, .rollout("rolled")))
        }
        #expect(Self.refusal(Self.check([Self.label("other", 4)], [Self.rollout("rolled", 3)]), new) == nil)
        #expect(Self.refusal(Self.check([Self.label("other", 9, kind: .timetable)]), new) == nil)
    }

    @Test
    func `the same envelope again is fine, and goes where it does not stand`() throws {
        let new = Self.label("new", 5, .boxes(["a", "b"]))
        let places = ["a", "b"].map { ChangePlace(box: $0, kind: .configuration) }
        #expect(try Self.check().publish(new, at: Self.now) == places)
        #expect(
            try Self.check([new], kept: [places[0]: new, places[1]: new]).publish(new, at: Self.now) == [])
        #expect(try Self.check([new], kept: [places[0]: new]).publish(new, at: Self.now) == [places[1]])
        // A broker that lost all, after a higher number went to other boxes.
        let later = Self.label("later", 6, .boxes(["c"]))
        #expect(try Self.check([new, later]).publish(new, at: Self.now) == places)
        let over = Self.label("over", 6, .boxes(["b"]))
        #expect(Self.refusal(Self.check([new, over]), new) == .notAbove(6, .published))
        #expect(
            Self.refusal(Self.check([new], kept: [places[1]: over]), new) == .notAbove(6, .kept(places[1])))
    }

    @Test
    func `on the topic of all nothing hides what other boxes still have to find`() {
        let everybody = Self.label("all", 4)
        let london = Self.label("new", 5, .groups(["uk/london"]))
        #expect(Self.refusal(Self.check([everybody]), london) == .hides(everybody))
        #expect(Self.refusal(Self.check(kept: [Self.all: everybody]), london) == .hides(everybody))
        #expect(Self.refusal(Self.check([Self.label("all", 4, expires: 0)]), london) == nil)
        let two = Self.label("two", 4, .groups(["uk/london", "uk/leeds"]))
        #expect(Self.refusal(Self.check([two]), london) == .hides(two))
        #expect(Self.refusal(Self.check([london]), Self.label("new", 6, two.selector)) == nil)
        #expect(Self.refusal(Self.check([london]), Self.label("new", 6)) == nil)
        // A box has a topic of its own, and a command is over soon.
        #expect(Self.refusal(Self.check([everybody]), Self.label("new", 5, .boxes(["a"]))) == nil)
        let mute = Self.label("mute", 1, kind: .command)
        let stop = Self.label("stop", 2, .groups(["uk/london"]), kind: .command)
        #expect(Self.refusal(Self.check([mute]), stop) == nil)
    }

    @Test
    func `an envelope that is being rolled out is not published, and one that was ended may be`() {
        let new = Self.label("new", 5)
        #expect(Self.refusal(Self.check([], [Self.rollout("new", 5)]), new) == .rollingOut(.running))
        let paused = Self.rollout("new", 5) { $0.pause() }
        #expect(Self.refusal(Self.check([], [paused]), new) == .rollingOut(.paused))
        let ended = Self.rollout("new", 5) { $0.abort() }
        #expect(Self.refusal(Self.check([], [ended]), new) == nil)
        // Another one that is on its way loses to a higher number, as ever.
        #expect(Self.refusal(Self.check([], [Self.rollout("other", 4)]), new) == nil)
    }

    @Test
    func `a roll-out begins once, above all numbers, and not of what is published`() {
        let new = Self.label("new", 5)
        #expect(Self.rolloutRefusal(Self.check(), new) == nil)
        #expect(Self.rolloutRefusal(Self.check([new]), new) == .published)
        #expect(Self.rolloutRefusal(Self.check([Self.label("other", 5)]), new) == .notAbove(5, .published))
        #expect(Self.rolloutRefusal(Self.check([], [Self.rollout("new", 5)]), new) == .rolledOut(.running))
        #expect(
            Self.rolloutRefusal(Self.check([], [Self.rollout("other", 4)]), new)
                == .busy(digest: "other", .running))
        let ended = Self.rollout("other", 5) { $0.abort() }
        #expect(Self.rolloutRefusal(Self.check([], [ended]), new) == .notAbove(5, .rollout("other")))
    }

    @Test
    func `every refusal says what to type`() {
        let (new, topics) = (Self.label("new", 5), FleetTopic(org: "noor"))
        let refusals: [ChangeCheck.Refusal] = [
            .rollingOut(.running), .rollingOut(.stopped), .published, .busy(digest: "other", .running),
            .notAbove(7, .kept(Self.all)), .hides(Self.label("all", 4)),
        ]
        for refusal in refusals {
            let sentence = refusal.sentence(about: new, topics)
            #expect(sentence.contains("adhan-fleet ") || sentence.contains("--seq"))
        }
        let sentence = ChangeCheck.Refusal.notAbove(7, .kept(Self.all)).sentence(about: new, topics)
        #expect(sentence.contains("adhand/v1/noor/all/down/configuration") && sentence.contains("--seq 8"))
    }

    @Test
    func `what is over and was followed everywhere is needed no more`() {
        let one = Self.label("one", 1, .boxes(["a", "b"]), expires: 0)
        let two = Self.label("two", 2, .boxes(["a"]), expires: 0)
        let three = Self.label("three", 3, .boxes(["b"]))
        #expect(Self.check([one, two]).obsolete(at: Self.now).isEmpty)
        #expect(Self.check([one, two, three]).obsolete(at: Self.now) == ["one"])
        #expect(Self.check([one, two, three]).obsolete(at: Self.now + -1).isEmpty)
    }
}
