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
            let status = try client.call(.getStatus).status
            // A call that sounds is none; then the next adhan is meant.
            if status.playback.state == .playing, status.playback.prayer != nil {
                _ = try change(.stop, NoParameters())
                return nil
            }
            let unsaved = try change(.mute, MuteParameters(next: true))
            return (words.text(.nextMuted), unsaved ?? status.next.map { text($0, status) } ?? "")
        } catch {
            return (words.text(.unmuted), error.message)
        }
    }

    /// - Returns: the sentence about what was done and could not be saved.
    private func change<Parameters>(
        _ method: MethodSignature<Parameters, ChangeReply>, _ parameters: Parameters
    ) throws(ControlClientError) -> String? {
        do throws(ControlClientError) {
            try client.call(method, parameters)
            return nil
        } catch {
            guard error.isDone else { throw error }
            return error.message
        }
    }

    private func text(_ next: StatusDocument.Next, _ status: StatusDocument) -> String {
        // By the place's clocks, as adhand writes it.
        let time = String(next.at.dropFirst(11).prefix(5))
        let prayer = words.prayers[next.prayer] ?? next.prayer
        return words.text(.isAt, ["prayer": prayer, "place": status.location.name, "time": time])
    }
}
