import PrayerEngine
import Protocol
package import Texts

/// The document for `state`: the current state.
package struct StatePayload: Codable, Sendable, Equatable {
    package struct Last: Codable, Sendable, Equatable {
        package let id: String
        package let prayer: String
        package let at: String
        package let outcome: String
    }

    package struct Next: Codable, Sendable, Equatable {
        package let id: String
        package let prayer: String
        package let at: String
    }

    package var v = 1
    /// The time since which this state is known.
    package private(set) var at: String
    /// `idle`, `cued`, `playing` or `stopping`.
    package let state: String
    @Nullable package var playing: String?
    package let muted: Bool
    @Nullable package var muteUntil: String?
    @Nullable package var next: Next?
    @Nullable package var last: Last?
    package let enabled: [String: Bool]
    package let healthy: Bool
    package let version: String
    /// The upgrades of a flashed box.
    package var update: Update?

    package struct Update: Codable, Sendable, Equatable {
        package let installed: String
        package let prepared: String?
    }

    package init(_ box: BoxSnapshot, _ upgrade: UpgradeReport? = nil) {
        update = upgrade.map { Update(installed: $0.running, prepared: $0.prepared) }
        let status = box.status
        at = status.now
        state = status.playback.state.rawValue
        playing = status.playback.state == .idle ? nil : status.playback.id
        muted = status.mute.active
        muteUntil = status.mute.active ? status.mute.until ?? status.mute.at : nil
        next = status.next.map { .init(id: $0.id, prayer: $0.prayer, at: $0.at) }
        last = box.last.map {
            .init(id: $0.id, prayer: $0.prayer, at: $0.started ?? $0.scheduled, outcome: $0.outcome.rawValue)
        }
        let off = Set((status.switchedOff ?? []).filter { $0.occasion == nil }.map(\.prayer))
        enabled = Dictionary(
            uniqueKeysWithValues: Prayer.allCases.map { ($0.rawValue, !off.contains($0.rawValue)) })
        healthy = status.awaiting == nil && !(status.problems ?? []).contains { $0.severity == .problem }
        version = status.version
    }

    /// The state without times, which shows whether it has changed.
    package var timeless: StatePayload {
        var copy = self
        copy.at = ""
        return copy
    }
}

/// The document for `times`: those of today and tomorrow.
package struct TimesPayload: Codable, Sendable, Equatable {
    package struct Day: Codable, Sendable, Equatable {
        package let date: String
        package let prayers: [String: String?]
        package let iqama: [String: String?]

        package init(_ box: BoxSnapshot, on date: String) {
            self.date = date
            var prayers: [String: String?] = box.adhans(on: date).mapValues(\.at)
            // An unknown time is null. On a Friday Jumu'ah replaces Dhuhr.
            for prayer in ["fajr", "dhuhr", "asr", "maghrib", "isha"] where prayers[prayer] == nil {
                if prayer == "dhuhr", prayers["jumua"] != nil { continue }
                prayers[prayer] = .some(nil)
            }
            prayers["sunrise"] = .some(box.sunrise(on: date)?.at)
            self.prayers = prayers
            iqama = box.iqamas(on: date).mapValues(\.at)
        }
    }

    package var v = 1
    package let date: String
    package let prayers: [String: String?]
    package let iqama: [String: String?]
    package let tomorrow: Day

    package init(_ box: BoxSnapshot) {
        let today = Day(box, on: box.today)
        (date, prayers, iqama) = (today.date, today.prayers, today.iqama)
        tomorrow = Day(box, on: box.tomorrow)
    }
}

/// The document for `problems`: the open alerts.
package struct ProblemsPayload: Codable, Sendable, Equatable {
    package struct Open: Codable, Sendable, Equatable {
        package let alert: String
        package let severity: String
        @Nullable package var since: String?
        package let text: String
    }

    package var v = 1
    package let open: [Open]

    package init(_ book: AlertBook, _ box: BoxSnapshot?) {
        let zone = box?.zone ?? .utc
        open = AlertKind.allCases.compactMap { kind in
            guard let alert = book.open[AlertBook.Slot(kind: kind, isTest: false)] else { return nil }
            return Open(
                alert: kind.rawValue, severity: kind.severity.rawValue,
                since: alert.since.map { InstantText.rfc3339($0, in: zone, milliseconds: true) },
                text: alert.text)
        }
    }
}

extension Topics {
    /// Everything that is published after a connection, in this order, with `status` at the end.
    package func everything(
        _ box: BoxSnapshot?, _ book: AlertBook, _ config: BridgeConfig, programVersion: String,
        upgrade: UpgradeReport? = nil
    )
        -> [Publication]
    {
        var all: [Publication?] = []
        if let box {
            if config.homeAssistant.isEnabled {
                all.append(
                    .document(
                        discovery,
                        Discovery(
                            box, self, config, programVersion: programVersion, isFlashed: upgrade != nil),
                        isRetained: true))
            }
            let now = StatePayload(box, upgrade)
            all += [
                .document(state, now, essence: now.timeless),
                .document(times, TimesPayload(box), isRetained: true),
            ]
        }
        all += [
            .document(problems, ProblemsPayload(book, box), isRetained: true),
            Publication(daemon, box == nil ? Self.down : Self.up, isRetained: true),
            Publication(status, Self.online, isRetained: true),
        ]
        return all.compactMap(\.self)
    }
}

/// The last payload on each topic, so that it is not sent again unchanged.
package struct SentTopics: Sendable, Equatable {
    private var payloads: [String: [UInt8]] = [:]

    package init() {}

    /// Forgets all payloads, because a new connection needs them again.
    package mutating func forget() { payloads = [:] }

    /// - Returns: the publications with changes. Unretained ones are always included.
    package mutating func changes(in publications: [Publication]) -> [Publication] {
        publications.filter { publication in
            guard publication.isRetained else { return true }
            guard payloads[publication.topic] != publication.essence else { return false }
            payloads[publication.topic] = publication.essence
            return true
        }
    }
}
