internal import ControlClient
internal import PrayerEngine
internal import Protocol
internal import RemoteProgramme
internal import Settings
internal import Texts

/// The result of an act.
struct Performed {
    /// A sentence for programs.
    let message: String
    let done: PageDone
    /// The number of the newest change, where settings were changed.
    var change: Int?
    /// Whether the change can be undone.
    var canBeUndone = false
    /// The digest of a picture that was sent.
    var picture: String?
    /// The next step of a set-up.
    var step: SetupDraft.Step?
    /// Questions that a timetable leaves open.
    var question: IntakeReply.Question?

    init(_ message: String, _ done: PageDone) { (self.message, self.done) = (message, done) }
}

/// Asks adhand for one act of a phone.
struct ActPerformer: Sendable {
    let adhand: Adhand
    let claim: CallerClaim

    /// The longest test of an adhan, in seconds.
    private static let testSeconds = 10.0

    /// - Parameter today: for announcements that are over.
    /// - Returns: `nil` for an act that is not adhand's.
    func perform(_ act: Act, today: CivilDate?) throws(RemoteRefusal) -> Performed? {
        switch act {
        case .set(let changes, _) where changes.isEmpty: return Performed("Nothing was changed.", .unchanged)
        case .set, .changeIqama, .addSlot, .removeRow, .announcement, .removeAnnouncement:
            return try set(act, today: today)
        case .undo(let change):
            let reply = try ask { () throws(ControlClientError) in try adhand.undo(change, as: claim) }
            return changed(reply.message, .undone, reply.change)
        default:
            guard let done = Self.result(of: act) else { return nil }
            return Performed(try ask { () throws(ControlClientError) in try moment(act) }, done)
        }
    }

    private func set(_ act: Act, today: CivilDate?) throws(RemoteRefusal) -> Performed {
        let before = try ask { () throws(ControlClientError) in try adhand.settings() }
        let wish: SettingsWish?
        do throws(FieldRefusal) {
            wish = try SettingsWish(act, before, today: today)
        } catch {
            throw RemoteRefusal(error)
        }
        guard let wish else { return Performed("Nothing was changed.", .unchanged) }
        let reply = try ask { () throws(ControlClientError) in try adhand.set(wish, as: claim) }
        if reply.change == before.change { return Performed(reply.message, .unchanged) }
        let isRemoval =
            switch act {
            case .removeRow, .removeAnnouncement: true
            default: false
            }
        return changed(reply.message, isRemoval ? .removed : .saved, reply.change)
    }

    private func changed(_ message: String, _ done: PageDone, _ change: Int) -> Performed {
        var performed = Performed(message, done)
        (performed.change, performed.canBeUndone) = (change, true)
        return performed
    }

    private static func result(of act: Act) -> PageDone? {
        switch act {
        case .mute, .unmute, .stop, .test: .done
        case .setPrayer, .exception, .hijri: .saved
        case .removeException: .removed
        default: nil
        }
    }

    private func moment(_ act: Act) throws(ControlClientError) -> String {
        switch act {
        case .mute(let end): try adhand.change("Mute", Self.mute(end), as: claim)
        case .unmute: try adhand.change("Unmute", as: claim)
        case .stop: try adhand.change("Stop", as: claim)
        case .setPrayer(let prayer, let enabled):
            try adhand.change(
                enabled ? "EnablePrayers" : "DisablePrayers", PrayersParameters(prayers: [prayer.rawValue]),
                as: claim)
        case .test(let prayer):
            try adhand.change(
                "TestPlay", TestPlayParameters(prayer: prayer.rawValue, seconds: Self.testSeconds), as: claim,
                patienceSeconds: ControlClient.patienceForSoundSeconds)
        case .exception(let date, let prayer, let adhan, let iqama, let reason):
            try adhand.change(
                "SetException",
                ExceptionParameters(
                    date: date.description, prayer: prayer.rawValue, adhan: adhan.map(Self.clock),
                    iqama: iqama.map(Self.clock), reason: reason), as: claim)
        case .removeException(let date, let prayer):
            try adhand.change(
                "RemoveException", ExceptionNameParameters(date: date.description, prayer: prayer.rawValue),
                as: claim)
        case .hijri(let sighting, let date):
            try adhand.change(
                sighting == .sighted ? "HijriSighted" : "HijriComplete",
                HijriDayParameters(date: date?.description), as: claim)
        default: ""
        }
    }

    private func ask<Value>(_ work: () throws(ControlClientError) -> Value) throws(RemoteRefusal) -> Value {
        do throws(ControlClientError) {
            return try work()
        } catch {
            throw RemoteRefusal(error)
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
    private static func clock(_ minutes: Int) -> String { ClockText.format(minutes) }
}
