internal import ControlClient
internal import PrayerEngine
internal import Protocol
internal import RemoteProgramme
internal import Texts

/// Asks adhand for one act of a phone.
struct ActPerformer: Sendable {
    let adhand: Adhand

    /// The longest test of an adhan, in seconds.
    private static let testSeconds = 10.0

    /// - Returns: adhand's sentence about what was done; `nil` for an act that is not adhand's.
    func perform(_ act: Act) throws(ControlClientError) -> String? {
        switch act {
        case .mute(let end): try adhand.change("Mute", Self.mute(end))
        case .unmute: try adhand.change("Unmute")
        case .stop: try adhand.change("Stop")
        case .setPrayer(let prayer, let enabled):
            try adhand.change(
                enabled ? "EnablePrayers" : "DisablePrayers", PrayersParameters(prayers: [prayer.rawValue]))
        case .test(let prayer):
            try adhand.change(
                "TestPlay", TestPlayParameters(prayer: prayer.rawValue, seconds: Self.testSeconds),
                patienceSeconds: ControlClient.patienceForSoundSeconds)
        case .exception(let date, let prayer, let adhan, let iqama, let reason):
            try adhand.change(
                "SetException",
                ExceptionParameters(
                    date: date.description, prayer: prayer.rawValue, adhan: adhan.map(Self.clock),
                    iqama: iqama.map(Self.clock), reason: reason))
        case .removeException(let date, let prayer):
            try adhand.change(
                "RemoveException", ExceptionNameParameters(date: date.description, prayer: prayer.rawValue))
        case .hijri(let sighting, let date):
            try adhand.change(
                sighting == .sighted ? "HijriSighted" : "HijriComplete",
                HijriDayParameters(date: date?.description))
        case .pair, .leave, .revoke, .undoTimetable, .announcement, .removeAnnouncement, .removeSound,
            .answerTimetable, .takeTimetable, .set, .undo, .setup, .heard, .changeIqama:
            nil
        }
    }

    private static func mute(_ end: Act.MuteEnd) -> MuteParameters {
        switch end {
        case .seconds(let seconds): MuteParameters(duration: "\(Int(seconds.rounded(.up)))s")
        case .prayer(let prayer): MuteParameters(until: prayer.rawValue)
        case .next: MuteParameters(next: true)
        case .time(let minutes): MuteParameters(until: clock(minutes))
        }
    }

    /// `16:05`
    private static func clock(_ minutes: Int) -> String {
        let (hour, minute) = (minutes / 60, minutes % 60)
        return (hour < 10 ? "0" : "") + "\(hour)" + (minute < 10 ? ":0" : ":") + "\(minute)"
    }
}
