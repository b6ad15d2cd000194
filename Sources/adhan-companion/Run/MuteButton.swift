import ControlClient
import Languages
import PrayerEngine
import Protocol

/// The button "Mute the adhan" of a notification, which stops a playing adhan or mutes the next one.
struct MuteButton {
    let client: ControlClient
    let words: Language

    /// Returns a title and a body to show; `nil` if the result can be heard.
    func press() -> (title: String, body: String)? {
        do throws(ControlClientError) {
            let status = try client.call(.getStatus).status
            // If a call is playing instead of an adhan, the button concerns the next adhan.
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

    /// - Returns: a sentence if the change was made but could not be saved.
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
        // The time on the place's clocks, as adhand writes it.
        let time = String(next.at.dropFirst(11).prefix(5))
        let prayer = words.prayers[next.prayer] ?? next.prayer
        return words.text(.isAt, ["prayer": prayer, "place": status.location.name, "time": time])
    }
}
