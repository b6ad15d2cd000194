import Envelope
import PrayerEngine
import Protocol
import Settings
import StateFile
import Texts
import Times

/// The effect of each kind of envelope.
extension DaemonState {
    mutating func carryOut(
        _ work: FleetWork, _ batch: inout EffectBatch
    ) throws(EnvelopeRefusal) {
        guard let body = work.envelope.body else { return }
        let digest = work.envelope.digest
        let peer = Peer(
            user: 0, groups: [], name: Self.fleetUser, claim: CallerClaim(actor: work.actor))
        do throws(ControlError) {
            switch body {
            case .command(let command): try carryOut(command, by: peer, &batch)
            case .hijri(let pins): try setPins(pins, of: work.fleet, &batch)
            case .exceptions(let exceptions): try setExceptions(exceptions, of: work.fleet, &batch)
            case .keys(let signing, let recovery):
                guard let configured = configuredKeys else { return }
                saved.fleet.replace(configured, by: FleetKeys(signing: signing, recovery: recovery))
            case .configuration(let toml):
                saved.fleet.begin(
                    FleetConfiguration(fleet: work.fleet, digest: digest, toml: toml),
                    passedBefore: work.passedBefore, boot: boot, at: batch.now)
            case .timetable:
                saved.fleet.begin(
                    FleetTimetable(fleet: work.fleet, digest: digest, sha256: work.finding?.fileHash ?? ""),
                    passedBefore: work.passedBefore, boot: boot, at: batch.now)
            case .revert(let kind):
                putBack(kind, &batch)
                saved.fleet.revert(
                    kind, of: work.fleet, because: "\(work.title) of the fleet", at: batch.now)
            }
        } catch {
            throw EnvelopeRefusal(.invalid, error.sentence)
        }
        saved.fleet.end(work.isTrial ? .trial : .confirmed, of: work.envelope, at: batch.now)
    }

    private mutating func carryOut(
        _ command: FleetBody.Command, by peer: Peer, _ batch: inout EffectBatch
    ) throws(ControlError) {
        let everyPrayer = Prayer.allCases.map(\.rawValue)
        switch command {
        case .mute(let seconds):
            _ = try mute(MuteParameters(duration: DurationText.format(seconds)), by: peer, &batch)
        case .unmute: _ = unmute(&batch)
        case .enable: _ = try toggle(everyPrayer, true, &batch)
        case .disable: _ = try toggle(everyPrayer, false, &batch)
        // Nothing sounds when an envelope takes effect.
        case .stop: break
        }
    }

    private mutating func setPins(
        _ pins: [String: CivilDate], of fleet: String, _ batch: inout EffectBatch
    ) throws(ControlError) {
        let (pinned, overrides) = (saved.pins, saved.fleet.overrides)
        reconcile(&batch)
        // Months that change together do not conflict with each other.
        for month in pins.keys.compactMap({ HijriMonth($0) }) { saved.pins[month] = nil }
        renewSite(at: batch.now)
        for (text, date) in pins.sorted(by: { $0.key < $1.key }) {
            guard let month = HijriMonth(text) else { throw .invalidParameter(parameter: "pins") }
            let subject = FleetOverride.Subject.month(month)
            let (known, before) = (overrides.first { $0.subject == subject }, pinned[month])
            _ = try set(HijriCalendar.Pin(month: month, date: date), &batch)
            saved.fleet.override(
                FleetOverride(
                    fleet: fleet, subject: subject, before: before.map { .firstDay($0) } ?? .nothing),
                known: known)
        }
    }

    private mutating func setExceptions(
        _ exceptions: [FleetBody.Exception], of fleet: String, _ batch: inout EffectBatch
    ) throws(ControlError) {
        let ordered = exceptions.sorted { ($0.date, $0.prayer.rawValue) < ($1.date, $1.prayer.rawValue) }
        let before = ordered.map { new in
            let subject = FleetOverride.Subject.prayer(new.prayer, on: new.date)
            let times = saved.exceptions[new.date][new.prayer].map { FleetOverride.Before.times(.init($0)) }
            return (
                override: FleetOverride(fleet: fleet, subject: subject, before: times ?? .nothing),
                known: saved.fleet.override(of: subject)
            )
        }
        _ = try setExceptions(
            ordered.map { new in
                ExceptionParameters(
                    date: new.date.description, prayer: new.prayer.rawValue, adhan: new.adhan,
                    iqama: new.iqama)
            }, &batch)
        for (override, known) in before { saved.fleet.override(override, known: known) }
        let kept = saved.exceptions
        saved.fleet.forgetOverrides { subject in
            if case .prayer(let prayer, let date) = subject { kept[date][prayer] == nil } else { false }
        }
    }

    /// Restores the household's days and months, where it has decided nothing since.
    private mutating func putBack(_ kind: FleetKind, _ batch: inout EffectBatch) {
        let overrides = saved.fleet.overrides(of: kind)
        guard !overrides.isEmpty else { return }
        reconcile(&batch)
        for override in overrides {
            switch (override.subject, override.before) {
            case (.month(let month), .firstDay(let day)): saved.pins[month] = day
            case (.month(let month), _): saved.pins[month] = nil
            case (.prayer(let prayer, let date), .times(let times)):
                saved.exceptions.set(
                    DayException(
                        date: date, prayer: prayer, adhanMinutes: times.adhan, iqamaMinutes: times.iqama,
                        reason: times.reason))
            case (.prayer(let prayer, let date), _): _ = saved.exceptions.remove(prayer, on: date)
            }
        }
        changeSite(
            kind == .hijri ? .hijriChanged : .exceptionChanged,
            kind == .hijri
                ? "months begin again as before the fleet's changes"
                : "days are again as before the fleet's changes", &batch)
    }
}

extension FleetOverride.Times {
    fileprivate init(_ exception: DayException) {
        self.init(adhan: exception.adhanMinutes, iqama: exception.iqamaMinutes, reason: exception.reason)
    }
}
