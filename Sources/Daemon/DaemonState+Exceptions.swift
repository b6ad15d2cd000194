import Announcements
import Envelope
import PrayerEngine
import Protocol
import Settings
import StateFile
import Texts
import Times

/// Exceptions: a mosque's manual decisions about single days.
extension DaemonState {
    mutating func setException(
        _ asked: ExceptionParameters, _ batch: inout EffectBatch
    ) throws(ControlError) -> ChangeReply {
        try setExceptions([asked], &batch)[0]
    }

    /// Sets exceptions, at most one for each prayer of a day. Each is checked together with all others, so order is irrelevant.
    mutating func setExceptions(
        _ asked: [ExceptionParameters], _ batch: inout EffectBatch
    ) throws(ControlError) -> [ChangeReply] {
        var new: [DayException] = []
        for asked in asked { new.append(try exception(asked, now: batch.now)) }
        // They replace earlier ones, and are checked against days without these.
        var exceptions = saved.exceptions
        let earlier = new.map { exceptions.remove($0.prayer, on: $0.date) }
        for exception in new { exceptions.set(exception) }
        var (days, replies) = ([SiteDay](), [ChangeReply]())
        for (exception, earlier) in zip(new, earlier) {
            do throws(DayException.CheckRefusal) {
                days.append(try exception.check(beside: exceptions, insteadOf: earlier, at: inputs.site))
            } catch {
                throw .invalidTime(value: error.value, reason: error.reason)
            }
        }
        // An announcement that has just become due was due by the earlier times.
        reconcile(&batch)
        // Only a synchronised clock decides which exceptions have expired.
        if clock.synchronized {
            exceptions.forget(before: zone.civilDate(of: batch.now).adding(days: -DayExceptions.daysKept))
        }
        guard exceptions.count <= DayExceptions.most else {
            throw .invalidTime(
                value: asked.first?.date ?? "",
                reason: "there are \(DayExceptions.most) exceptions already; remove some first")
        }
        saved.exceptions = exceptions
        for (index, exception) in new.enumerated() {
            saved.fleet.household(decides: .prayer(exception.prayer, on: exception.date))
            let sentence = exception.sentence(hasSlots: !days[index].jumuaIsDhuhr)
            changeSite(.exceptionChanged, sentence, &batch)
            var problems = exception.cautions(on: days[index], insteadOf: earlier[index], at: inputs.site)
            if let caution = cautionOfCall(exception) { problems.append(caution) }
            replies.append(ChangeReply(sentence, problems: problems))
        }
        return replies
    }

    private func cautionOfCall(_ exception: DayException) -> String? {
        let day = inputs.site.times.day(exception.date)
        let called = exception.prayer == .dhuhr && !day.prayers.contains(.dhuhr) ? .jumua : exception.prayer
        return exception.cautionOfCall(
            as: called, isSkipped: saved.toggles.skips.contains(called, on: day),
            saved.outcome(of: .adhan(called, on: exception.date)))
    }

    mutating func removeException(
        _ asked: ExceptionNameParameters, _ batch: inout EffectBatch
    ) throws(ControlError) -> ChangeReply {
        let (date, prayer) = (try day(named: asked.date), try prayer(asked.prayer))
        guard saved.exceptions[date][prayer] != nil else {
            throw .nothingSet(what: "there is no exception for \(prayer.title) on \(LocalText.long(date))")
        }
        reconcile(&batch)
        _ = saved.exceptions.remove(prayer, on: date)
        saved.fleet.household(decides: .prayer(prayer, on: date))
        let message = "\(prayer.title) on \(LocalText.long(date)) is as usual again"
        changeSite(.exceptionChanged, message, &batch)
        return ChangeReply(message)
    }

    private func exception(_ asked: ExceptionParameters, now: Instant) throws(ControlError) -> DayException {
        let (date, prayer) = (try day(named: asked.date), try prayer(asked.prayer))
        var exception: DayException
        do throws(DayException.CheckRefusal) {
            exception = try DayException(
                date: date, prayer: prayer, adhan: asked.adhan, iqama: asked.iqama,
                today: zone.civilDate(of: now))
        } catch {
            throw .invalidTime(value: error.value, reason: error.reason)
        }
        guard asked.adhan != nil || asked.iqama != nil else { throw .invalidParameter(parameter: "adhan") }
        exception.reason = asked.reason.map { PlainText.visible($0) }
        if let reason = exception.reason, reason.isEmpty || reason.count > 200 {
            throw .invalidParameter(parameter: "reason")
        }
        return exception
    }
}
