import Envelope
import PrayerEngine
import Protocol
import Settings
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
            case .hijri(let pins): try setPins(pins, &batch)
            case .exceptions(let exceptions):
                for exception in exceptions {
                    _ = try setException(
                        ExceptionParameters(
                            date: exception.date.description, prayer: exception.prayer.rawValue,
                            adhan: exception.adhan, iqama: exception.iqama), &batch)
                }
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
                saved.fleet.revert(kind, because: "\(work.title) of the fleet", at: batch.now)
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
        // Nothing sounds whenever an envelope takes effect.
        case .stop: break
        }
    }

    private mutating func setPins(
        _ pins: [String: CivilDate], _ batch: inout EffectBatch
    ) throws(ControlError) {
        for (text, date) in pins.sorted(by: { $0.key < $1.key }) {
            guard let month = HijriMonth(text) else { throw .invalidParameter(parameter: "pins") }
            _ = try set(HijriCalendar.Pin(month: month, date: date), &batch)
        }
    }
}
