import Settings
import Times

extension ControlMethod {
    /// Every method that adhand understands.
    package static let all: [ControlMethod] =
        times + switching + playing + mosque + hijri + files + looking + settings + fleet + health

    private static let times: [ControlMethod] = [
        ControlMethod(
            .getStatus, .reading,
            "What is next, today's prayers, mute, playback, audio and clock health.", means: .getStatus),
        ControlMethod(
            .getTimes, .reading,
            "The times of some days from a date (YYYY-MM-DD; today when left out)."
        ) { .getTimes(date: $0.date, days: $0.days ?? 1) },
        ControlMethod(
            .getAgenda, .reading,
            """
            What is announced, and what a display shows beside it, of the civil days from a date (YYYY-MM-DD) on, at most 35,
            in order. Kinds that this version does not announce do not occur.
            """
        ) { .getAgenda(from: $0.from, days: $0.days) },
    ]

    private static let switching: [ControlMethod] = [
        ControlMethod(
            .mute, .changing("mute", from: .household, grant: .mute),
            """
            Silences everything: for a duration ("2h"), until a time ("14:00") or a prayer ("isha"), only the next
            adhan, or, with no parameter, until Unmute. What plays is faded out.
            """
        ) { .mute($0) },
        ControlMethod(
            .unmute, .changing("unmute", from: .household, grant: .mute),
            means: .unmute),
        ControlMethod(
            .muteOutput, .changing("mute", from: .household, grant: nil),
            """
            Silences one output of [[output]] for a duration ("2h"), or until a time ("14:00") or a prayer ("isha"). What plays there is
            played to its end. It is shown and recorded as a quiet window named "mute".
            """
        ) { .muteOutput($0) },
        ControlMethod(
            .unmuteOutput, .changing("unmute", from: .household, grant: nil)
        ) { .unmuteOutput($0.output) },
        ControlMethod(
            .enablePrayers, .changing("enable", from: .household, grant: .prayers)
        ) { .enablePrayers($0.prayers) },
        ControlMethod(
            .disablePrayers, .changing("disable", from: .household, grant: .prayers)
        ) { .disablePrayers($0.prayers) },
        ControlMethod(
            .skipPrayers, .changing("skip", from: .household, grant: .prayers),
            """
            Prayers of one day (YYYY-MM-DD; of each the next one when left out) are not called, as if they were switched off on
            that day alone.
            """
        ) { .skipPrayers($0) },
        ControlMethod(
            .unskipPrayers, .changing("unskip", from: .household, grant: .prayers),
            "Undoes SkipPrayers."
        ) { .unskipPrayers($0) },
        ControlMethod(.getSkips, .reading, means: .getSkips),
    ]

    private static let playing: [ControlMethod] = [
        ControlMethod(
            .stop, .changing("stop", from: .household, grant: .stop),
            "Fades out what is playing.", means: .stop),
        ControlMethod(
            .testPlay, .changing("test-play", from: .household, grant: .test),
            """
            Plays now exactly what the prayer would play, and as loud: refused with Quiet while a quiet window silences it. With
            despiteQuiet windows do not count; a caller that acts for somebody by a role cannot ask for that. outputs: on these alone.
            """
        ) { asked throws(ControlError) in
            if let seconds = asked.seconds, !(0.1...3600).contains(seconds) {
                throw .invalidParameter(parameter: "seconds")
            }
            return .testPlay(
                prayer: asked.prayer, seconds: asked.seconds, despiteQuiet: asked.despiteQuiet ?? false,
                outputs: asked.outputs ?? [])
        },
        ControlMethod(
            .playSound, .changing("sound play", from: .household, grant: nil)
        ) {
            .playSound(
                name: $0.name, prayer: $0.prayer, despiteQuiet: $0.despiteQuiet ?? false,
                outputs: $0.outputs ?? [])
        },
        ControlMethod(
            .getOutputs, .reading,
            "The outputs, as they stand; main where the configuration names none.", means: .getOutputs),
        ControlMethod(
            .getSounds, .reading,
            """
            Every sound that adhand finds, whether the configuration plays it or not: the folder of the added ones is not for
            every user to read. A file that was not measured when it was added has no numbers.
            """, means: .getSounds),
    ]

    private static let mosque: [ControlMethod] = [
        ControlMethod(
            .reloadTimetable, .changing("timetable", from: .fresh, grant: nil),
            "The timetable in the state directory was changed: it is read again, and takes effect at once.",
            means: .reloadTimetable),
        ControlMethod(
            .getTimetable, .reading,
            """
            The published timetable in force as CSV, as "adhanctl timetable export" writes it; only its head where there is none.
            """,
            means: .getTimetable),
        ControlMethod(
            .setException, .changing("exception", from: .keeper, grant: nil),
            """
            Sets one prayer of one day by hand: when it is called (of jumua: when the khutba is), when the congregation stands up,
            or both, as HH:MM by the wall clock. It goes before the timetable and the computation.
            """
        ) { .setException($0) },
        ControlMethod(
            .removeException, .changing("exception remove", from: .keeper, grant: nil)
        ) { .removeException($0) },
        ControlMethod(.getExceptions, .reading, means: .getExceptions),
    ]

    private static let hijri: [ControlMethod] = [
        ControlMethod(
            .hijriSighted, .changing("hijri sighted", from: .keeper, grant: nil),
            """
            The crescent was seen on the evening of a civil day, so a month begins there; today's evening when left out, and
            before Fajr the last one.
            """
        ) { .hijriSighted(date: $0.date) },
        ControlMethod(
            .hijriComplete, .changing("hijri complete", from: .keeper, grant: nil),
            "The Hijri month of a civil day has thirty days. On its first two days the month before is meant."
        ) { .hijriComplete(date: $0.date) },
        ControlMethod(
            .removeHijriPin, .changing("hijri pins remove", from: .keeper, grant: nil),
            "Undoes for a month (1448-09) what HijriSighted and HijriComplete set: when it begins."
        ) { .removeHijriPin(month: $0.month) },
        ControlMethod(.getHijriPins, .reading, means: .getHijriPins),
    ]

    private static let files: [ControlMethod] = [
        ControlMethod(
            .reload, .changing("reload", from: .fresh, grant: nil),
            """
            Reads the configuration again; a broken one is refused and changes nothing. What of its sounds cannot be read
            is reported under problems. written: the file that the caller has just changed; removed: the keys that this took out
            of it, so that any other key of it that is gone is reported as a loss. Without removed it wrote the whole file, and no part of that
            is a loss. unattended: nobody reads the answer. Without written and unattended a person means all that is gone, the timetable
            and the state as well.
            """
        ) { asked throws(ControlError) in
            guard let file = asked.written else {
                if asked.removed != nil { throw .invalidParameter(parameter: "removed") }
                return .reload(isUnattended: asked.unattended ?? false)
            }
            guard file.hasPrefix("/") else { throw .invalidParameter(parameter: "written") }
            return .reload(written: WrittenFile(file, removed: asked.removed))
        },
        ControlMethod(
            // The content of a named file is not for everybody.
            .check, .readingAs(.check(file: nil), otherwise: .init("check FILE", from: .fresh, grant: nil)),
            """
            Whether the configuration that the next start would read can be used, as the daemon sees it: the text, every
            sound decoded, every device opened. Another file may be checked by those who may change things.
            """
        ) { asked throws(ControlError) in
            if let file = asked.file, !file.hasPrefix("/") { throw .invalidParameter(parameter: "file") }
            return .check(file: asked.file)
        },
    ]

    private static let looking: [ControlMethod] = [
        ControlMethod(.getLog, .reading) {
            asked throws(ControlError) in
            let limit = asked.limit ?? 100
            guard limit >= 0 else { throw .invalidParameter(parameter: "limit") }
            return .getLog(limit: limit)
        },
        ControlMethod(
            .getHistory, .reading,
            """
            With "more" in several replies, each with its part of the announcements; otherwise the newest that fit into
            one, and how many older ones were left out.
            """
        ) { asked throws(ControlError) in
            let days = asked.days ?? 7
            guard HistoryDocument.possibleDays.contains(days) else {
                throw .invalidParameter(parameter: "days")
            }
            return .getHistory(days: days)
        },
        ControlMethod(.getTimers, .reading, means: .getTimers),
        ControlMethod(
            .trigger, .changing("debug trigger", from: .fresh, grant: nil),
            "A simulated prayer through the whole path, after a delay (\"20s\"); only with [debug] triggers = true."
        ) { .trigger(prayer: $0.prayer, delay: $0.delay) },
        ControlMethod(
            .getDiagnostics, .reading,
            "What adhand knows of itself, for a bug report; coordinates to a tenth of a degree unless asked otherwise."
        ) { .getDiagnostics(exact: $0.exactLocation ?? false) },
        ControlMethod(
            .monitor, .reading,
            """
            Every event as it happens; call with "more". With a snapshot the first reply carries the status instead of an event:
            what is true when the events begin.
            """
        ) { .monitor(snapshot: $0.snapshot ?? false) },
    ]
}
