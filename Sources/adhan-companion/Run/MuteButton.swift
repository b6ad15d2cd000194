import ControlClient
import Languages
import PrayerEngine
import Protocol

/// "Mute the adhan" on a notification: stops a playing adhan, or mutes the next one.
struct MuteButton {
    let client: ControlClient
    let words: Language

    /// The text about it, as a title and a body; `nil` where it is heard that it worked.
    func press() -> (title: String, body: String)? {
        do throws(ControlClientError) {
            let status = try client.call("GetStatus", for: StatusReply.self).status
            // A call that sounds is none; then the next adhan is meant.
            if status.playback.state == .playing, status.playback.prayer != nil {
                try client.call("Stop", for: SaidReply.self)
                return nil
            }
            try client.call("Mute", MuteParameters(next: true), for: SaidReply.self)
            return (words.text(.nextMuted), status.next.map { text($0, status) } ?? "")
        } catch {
            return (words.text(.unmuted), error.message)
        }
    }

    private func text(_ next: StatusDocument.Next, _ status: StatusDocument) -> String {
        // By the place's clocks, as adhand writes it.
        let time = String(next.at.dropFirst(11).prefix(5))
        let prayer = words.prayers[next.prayer] ?? next.prayer
        return words.text(.isAt, ["prayer": prayer, "place": status.location.name, "time": time])
    }
}
