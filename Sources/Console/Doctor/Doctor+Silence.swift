import Protocol
import Settings
import Texts

/// Checks whether anything will be heard.
extension Doctor {
    static func silence(_ facts: DoctorFacts) -> DoctorCheck {
        guard let status = facts.status else {
            return DoctorCheck(.silence, .ok, "adhand does not answer, so whether it is muted is unknown.")
        }
        if let total = totalSilence(status, facts) { return total }
        let silences = ComingSilences(status, facts.agenda)
        var found = [
            switches(status, facts), unplayed(silences, status), mutedOutputs(status, facts),
        ].compactMap(\.self)
        // Quiet windows were configured on purpose, so they are fine, but worth mentioning.
        found += silences.sentences.map { DoctorCheck(.silence, .ok, $0) }
        guard !found.isEmpty else {
            return DoctorCheck(.silence, .ok, "Nothing is muted, skipped or switched off.")
        }
        let verdicts = found.map(\.verdict)
        let fixes = found.compactMap(\.fix)
        return DoctorCheck(
            .silence,
            verdicts.contains(.problem) ? .problem : verdicts.contains(.warning) ? .warning : .ok,
            found.map(\.message).joined(separator: " "),
            fix: fixes.isEmpty ? nil : fixes.joined(separator: " && "))
    }

    /// The finding that nothing at all will be heard, so that the rest does not matter.
    private static func totalSilence(_ status: StatusDocument, _ facts: DoctorFacts) -> DoctorCheck? {
        if status.mute.active {
            // A mute with an end is intended; one without an end silences every coming adhan.
            let isOpen = status.mute.until == nil && status.mute.scope == "all"
            return DoctorCheck(
                .silence, isOpen ? .problem : .warning, "adhand is muted: \(StatusFacts.mute(status).text).",
                fix: sudo("adhanctl unmute", facts))
        }
        guard status.timetable?.isSilent == true, status.prayers.contains(where: { !$0.enabled }) else {
            return nil
        }
        return DoctorCheck(
            .silence, .problem,
            "Nothing is called today, because the timetable does not have the day and timetable.missing is "
                + "\"silent\". Import the times of these days, or have them computed.",
            fix: sudo("adhanctl set timetable.missing compute", facts))
    }

    /// Prayers that are switched off, silent or skipped.
    private static func switches(_ status: StatusDocument, _ facts: DoctorFacts) -> DoctorCheck? {
        let today = status.prayers.filter { !$0.enabled }
        // On six days of seven Friday's prayer is not among today's.
        let all =
            status.switchedOff
            ?? today.compactMap { Prayer(rawValue: $0.prayer) }.map { .init(prayer: $0, how: .command) }
        let off = all.filter(\.isOff)
        if !off.isEmpty {
            return DoctorCheck(
                .silence, !today.isEmpty && today.count == status.prayers.count ? .problem : .warning,
                "\(PlainText.list(off.map(\.title))) \(off.count == 1 ? "is" : "are") switched off and will not be called.",
                fix: sudo("adhanctl enable \(off.map(\.prayer).joined(separator: " "))", facts))
        }
        let names = unheard(status)
        if !names.isEmpty {
            return DoctorCheck(
                .silence, .warning,
                "\(PlainText.list(names)) \(names.count == 1 ? "is" : "are") configured to be silent (volume 0, or the sound "
                    + "\"silent\").")
        }
        if let skips = status.skips, !skips.isEmpty {
            return DoctorCheck(
                .silence, .warning, "\(StatusFacts.skipped(skips)) will not be called: skipped by hand.",
                fix: sudo("adhanctl unskip \(skips[0].prayer) \(skips[0].date)", facts))
        }
        return nil
    }

    /// Prayers that are called without a sound; an older adhand reports only today's.
    private static func unheard(_ status: StatusDocument) -> [String] {
        if let all = status.switchedOff { return all.filter { !$0.isOff }.map(\.title) }
        return status.prayers.filter { $0.volume == 0 || $0.sound == [AdhanSettings.silent] }
            .map { Prayer(rawValue: $0.prayer)?.title ?? $0.prayer }
    }

    /// Announcements that no output plays although nothing else silences them.
    private static func unplayed(_ silences: ComingSilences, _ status: StatusDocument) -> DoctorCheck? {
        let known = unheard(status)
        let titles = silences.unplayed.filter { !known.contains($0) }
        guard !titles.isEmpty else { return nil }
        return DoctorCheck(
            .silence, .warning,
            "No output plays \(PlainText.list(titles)). See kinds, prayers, except and volume of [[output]].")
    }

    /// Outputs that a person muted: intended, but worth mentioning as long as it lasts.
    private static func mutedOutputs(_ status: StatusDocument, _ facts: DoctorFacts) -> DoctorCheck? {
        let muted = (status.namedOutputs ?? []).filter { $0.quiet == OutputState.mute }
        guard !muted.isEmpty else { return nil }
        let named = muted.map { output in
            let until = output.quietUntil.map { " until \(LocalText.spoken($0, now: status.now))" } ?? ""
            return "\"\(output.name)\"\(until)"
        }
        return DoctorCheck(
            .silence, .warning,
            "\(muted.count == 1 ? "An output is" : "Outputs are") muted: \(PlainText.list(named)).",
            fix: muted.map { sudo("adhanctl unmute --output \($0.name)", facts) }.joined(separator: " && "))
    }
}
