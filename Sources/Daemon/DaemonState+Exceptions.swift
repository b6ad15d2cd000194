import Announcements
import Envelope
import PrayerEngine
import Protocol
import Settings
import Texts
import Times

/// A mosque's decisions by hand about single days.
extension DaemonState {
    mutating func setException(
        _ asked: ExceptionParameters, _ batch: inout EffectBatch
    ) throws(ControlError) -> SaidReply {
        let exception = try exception(asked, now: batch.now)
        // It replaces the one before, and is checked against the day without that one.
        var exceptions = saved.exceptions
        let earlier = exceptions.remove(exception.prayer, on: exception.date)
        let usual = inputs.site.applying(exceptions: exceptions).times
        let day = usual.day(exception.date)
        do throws(DayException.CheckRefusal) {
            try exception.check(on: day, next: usual.day(exception.date.adding(days: 1)), in: zone)
        } catch {
            throw .invalidTime(
                value: error.value, reason: error.reason + (exception.remark(onRefusalAfter: earlier) ?? ""))
        }
        // An announcement that has just become due was due by the times of before.
        reconcile(&batch)
        // Only a synchronised clock decides which exceptions are past for good.
        if clock.synchronized {
            exceptions.forget(before: zone.civilDate(of: batch.now).adding(days: -DayExceptions.daysKept))
        }
        exceptions.set(exception)
        guard exceptions.count <= DayExceptions.most else {
            throw .invalidTime(
                value: asked.date,
                reason: "there are \(DayExceptions.most) exceptions already; remove some first")
        }
        saved.exceptions = exceptions
        saved.fleet.household(decides: .prayer(exception.prayer, on: exception.date))
        let sentence = exception.sentence(hasSlots: !day.jumuaIsDhuhr)
        changeSite(.exceptionChanged, sentence, &batch)
        var problems = exception.cautions(on: day, in: zone)
        problems += [
            exception.iqamaCaution(on: inputs.site.times.day(exception.date), in: zone),
            exception.loss(of: earlier),
        ].compactMap(\.self)
        if exception.adhanMinutes != nil, let caution = cautionOfCall(exception) { problems.append(caution) }
        return SaidReply(sentence, problems: problems)
    }

    /// Why the adhan of an exception is not called at its time, where its day has settled that.
    private func cautionOfCall(_ exception: DayException) -> String? {
        let date = exception.date
        let isJumua =
            exception.prayer == .dhuhr && !inputs.site.times.day(date).prayers.contains(.dhuhr)
        let prayer = isJumua ? Prayer.jumua : exception.prayer
        let title = "\(prayer.title) of this day"
        let outcome = saved.outcome(of: .adhan(prayer, on: date))
        if saved.toggles.skips.contains(prayer, on: inputs.site.times.day(date)), outcome?.isHeard != true {
            return "\(title) is skipped, and is not called: \"adhanctl unskip \(prayer.rawValue) \(date)\" "
                + "undoes that"
        }
        guard let outcome, outcome.isFinal else { return nil }
        return outcome.isHeard
            ? "\(title) has been called already, and is not called again"
            : "\(title) is recorded as \(outcome.rawValue) already, and is not called any more"
    }

    mutating func removeException(
        _ asked: ExceptionNameParameters, _ batch: inout EffectBatch
    ) throws(ControlError) -> SaidReply {
        let (date, prayer) = (try day(named: asked.date), try prayer(asked.prayer))
        guard saved.exceptions[date][prayer] != nil else {
            throw .nothingSet(what: "there is no exception for \(prayer.title) on \(LocalText.long(date))")
        }
        reconcile(&batch)
        _ = saved.exceptions.remove(prayer, on: date)
        saved.fleet.household(decides: .prayer(prayer, on: date))
        let message = "\(prayer.title) on \(LocalText.long(date)) is as usual again"
        changeSite(.exceptionChanged, message, &batch)
        return SaidReply(message)
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
