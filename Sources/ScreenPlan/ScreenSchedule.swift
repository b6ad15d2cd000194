package import PrayerEngine
import Protocol
import Texts

/// The screen's content at every instant of the coming hours. The page only looks up what is due now, so it stays
/// right even if everything behind it has stopped.
package struct ScreenSchedule: Sendable, Equatable {
    /// Hours of scenes that a page receives.
    package static let hours = 48.0

    package let scenes: [Scene]
    package let home: HomeScreen
    package let banners: [Banner]
    package let announcements: [ScreenAnnouncement.Showing]

    package init(
        _ schedule: Schedule, _ settings: DisplaySettings, _ facts: DisplayFacts, now: Instant,
        hours: Double = hours, isBeingSetUp: Bool = false
    ) {
        let end = now + hours * 3600
        let sequences = Congregation.all(in: schedule).map {
            PrayerSequence($0, settings.scenes, facts, schedule.zone)
        }
        let spans =
            sequences.flatMap(\.spans) + Self.eids(schedule, settings.scenes)
            + NightScene.spans(schedule, sequences, settings.scenes)
            + (isBeingSetUp ? [Self.setUp(from: now, until: end)] : [])
        scenes = Timeline.scenes(spans, from: now, until: end, idle: "nothing else is due")
        home = HomeScreen(schedule, sequences, settings, from: now, until: end)
        banners = Banner.all(schedule, settings, from: now, until: end)
        announcements = ScreenAnnouncement.showings(
            settings.announcements, in: schedule.zone, from: now, until: end)
    }

    /// The scene at an instant within the hours that it was made for.
    package func scene(at instant: Instant) -> Scene? { scenes.last { $0.from <= instant } }

    /// The scene of a box without a place: until a place is known, which makes another schedule.
    private static func setUp(from start: Instant, until end: Instant) -> Span {
        Span(from: start, until: end, kind: .setUp, reason: "the box is to be set up by phone")
    }

    /// The scenes of Eid prayers, which have a time and neither adhan nor iqama; the khutba follows the prayer.
    private static func eids(_ schedule: Schedule, _ lengths: DisplaySettings.Scenes) -> [Span] {
        schedule.occasions.filter { $0.kind == .eid }.flatMap { eid -> [Span] in
            let clock = InstantText.minute(eid.at, in: schedule.zone)
            let end = eid.at + lengths.eidPrayerSeconds
            func span(_ kind: Scene.Kind, _ from: Instant, _ until: Instant, _ reason: String) -> Span {
                Span(
                    from: from, until: until, kind: kind, slot: eid.slot, isEid: true, target: eid.at,
                    reason: reason)
            }
            return [
                span(
                    .approaching, eid.at - lengths.approachingSeconds, eid.at, "the Eid prayer is at \(clock)"
                ),
                span(
                    .prayer, eid.at, lengths.hidesBoard(isGathering: true) ? end : eid.at,
                    "the Eid prayer began at \(clock)"),
                span(
                    .khutba, end, end + lengths.khutbaSeconds, "the khutba follows the Eid prayer of \(clock)"
                ),
            ]
        }
    }
}
