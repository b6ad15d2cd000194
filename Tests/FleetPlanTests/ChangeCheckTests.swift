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
        withdrawn: [EnvelopeLabel] = [], damaged: [ChangeCheck.Damaged] = [],
        kept: [ChangePlace: EnvelopeLabel] = [:]
    ) -> ChangeCheck {
        ChangeCheck(
            published: published, withdrawn: withdrawn, damaged: damaged, rollouts: rollouts, kept: kept)
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
    func `A number that is not above what stands at the broker, was published or was rolled out is refused`()
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
    func `The same envelope again is fine, and goes where it does not stand`() throws {
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
    func `On the topic of all nothing hides what other boxes still have to find`() {
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

    private static func revert(
        _ digest: String, _ seq: Int, of kind: FleetKind?, _ selector: FleetSelector = .all,
        expires: Double = 3600
    ) -> EnvelopeLabel {
        EnvelopeLabel(
            digest: digest, kind: .revert, seq: seq, selector: selector, expires: now + expires,
            reverted: kind)
    }

    @Test
    func `A revert takes the place of none of another kind that boxes still need`() {
        let first = Self.revert("first", 4, of: .configuration)
        let second = Self.revert("second", 5, of: .hijri)
        let place = ChangePlace(box: ChangePlace.everyBox, kind: .revert)
        #expect(Self.refusal(Self.check([first]), second) == .hidesRevert(first))
        #expect(Self.refusal(Self.check(kept: [place: first]), second) == .hidesRevert(first))
        // Of the same kind, over, withdrawn, or on the topic of a box.
        #expect(Self.refusal(Self.check([first]), Self.revert("again", 5, of: .configuration)) == nil)
        #expect(
            Self.refusal(Self.check([Self.revert("over", 4, of: .exception, expires: 0)]), second) == nil)
        #expect(Self.refusal(Self.check(withdrawn: [first]), second) == nil)
        #expect(Self.refusal(Self.check([first]), Self.revert("own", 5, of: .hijri, .boxes(["a"]))) == nil)
        let own = Self.revert("own", 4, of: .exception, .boxes(["a", "b"]))
        #expect(
            Self.refusal(Self.check([own]), Self.revert("new", 5, of: .hijri, .boxes(["b"])))
                == .hidesRevert(own))
        // It was published before: the same again is no mistake.
        #expect(Self.refusal(Self.check([first, second]), second) == nil)
        let sentence = ChangeCheck.Refusal.hidesRevert(first).sentence(
            about: second, FleetTopic(org: "noor"))
        #expect(sentence.contains("undoes configuration") && sentence.contains("withdraw first"))
    }

    @Test
    func `A copy of a revert says what it undoes`() throws {
        let payload = Array(
            #"{"v":1,"org":"noor","kind":"revert","seq":7,"for":{"all":true},"notBefore":"2027-01-01T00:00:00Z","expires":"2027-01-31T00:00:00Z","body":{"kind":"hijri"}}"#
                .utf8)
        let signature = SignedEnvelope.Signature(keyID: "0", bytes: [UInt8](repeating: 0, count: 64))
        let envelope = SignedEnvelope(payload: payload, signatures: [signature])
        let label = try #require(EnvelopeLabel(of: try envelope.encoded(), digest: envelope.digest))
        #expect(label.reverted == .hijri)
    }

    @Test
    func `An envelope that is being rolled out is not published, and one that was ended may be`() {
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
    func `A roll-out begins once, above all numbers, and not of what is published`() {
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
    func `Every refusal says what to type`() {
        let (new, topics) = (Self.label("new", 5), FleetTopic(org: "noor"))
        let refusals: [ChangeCheck.Refusal] = [
            .rollingOut(.running), .rollingOut(.stopped), .published, .withdrawn,
            .busy(digest: "other", .running), .notAbove(7, .kept(Self.all)), .notAbove(7, .withdrawn),
            .hides(Self.label("all", 4)),
        ]
        for refusal in refusals {
            let sentence = refusal.sentence(about: new, topics)
            #expect(sentence.contains("adhan-fleet ") || sentence.contains("--seq"))
        }
        let sentence = ChangeCheck.Refusal.notAbove(7, .kept(Self.all)).sentence(about: new, topics)
        #expect(sentence.contains("adhand/v1/noor/all/down/configuration") && sentence.contains("--seq 8"))
    }

    @Test
    func `What is over and was followed everywhere is needed no more`() {
        let one = Self.label("one", 1, .boxes(["a", "b"]), expires: 0)
        let two = Self.label("two", 2, .boxes(["a"]), expires: 0)
        let three = Self.label("three", 3, .boxes(["b"]))
        #expect(Self.check([one, two]).obsolete(at: Self.now).isEmpty)
        #expect(Self.check([one, two, three]).obsolete(at: Self.now) == ["one"])
        #expect(Self.check([one, two, three]).obsolete(at: Self.now + -1).isEmpty)
    }

    // MARK: Withdrawn

    @Test
    func `An envelope that was withdrawn stays so, and its number counts`() throws {
        let old = Self.label("old", 5)
        let check = Self.check(withdrawn: [old])
        #expect(Self.refusal(check, old) == .withdrawn && Self.rolloutRefusal(check, old) == .withdrawn)
        for seq in [4, 5] {
            let new = Self.label("new", seq, .boxes(["a"]))
            #expect(Self.refusal(check, new) == .notAbove(5, .withdrawn))
            #expect(Self.rolloutRefusal(check, new) == .notAbove(5, .withdrawn))
        }
        #expect(Self.refusal(check, Self.label("new", 6)) == nil)
        #expect(Self.refusal(check, Self.label("new", 1, kind: .timetable)) == nil)
        // On its topics belongs what was published before.
        let before = Self.label("before", 4)
        let again = Self.check([before], withdrawn: [old], kept: [Self.all: old])
        #expect(try again.publish(before, at: Self.now) == [Self.all])
    }

    @Test
    func `One that was withdrawn and still stands at the broker has no say`() throws {
        let old = Self.label("old", 5)
        let check = Self.check(withdrawn: [old], kept: [Self.all: old])
        let london = Self.label("new", 6, .groups(["uk/london"]))
        #expect(try check.publish(london, at: Self.now) == [Self.all])
        #expect(Self.refusal(Self.check(kept: [Self.all: old]), london) == .hides(old))
    }

    @Test
    func `The number of what was withdrawn is kept until it is over and was followed everywhere`() {
        let old = Self.label("old", 5, .boxes(["a", "b"]), expires: 0)
        let (one, both) = (Self.label("one", 6, .boxes(["a"])), Self.label("both", 6, .boxes(["a", "b"])))
        #expect(Self.check([one], withdrawn: [old]).obsolete(at: Self.now).isEmpty)
        #expect(Self.check([both], withdrawn: [old]).obsolete(at: Self.now) == ["old"])
        #expect(Self.check([both], withdrawn: [old]).obsolete(at: Self.now + -1).isEmpty)
        // The one that follows has to be there.
        #expect(Self.check([old], withdrawn: [both]).obsolete(at: Self.now).isEmpty)
    }

    private static func withdrawalRefusal(
        _ check: ChangeCheck, _ name: String
    ) -> ChangeCheck.WithdrawalRefusal? {
        do throws(ChangeCheck.WithdrawalRefusal) {
            _ = try check.withdrawal(of: name)
            return nil
        } catch {
            return error
        }
    }

    @Test
    func `A published envelope is meant by its digest, or by enough of its beginning`() throws {
        let (one, two) = (Self.label("aaaaaaaa11", 1), Self.label("aaaaaaaa22", 2))
        let check = Self.check([one], withdrawn: [two])
        #expect(try check.withdrawal(of: "aaaaaaaa11") == .init(one, isWithdrawn: false))
        #expect(try check.withdrawal(of: "AAAAAAAA2") == .init(two, isWithdrawn: true))
        #expect(Self.withdrawalRefusal(check, "aaaaaaaa") == .several(2))
        #expect(Self.withdrawalRefusal(check, "aaaaaaa") == .short)
        #expect(Self.withdrawalRefusal(check, "") == .short)
        #expect(Self.withdrawalRefusal(check, "bbbbbbbb") == .unknown([one], damaged: []))
    }

    @Test
    func `What came to boxes by a roll-out is not withdrawn, but for one that was published after its end`()
        throws
    {
        let new = Self.label("aaaaaaaa11", 1)
        for change in [{ _ in }, { $0.pause() }, { $0.update(boxA: .reverted) }]
            as [(inout FleetRollout) -> Void]
        {
            let rollout = Self.rollout(new.digest, 1, change)
            #expect(Self.withdrawalRefusal(Self.check([], [rollout]), new.digest) == .rolledOut(rollout))
            #expect(Self.withdrawalRefusal(Self.check([new], [rollout]), new.digest) == .rolledOut(rollout))
            let sentence = ChangeCheck.WithdrawalRefusal.rolledOut(rollout).sentence(about: new.digest)
            #expect(sentence.contains("adhan-fleet rollout abort aaaaaaaa11"))
        }
        let ended = Self.rollout(new.digest, 1) { $0.abort() }
        let done = Self.rollout(new.digest, 1) { $0.update(boxA: .confirmed) }
        #expect(done.state == .done)
        for rollout in [ended, done] {
            #expect(Self.withdrawalRefusal(Self.check([], [rollout]), new.digest) == .rolledOut(rollout))
            #expect(try Self.check([new], [rollout]).withdrawal(of: new.digest).label == new)
        }
        // It may stand on the topic of the box that had it by the roll-out, too.
        let box = ChangePlace(box: "a", kind: .configuration)
        #expect(Self.check([new], [done]).placesToClear(of: new) == [Self.all, box])
        #expect(Self.check([new], [ended]).placesToClear(of: new) == [Self.all])
        let next = Self.label("next", 2)
        let deliveries = ChangeCheck.clearing(
            [Self.all, box], others: [next], isRevoked: { _ in false }, at: Self.now)
        #expect(deliveries.map(\.place) == [box, Self.all] && deliveries.map(\.digest) == [nil, "next"])
    }

    @Test
    func `An envelope that nobody knows is refused with those that are published`() {
        let labels = (10..<22).map { Self.label("\($0)345678901234567890", $0) }
        let sentence = ChangeCheck.WithdrawalRefusal.unknown(labels, damaged: []).sentence(about: "gone\n")
        #expect(
            sentence.contains("gone\\n") && sentence.contains("2134567890123456 (configuration number 21)"))
        #expect(sentence.contains("and 2 more") && !sentence.contains("number 11)"))
        #expect(
            ChangeCheck.WithdrawalRefusal.unknown([], damaged: []).sentence(about: "x")
                .contains("nothing is published"))
        let damaged = ChangeCheck.WithdrawalRefusal.unknown(labels, damaged: ["aaaaaaaa11"])
        #expect(damaged.sentence(about: "x").contains("aaaaaaaa11 (its file is damaged)"))
    }

    @Test
    func `An envelope whose file is damaged is withdrawn by its digest, and stays so`() throws {
        let one = Self.label("bbbbbbbb11", 1)
        let (there, gone) = (
            ChangeCheck.Damaged(digest: "aaaaaaaa11", isWithdrawn: false),
            ChangeCheck.Damaged(digest: "aaaaaaaa22", isWithdrawn: true)
        )
        let check = Self.check([one], damaged: [there, gone])
        for file in [there, gone] {
            let found = try check.withdrawal(of: file.digest)
            #expect(found.label == nil && found.digest == file.digest)
            #expect(found.isWithdrawn == file.isWithdrawn)
        }
        #expect(Self.withdrawalRefusal(check, "aaaaaaaa") == .several(2))
        #expect(Self.withdrawalRefusal(check, "cccccccc") == .unknown([one], damaged: [there.digest]))
        // A roll-out of it is ended first, as of any other one.
        let rollout = Self.rollout(there.digest, 1)
        #expect(
            Self.withdrawalRefusal(Self.check([], [rollout], damaged: [there]), there.digest)
                == .rolledOut(rollout))
        // Its number is unknown, and its digest is not.
        let (again, mended) = (Self.label(gone.digest, 9), Self.label(there.digest, 9))
        #expect(Self.refusal(check, again) == .withdrawn && Self.rolloutRefusal(check, again) == .withdrawn)
        #expect(Self.refusal(check, mended) == nil)
        let london = Self.label("new", 10, .groups(["uk/london"]))
        #expect(Self.refusal(Self.check(damaged: [gone], kept: [Self.all: again]), london) == nil)
    }

    @Test
    func `The copy of an envelope is one where its digest fits`() throws {
        let payload = Array(
            #"{"v":1,"org":"noor","kind":"hijri","seq":7,"for":{"boxes":["a"]},"notBefore":"2027-01-01T00:00:00Z","expires":"2027-01-31T00:00:00Z","body":{}}"#
                .utf8)
        let signature = SignedEnvelope.Signature(keyID: "0", bytes: [UInt8](repeating: 0, count: 64))
        let envelope = SignedEnvelope(payload: payload, signatures: [signature])
        let text = try envelope.encoded()
        let label = try #require(EnvelopeLabel(of: text, digest: envelope.digest))
        #expect(label.kind == .hijri && label.seq == 7 && label.selector == .boxes(["a"]))
        #expect(EnvelopeLabel(of: text, digest: "another") == nil)
        #expect(EnvelopeLabel(of: Array(text.dropLast(9)), digest: envelope.digest) == nil)
    }

    @Test
    func `What was there before stands again where boxes still take it, and else nothing`() {
        let places = ["d", "b", "a"].map { ChangePlace(box: $0, kind: .configuration) }
        let others = [
            Self.label("one", 1, .boxes(["a", "b"])), Self.label("two", 2, .boxes(["a"])),
            Self.label("over", 3, .boxes(["b"]), expires: 0), Self.label("for all", 4),
            Self.label("times", 6, .boxes(["d"]), kind: .timetable),
        ]
        func clearing(_ revoked: String = "") -> [RolloutBook.Delivery] {
            ChangeCheck.clearing(places, others: others, isRevoked: { $0 == revoked }, at: Self.now)
        }
        #expect(clearing().map(\.place.box) == ["a", "b", "d"])
        #expect(clearing().map(\.digest) == ["two", "one", nil])
        #expect(clearing("a").map(\.digest) == [nil, "one", nil])
    }
}

extension FleetRollout {
    /// All boxes are one, which has come to this state of the change.
    fileprivate mutating func update(boxA state: FleetRecord.Applied.State) {
        var settings = RolloutSettings()
        (settings.rings, settings.success, settings.soakSeconds) = ([100], .applied, 0)
        let applied = ReceivedReport.Applied(kind: kind, seq: seq, digest: digest, state: state)
        // It is given at the first look, and assessed at the second.
        for _ in 0..<2 { update(["a": Fact(applied: applied, isOnline: true)], settings, at: beganAt) }
    }
}
