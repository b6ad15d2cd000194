package import PrayerEngine
package import Texts

/// A scene: the screen's content from an instant on, until the next one begins.
package struct Scene: Sendable, Equatable {
    /// The kinds in the order of their priority: of several that are due at once the first one is shown. docs/DISPLAY.md
    /// publishes this order, and the tests compare the two.
    package enum Kind: String, Sendable, CaseIterable, Codable {
        case setUp = "set-up"
        case adhan, iqama, prayer, khutba
        case toIqama = "to-iqama"
        case dua, approaching, adhkar, night, home

        package var rank: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }
    }

    package var from: Instant
    package let kind: Kind
    package let prayer: Prayer?
    package let slot: Int
    /// Whether it belongs to the prayer of a feast, which has no name among the daily ones.
    package let isEid: Bool
    /// The instant that the screen counts to, or since: the adhan for `approaching`, the iqama for `to-iqama`, `iqama` and
    /// `prayer`.
    package let target: Instant?
    /// The reason for this scene in one sentence.
    package let reason: String
    /// Whether the call that it shows could not be heard.
    package var isUnheard = false
    /// Whether the day's times stay on the screen during this scene.
    package var keepsBoard = false
}

/// A period for which one scene is requested.
struct Span: Sendable, Equatable {
    let from: Instant
    let until: Instant
    let kind: Scene.Kind
    var prayer: Prayer?
    var slot = 1
    var isEid = false
    var target: Instant?
    let reason: String
    var isUnheard = false
    var keepsBoard = false

    var scene: Scene {
        Scene(
            from: from, kind: kind, prayer: prayer, slot: slot, isEid: isEid, target: target, reason: reason,
            isUnheard: isUnheard, keepsBoard: keepsBoard)
    }

    /// Whether this one is shown if both are requested: the higher rank, and among equals the one that began later.
    func goesBefore(_ other: Span) -> Bool {
        kind.rank != other.kind.rank ? kind.rank < other.kind.rank : other.from < from
    }
}

/// The span to show at each instant: the spans may overlap, the result does not.
enum Timeline {
    static func scenes(_ spans: [Span], from start: Instant, until end: Instant, idle: String) -> [Scene] {
        let spans = spans.filter { $0.from < $0.until && $0.from < end && start < $0.until }
        let edges = Set(spans.flatMap { [$0.from, $0.until] }.filter { start < $0 && $0 < end } + [start])
        var scenes: [Scene] = []
        for edge in edges.sorted() {
            let due = spans.filter { $0.from <= edge && edge < $0.until }
            var scene: Scene
            if let shown = due.max(by: { $1.goesBefore($0) }) {
                scene = shown.scene
                // The first scene keeps its real beginning; a scene that comes back after another one begins again.
                if scene.from < edge, !scenes.isEmpty { scene.from = edge }
            } else {
                scene = Scene(
                    from: edge, kind: .home, prayer: nil, slot: 1, isEid: false, target: nil, reason: idle)
            }
            if let last = scenes.last, last.isSame(as: scene) { continue }
            scenes.append(scene)
        }
        return scenes
    }
}

extension Scene {
    /// Whether the screen would look the same.
    func isSame(as other: Scene) -> Bool {
        kind == other.kind && prayer == other.prayer && slot == other.slot && isEid == other.isEid
            && target == other.target
    }
}
