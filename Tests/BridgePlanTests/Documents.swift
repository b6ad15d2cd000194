import PrayerEngine
import Settings
import Testing
import Texts

@testable import BridgePlan
@testable import Protocol

/// Documents of adhand, as it writes them.
enum Documents {
    static func status(
        now: String = "2026-11-24T12:00:00.000-05:00", problems: [StatusProblem] = [], trusted: Bool = true,
        muted: Bool = false, dhuhr: Outcome = .played, next: String = "asr", outputs: [OutputState]? = nil
    ) throws -> StatusDocument {
        func prayer(_ name: String, _ clock: String, _ state: Outcome) -> StatusDocument.PrayerState {
            .init(
                id: "\(name)_20261124", prayer: name, at: "2026-11-24T\(clock):00.000-05:00", enabled: true,
                sound: ["standard"], volume: 80, state: state)
        }
        var status = StatusDocument(
            version: "0.1.0", now: now, startedAt: "2026-11-23T08:00:00.000-05:00",
            configuration: "/etc/adhand/adhand.toml",
            location: .init(
                name: "Queens, New York", latitude: 40.7, longitude: -73.8, timezone: "America/New_York",
                approximate: false),
            calculation: .init(method: "isna", asr: "standard", highLatitude: "angle"),
            clock: .init(synchronized: true, trusted: trusted),
            mute: .init(
                active: muted, until: muted ? "2026-11-24T14:00:00.000-05:00" : nil,
                scope: muted ? "all" : nil),
            next: .init(
                id: "\(next)_20261124", prayer: next, at: "2026-11-24T14:16:00.000-05:00", inSeconds: 8160),
            prayers: [
                prayer("fajr", "05:28", .played), prayer("dhuhr", "11:43", dhuhr),
                prayer("asr", "14:16", .upcoming),
            ],
            playback: .init(state: .idle),
            audio: .init(
                devices: ["default"], healthy: true, lastError: nil, checkedAt: nil, outputs: outputs),
            timers: [])
        status.problems = problems
        return status
    }

    static func occasion(
        _ id: String, _ kind: OccasionDocument.Kind, _ prayer: String?, _ at: String, enabled: Bool = true
    ) -> OccasionDocument {
        OccasionDocument(
            id: id, kind: kind, prayer: prayer, slot: prayer == nil ? nil : 1, at: at, source: .computed,
            sounds: ["standard"],
            enabled: enabled, state: "upcoming")
    }

    static func box(_ status: StatusDocument? = nil) throws -> BoxSnapshot {
        let agenda = [
            occasion("fajr_20261124", .adhan, "fajr", "2026-11-24T05:28:00.000-05:00"),
            occasion("sunrise_20261124", .sunrise, nil, "2026-11-24T06:54:00.000-05:00", enabled: false),
            occasion("dhuhr_20261124", .adhan, "dhuhr", "2026-11-24T11:43:00.000-05:00"),
            occasion("reminder-10m_asr_20261124", .reminder, "asr", "2026-11-24T14:06:00.000-05:00"),
            occasion("asr_20261124", .adhan, "asr", "2026-11-24T14:16:00.000-05:00"),
            occasion("iqama_asr_20261124", .iqama, "asr", "2026-11-24T14:30:00.000-05:00"),
            occasion("maghrib_20261124", .adhan, "maghrib", "2026-11-24T16:32:00.000-05:00"),
            occasion("isha_20261124", .adhan, "isha", "2026-11-25T00:10:00.000-05:00"),
            occasion("fajr_20261125", .adhan, "fajr", "2026-11-25T05:29:00.000-05:00"),
        ]
        var last = HistoryEntry(
            id: "dhuhr_20261124", prayer: "dhuhr", scheduled: "2026-11-24T11:43:00.000-05:00",
            outcome: .played,
            sound: ["standard"])
        last.started = "2026-11-24T11:43:00.004-05:00"
        last.latenessMs = 4.2
        return BoxSnapshot(status: try status ?? Self.status(), agenda: agenda, history: [last])
    }

    static func problem(_ kind: StatusProblem.Kind, since: String? = nil) -> StatusProblem {
        StatusProblem(kind, since: since, message: "\(kind.rawValue) is wrong")
    }
}

func instant(_ text: String) throws -> Instant { try #require(InstantText.parse(text)) }
