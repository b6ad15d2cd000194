package import Times

/// One call of a method of `org.adhand.Control`, checked for form; the daemon decides its meaning. A case
/// has the name of its method, which is declared in ``ControlMethod/all``.
package enum ControlRequest: Sendable, Equatable {
    case getStatus
    case getTimes(date: String?, days: Int)
    case getAgenda(from: String, days: Int)
    case mute(MuteParameters)
    case unmute
    /// Mutes one output until an instant.
    case muteOutput(MuteOutputParameters)
    case unmuteOutput(String)
    case enablePrayers([String])
    case disablePrayers([String])
    case skipPrayers(SkipParameters)
    case unskipPrayers(SkipParameters)
    case getSkips
    case stop
    /// `despiteQuiet`: even if a quiet window would silence it or make it quieter. `outputs`: only on these; none: those that
    /// would play it.
    case testPlay(prayer: String, seconds: Double?, despiteQuiet: Bool = false, outputs: [String] = [])
    /// `prayer`: plays it as for this prayer; `nil` leaves the choice to the daemon.
    case playSound(
        name: String, prayer: String? = nil, despiteQuiet: Bool = false, outputs: [String] = [])
    /// `written`: the file that the caller has just written, so that removed keys do not count as lost. `isUnattended`: the
    /// answer has no reader.
    case reload(written: WrittenFile? = nil, isUnattended: Bool = false)
    /// Reads the timetable again, which has changed on disk.
    case reloadTimetable
    /// Returns the timetable in force, in its strict form.
    case getTimetable
    case setException(ExceptionParameters)
    case removeException(ExceptionNameParameters)
    case getExceptions
    /// Records that the crescent was seen on the evening of a day; the daemon's own day when omitted.
    case hijriSighted(date: String?)
    /// Records that the month of a day has thirty days.
    case hijriComplete(date: String?)
    case removeHijriPin(month: String)
    case getHijriPins
    case setSettings(SettingsParameters)
    case getSettings(prefix: String?)
    /// Delivers a signed change of the box's fleet, as text.
    case applyEnvelope(String)
    case getFleet
    /// Undoes a change; the newest when omitted.
    case undoSettings(change: Int?)
    case getChanges(limit: Int)
    case getLog(limit: Int)
    case getHistory(days: Int)
    /// Returns doctor's verdicts on the daemon's own knowledge.
    case getHealth
    /// Returns the present state of the outputs.
    case getOutputs
    /// Returns the machine's devices, each tried without a sound.
    case getDevices
    case testDevice(TestDeviceParameters)
    case getTimers
    /// Returns the sounds: not every user may read the folder of the added ones.
    case getSounds
    case trigger(prayer: String, delay: String?)
    case getDiagnostics(exact: Bool)
    /// Checks whether a configuration can be used: that of the next start, or another file.
    case check(file: String?)
    /// Follows the events. With a snapshot the status comes first.
    case monitor(snapshot: Bool = false)
}

/// The parameters of `Mute`. At most one of the three is given; without any the mute lasts until `Unmute`.
public struct MuteParameters: Codable, Sendable, Equatable {
    /// The duration: `2h`.
    public var duration: String?
    /// The end: `14:00`, or a prayer: `isha`.
    public var until: String?
    /// Whether only the next adhan is muted.
    public var next: Bool?

    /// Makes the parameters; without any the mute lasts until `Unmute`.
    public init(duration: String? = nil, until: String? = nil, next: Bool? = nil) {
        self.duration = duration
        self.until = until
        self.next = next
    }
}

/// `GetTimes`
public struct TimesParameters: Codable, Sendable, Equatable {
    /// The first day, `2026-11-24`; today in the daemon's zone when omitted.
    public var date: String?
    /// The number of days, 1 to 35; 1 when omitted.
    public var days: Int?

    /// Makes the parameters; without any they request today.
    public init(date: String? = nil, days: Int? = nil) {
        self.date = date
        self.days = days
    }
}

/// `EnablePrayers` and `DisablePrayers`
public struct PrayersParameters: Codable, Sendable, Equatable {
    /// Names such as `fajr` and `jumua`; unless all of them are known, nothing is changed.
    public var prayers: [String]

    /// Makes the parameters.
    public init(prayers: [String]) {
        self.prayers = prayers
    }
}

/// `SkipPrayers` and `UnskipPrayers`
public struct SkipParameters: Codable, Sendable, Equatable {
    /// Names such as `fajr` and `jumua`; unless all of them are known, nothing is changed.
    public var prayers: [String]
    /// The day, `2026-11-24`; the next occurrence of each prayer when omitted.
    public var date: String?

    /// Makes the parameters; without a date they select the next occurrence of each prayer.
    public init(prayers: [String], date: String? = nil) {
        self.prayers = prayers
        self.date = date
    }
}

/// `skip --list --json`
public struct SkipsReply: ReplyDocument, Equatable {
    public static var described: String { "skips: []Skip" }
    /// Coming prayers that are skipped, by their days.
    public let skips: [SkipDocument]

    package init(skips: [SkipDocument]) {
        self.skips = skips
    }
}

/// A prayer of one day that is not called.
public struct SkipDocument: Codable, Sendable, Equatable {
    /// The civil date of the prayer: `2026-11-24`.
    public let date: String
    /// The prayer's name: `fajr`; `jumua` for a Friday's noon prayer.
    public let prayer: String
    /// The instant at which it would have been called; omitted for distant days.
    public var at: String?

    package init(date: String, prayer: String, at: String? = nil) {
        self.date = date
        self.prayer = prayer
        self.at = at
    }
}

/// `TestPlay`
public struct TestPlayParameters: Codable, Sendable, Equatable {
    /// The prayer's name: `fajr`.
    public var prayer: String
    /// Seconds after which it is faded out, 0.1 to 3600; played to its end when omitted.
    public var seconds: Double?
    /// Whether it plays even if a quiet window would silence it or make it quieter.
    public var despiteQuiet: Bool?
    /// Names of outputs; those that would play it when omitted.
    public var outputs: [String]?

    /// Makes the parameters; without options the prayer is played as it would be called.
    public init(
        prayer: String, seconds: Double? = nil, despiteQuiet: Bool? = nil, outputs: [String]? = nil
    ) {
        self.outputs = outputs
        self.prayer = prayer
        self.despiteQuiet = despiteQuiet
        self.seconds = seconds
    }
}

/// `PlaySound`
public struct SoundParameters: Codable, Sendable, Equatable {
    /// A sound's name as the configuration uses it.
    public var name: String
    /// The prayer whose volume and file of the sound are used; the daemon chooses when omitted.
    public var prayer: String?
    /// Whether it plays even if a quiet window would silence it or make it quieter.
    public var despiteQuiet: Bool?
    /// Names of outputs; all when omitted.
    public var outputs: [String]?

    /// Makes the parameters; without options the sound is played to its end on all outputs, as windows allow.
    public init(
        name: String, prayer: String? = nil, despiteQuiet: Bool? = nil, outputs: [String]? = nil
    ) {
        self.outputs = outputs
        self.despiteQuiet = despiteQuiet
        self.name = name
        self.prayer = prayer
    }
}

/// `Reload`
public struct ReloadParameters: Codable, Sendable, Equatable {
    /// The absolute path of a file that the caller has just written.
    public var written: String?
    /// The keys, as dotted paths, that the caller removed from ``written``; when omitted, it wrote the whole file. Only with
    /// ``written``.
    public var removed: [String]?
    /// Whether the answer has no reader, so that it confirms no loss; false when omitted.
    public var unattended: Bool?

    /// Makes the parameters; without any a person confirms everything that is gone.
    public init(written: String? = nil, removed: [String]? = nil, unattended: Bool? = nil) {
        (self.written, self.removed, self.unattended) = (written, removed, unattended)
    }
}

/// `GetLog`
public struct LogParameters: Codable, Sendable, Equatable {
    /// The number of notices, the newest ones; 100 when omitted. No more than ``LogReply/capacity`` are kept.
    public var limit: Int?

    /// Makes the parameters; without any they request the last 100.
    public init(limit: Int? = nil) {
        self.limit = limit
    }
}

/// `GetHistory`
public struct HistoryParameters: Codable, Sendable, Equatable {
    /// The number of days of 24 hours until now, 1 to 3660; 7 when omitted.
    public var days: Int?

    /// Makes the parameters; without any they request a week.
    public init(days: Int? = nil) {
        self.days = days
    }
}

/// `Trigger`
public struct TriggerParameters: Codable, Sendable, Equatable {
    /// The name of the simulated prayer.
    public var prayer: String
    /// The delay from now, such as `20s`; none when omitted.
    public var delay: String?

    /// Makes the parameters.
    public init(prayer: String, delay: String? = nil) {
        self.prayer = prayer
        self.delay = delay
    }
}

/// `GetDiagnostics`
public struct DiagnosticsParameters: Codable, Sendable, Equatable {
    /// Whether coordinates are reported exactly, and not rounded to a tenth of a degree.
    public var exactLocation: Bool?

    /// Makes the parameters; without any coordinates are rounded.
    public init(exactLocation: Bool? = nil) {
        self.exactLocation = exactLocation
    }
}

/// `Check`
public struct CheckParameters: Codable, Sendable, Equatable {
    /// The absolute path of the file to check.
    public var file: String?

    /// Makes the parameters; without a file the configuration of the next start is checked, which any user may request.
    public init(file: String? = nil) {
        self.file = file
    }
}

/// `Monitor`
public struct MonitorParameters: Codable, Sendable, Equatable {
    /// Whether the first reply contains the status.
    public var snapshot: Bool?

    /// Makes the parameters; without any only events are sent.
    public init(snapshot: Bool? = nil) {
        self.snapshot = snapshot
    }
}

/// The parameters of a method without parameters.
public struct NoParameters: Codable, Sendable, Equatable {
    /// Makes an empty object.
    public init() {}
}
