package import PrayerEngine
package import Protocol
package import Texts

/// The real outcomes of the calls, from the daemon's own record.
package struct DisplayFacts: Sendable, Equatable {
    package struct Call: Sendable, Equatable {
        /// The end of the sound, future or past; `nil` where it is unknown.
        package var end: Instant?
        package var outcome: Outcome

        package init(end: Instant?, outcome: Outcome) {
            self.end = end
            self.outcome = outcome
        }
    }

    /// The calls by the announcement's identity.
    package var calls: [String: Call]
    /// The length of each prayer's call when it was last heard to its end.
    package var usualLengthSeconds: [Prayer: Double]

    package init(calls: [String: Call] = [:], usualLengthSeconds: [Prayer: Double] = [:]) {
        self.calls = calls
        self.usualLengthSeconds = usualLengthSeconds
    }

    /// - Parameter history: in the order of the daemon's file.
    package init(status: StatusDocument?, history: [HistoryEntry], now: Instant) {
        self.init()
        for entry in history {
            var end: Instant?
            if let started = entry.started.flatMap(InstantText.parse), let rate = entry.rate, rate > 0 {
                let seconds = Double(entry.framesPlayed) / Double(rate)
                if entry.outcome.isHeardSomewhere || entry.outcome == .interrupted { end = started + seconds }
                if entry.outcome.isHeardSomewhere, AnnouncementID(entry.id)?.kind == .adhan,
                    let prayer = Prayer(rawValue: entry.prayer)
                {
                    usualLengthSeconds[prayer] = seconds
                }
            }
            calls[entry.id] = Call(end: end, outcome: entry.outcome)
        }
        guard let playback = status?.playback, playback.state == .playing || playback.state == .stopping,
            let id = playback.id
        else { return }
        var end: Instant?
        if let duration = playback.durationSeconds, let position = playback.positionSeconds {
            end = now + max(0, duration - position)
        }
        calls[id] = Call(end: end, outcome: .playing)
    }
}
