internal import ControlClient
internal import PhoneRules
internal import PrayerEngine
internal import Protocol
internal import Settings
internal import Texts

/// The result of an act.
struct ActOutcome {
    /// A sentence for programs.
    let message: String
    let done: PageDone
    /// The number of the newest change, if settings were changed.
    var change: Int?
    /// Whether the change can be undone.
    var canBeUndone = false
    /// The digest of a picture that was uploaded.
    var picture: String?
    /// The next step of a set-up.
    var step: PhoneSetupDraft.Step?
    /// Questions that a timetable leaves open.
    var question: IntakeReply.Question?
    /// The reason why the second part of an act failed.
    var shortfall: RemoteRefusal?
    /// Parts of the configuration that will not work although the change was made, as sentences of adhand.
    var problems: [String] = []
    /// Whether the change has silenced loudspeakers.
    var isSilent = false
    /// Whether new loudspeakers are tried later because something is playing now.
    var awaitsTrial = false

    /// The number of a change of ``HandChanges`` that can be undone.
    var handUndo: Int?
    /// Values in force that the change has altered.
    var steps: [SettingsFacts.Step] = []
    /// The lines of the message, where it comes from adhand.
    private(set) var details: [String] = []

    init(_ message: String, _ done: PageDone) { (self.message, self.done) = (message, done) }

    /// - Parameter answer: the answer of adhand or of the intake.
    init(answer: String, _ done: PageDone) {
        self.init(answer, done)
        details = answer.split(separator: "\n").map(String.init)
    }
}

/// Asks adhand to perform an act of a phone.
struct ActPerformer: Sendable {
    let adhand: Adhand
    let claim: CallerClaim
    let memory: RemoteMemory

    /// The longest test of an adhan, in seconds.
    private static let testSeconds = 10.0

    /// - Parameter today: needed to remove announcements that are over.
    /// - Returns: `nil` for an act that adhand does not perform.
    func perform(_ act: Act, today: CivilDate?) throws(RemoteRefusal) -> ActOutcome? {
        switch act {
        case .set(let changes, _) where changes.isEmpty: return ActOutcome("Nothing was changed.", .unchanged)
        case .set, .changeIqama, .addSlot, .removeRow, .announcement, .removeAnnouncement:
            return try set(act, today: today)
        case .undo(let change):
            let before = try? adhand.settings()
            let reply = try ask { () throws(ControlClientError) in try adhand.undo(change, as: claim) }
            var performed = changed(ActOutcome(reply.message, .undone), reply.change)
            (performed.problems, performed.isSilent) = (reply.problems ?? [], reply.silent == true)
            performed.awaitsTrial = reply.awaitsTrial == true
            if let before, let after = try? adhand.settings() {
                performed.steps = SettingsFacts.steps(from: before, to: after)
            }
            return performed
        case .undoHand(let number): return try undo(hand: number)
        case .exception, .removeException, .hijri: return try setByHand(act)
        default: return try performCommand(act)
        }
    }

    /// - Returns: `nil` for an act that adhand does not perform.
    func performCommand(_ act: Act) throws(RemoteRefusal) -> ActOutcome? {
        guard let done = Self.result(of: act) else { return nil }
        let reply = try ask { () throws(ControlClientError) in try moment(act) }
        var performed = ActOutcome(answer: reply.message, done)
        performed.problems = reply.problems ?? []
        return performed
    }

    /// The number of attempts to change a list that another phone may change between reading and writing.
    private static let mostTries = 3

    private func set(_ act: Act, today: CivilDate?, tries: Int = mostTries) throws(RemoteRefusal)
        -> ActOutcome
    {
        let before = try ask { () throws(ControlClientError) in try adhand.settings() }
        let minute = today.flatMap { _ in try? adhand.status() }.flatMap {
            ClockText.parse(LocalText.minute($0.now))
        }
        let changeSet: SettingsChangeSet?
        do throws(FieldRefusal) {
            changeSet = try SettingsChangeSet(act, before, today: today, minute: minute)
        } catch {
            throw RemoteRefusal(error)
        }
        guard let changeSet else { return ActOutcome("Nothing was changed.", .unchanged) }
        let reply: SettingsChangedReply
        do throws(ControlClientError) {
            reply = try adhand.set(changeSet, as: claim)
        } catch {
            // The first of two taps may have made this change, which is then no conflict.
            guard case .refused(.settingConflict) = error else { throw RemoteRefusal(error) }
            if let now = try? adhand.settings(),
                changeSet.isDone(now, by: claim.actor)
                    || (try? SettingsChangeSet(act, now, today: today, minute: minute)) == .some(nil)
            {
                return ActOutcome("Everything is set so already.", .unchanged)
            }
            guard act.isOfFreshList, tries > 1 else { throw RemoteRefusal(error) }
            return try set(act, today: today, tries: tries - 1)
        }
        if reply.change == before.change { return ActOutcome(reply.message, .unchanged) }
        let isRemoval =
            switch act {
            case .removeRow, .removeAnnouncement: true
            default: false
            }
        let done = isRemoval ? PageDone.removed : .saved
        var performed = changed(ActOutcome(reply.message, done), reply.change)
        (performed.problems, performed.isSilent) = (reply.problems, reply.silent == true)
        performed.awaitsTrial = reply.awaitsTrial == true
        // The values before and after; for a list, the page shows the saved entries.
        if case .set = act, let after = try? adhand.settings() {
            performed.steps = SettingsFacts.steps(
                from: before, to: after, keys: Set(changeSet.changes.map(\.key)))
        }
        return performed
    }

    private func changed(_ performed: ActOutcome, _ change: Int) -> ActOutcome {
        var performed = performed
        (performed.change, performed.canBeUndone) = (change, true)
        return performed
    }

    private static func result(of act: Act) -> PageDone? {
        switch act {
        case .mute, .unmute, .muteOutput, .unmuteOutput, .stop, .test: .done
        case .setPrayer, .exception, .hijri: .saved
        case .removeException, .removeMonth: .removed
        default: nil
        }
    }

    private func moment(_ act: Act) throws(ControlClientError) -> ChangeReply {
        switch act {
        case .mute(let end): try adhand.change(.mute, Self.mute(end), as: claim)
        case .unmute: try adhand.change(.unmute, NoParameters(), as: claim)
        case .muteOutput(let output, let end):
            try adhand.change(.muteOutput, Self.mute(end, of: output), as: claim)
        case .unmuteOutput(let output):
            try adhand.change(.unmuteOutput, OutputParameters(output: output), as: claim)
        case .stop: try adhand.change(.stop, NoParameters(), as: claim)
        case .setPrayer(let prayer, let enabled):
            try adhand.change(
                enabled ? .enablePrayers : .disablePrayers, PrayersParameters(prayers: [prayer.rawValue]),
                as: claim)
        case .test(let prayer):
            try adhand.change(
                .testPlay, TestPlayParameters(prayer: prayer.rawValue, seconds: Self.testSeconds), as: claim,
                patienceSeconds: ControlClient.patienceForSoundSeconds)
        case .exception(let date, let prayer, let adhan, let iqama, let reason):
            try adhand.change(
                .setException,
                ExceptionParameters(
                    date: date.description, prayer: prayer.rawValue, adhan: adhan.map(Self.clock),
                    iqama: iqama.map(Self.clock), reason: reason), as: claim)
        case .removeException(let date, let prayer):
            try adhand.change(
                .removeException, ExceptionNameParameters(date: date.description, prayer: prayer.rawValue),
                as: claim)
        case .hijri(let sighting, let date):
            try adhand.change(
                sighting == .sighted ? .hijriSighted : .hijriComplete,
                HijriDayParameters(date: date?.description), as: claim)
        case .removeMonth(let month):
            try adhand.change(.removeHijriPin, HijriMonthParameters(month: month), as: claim)
        default: ChangeReply("")
        }
    }

    func ask<Value>(_ work: () throws(ControlClientError) -> Value) throws(RemoteRefusal) -> Value {
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

    private static func mute(_ end: Act.MuteEnd, of output: String) -> MuteOutputParameters {
        let asked = mute(end)
        return MuteOutputParameters(output: output, duration: asked.duration, until: asked.until)
    }

    /// The time of day as `16:05`.
    private static func clock(_ minutes: Int) -> String { ClockText.format(minutes) }
}

extension Act {
    /// Whether the act adds or removes one entry without depending on the rest of the list, which other phones may change
    /// meanwhile.
    fileprivate var isOfFreshList: Bool {
        switch self {
        case .announcement, .removeAnnouncement: true
        default: false
        }
    }
}
