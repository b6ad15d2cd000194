import PrayerEngine
import Testing

@testable import Envelope
@testable import FleetPlan

struct KeptChangesTests {
    private static func label(
        _ digest: String, _ selector: FleetSelector, kind: FleetKind = .configuration, seq: Int = 1
    ) -> EnvelopeLabel {
        EnvelopeLabel(
            digest: digest, kind: kind, seq: seq, selector: selector, expires: Instant(unixSeconds: 1e9))
    }

    /// Texts are the names of labels.
    private static let labels = [
        "all": label("all", .all), "two": label("two", .boxes(["a", "b"])),
        "times": label("times", .all, kind: .timetable), "next": label("next", .all, seq: 2),
    ]

    private static func place(_ box: String) -> ChangePlace { ChangePlace(box: box, kind: .configuration) }

    private static func note(
        _ kept: inout KeptChanges, _ box: String, _ text: String, isRetained: Bool = true
    ) {
        kept.note(place(box), Array(text.utf8), isRetained: isRetained) {
            labels[String(decoding: $0, as: UTF8.self)]
        }
    }

    @Test
    func `A text that no box would believe is nothing, and so is what was taken away`() {
        var kept = KeptChanges()
        Self.note(&kept, "all", "all")
        Self.note(&kept, "a", "nonsense")
        Self.note(&kept, "b", "times")
        #expect(kept.labels == [Self.place("all"): Self.labels["all"]!])
        Self.note(&kept, "all", "", isRetained: false)
        #expect(kept.labels.isEmpty)
        kept.refused()
        #expect(!kept.isReadable)
        Self.note(&kept, "all", "all")
        kept.connected()
        #expect(kept.isReadable && kept.labels.isEmpty)
    }

    @Test
    func `It is counted how often an envelope gave way to one that does not follow it`() {
        var kept = KeptChanges()
        kept.known = ["all", "next"]
        func counts() -> [String: Int] { kept.undone[Self.place("all")] ?? [:] }
        Self.note(&kept, "all", "all")
        Self.note(&kept, "all", "next")
        #expect(counts() == [:])
        Self.note(&kept, "all", "all")
        #expect(counts() == ["next": 1])
        Self.note(&kept, "all", "all")
        Self.note(&kept, "all", "next")
        Self.note(&kept, "all", "all")
        #expect(counts() == ["next": 2])
        // One that is not ours, though its number is higher.
        kept.known = ["all"]
        Self.note(&kept, "all", "next")
        #expect(counts() == ["next": 2, "all": 1])
        kept.connected()
        #expect(counts() == [:])
        // Taken away, or replaced by what no box would believe.
        kept.known = ["all", "next"]
        Self.note(&kept, "all", "next")
        Self.note(&kept, "all", "", isRetained: false)
        Self.note(&kept, "all", "", isRetained: false)
        #expect(counts() == ["next": 1])
        Self.note(&kept, "all", "next", isRetained: false)
        Self.note(&kept, "all", "nonsense", isRetained: false)
        #expect(counts() == ["next": 2])
    }

    @Test
    func
        `an envelope that stands wherever publish puts it, and is not in the folder, was published elsewhere`()
    {
        var kept = KeptChanges()
        Self.note(&kept, "a", "two")
        #expect(kept.drainOthers().isEmpty)
        // A roll-out puts one for all onto the topics of boxes.
        Self.note(&kept, "a", "all")
        Self.note(&kept, "b", "all")
        #expect(kept.drainOthers().isEmpty)
        Self.note(&kept, "a", "two")
        Self.note(&kept, "b", "two")
        Self.note(&kept, "all", "all", isRetained: false)
        let others = kept.drainOthers()
        #expect(others.map(\.label.digest) == ["two"] && others[0].text == Array("two".utf8))
        #expect(kept.drainOthers().isEmpty)
        kept.known = ["two"]
        Self.note(&kept, "a", "two")
        #expect(kept.drainOthers().isEmpty)
    }

    @Test
    func `The same text is read once, and the topics of boxes have their place`() {
        var kept = KeptChanges()
        var count = 0
        for box in 0..<1000 {
            kept.note(Self.place("box-\(box)"), [1, 2, 3], isRetained: true) { _ in
                count += 1
                return Self.labels["all"]
            }
        }
        #expect(count == 1 && kept.labels.count == 1000)
        let topics = FleetTopic(org: "noor")
        #expect(topics.place(at: topics.topic(of: Self.place("all"))) == Self.place("all"))
        #expect(topics.place(at: "adhand/v1/noor/a/down/configuration") == Self.place("a"))
        #expect(topics.place(at: "adhand/v1/noor/a/up/status") == nil)
        #expect(topics.place(at: topics.echo(of: "adhan-fleet-look-1")) == nil)
    }
}
