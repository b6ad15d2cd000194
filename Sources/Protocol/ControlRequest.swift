package import Times

/// One call of a method of `org.adhand.Control`, checked for form; the daemon decides its meaning. A case
/// has the name of its method, which is declared in ``ControlMethod/all``.
package enum ControlRequest: Sendable, Equatable {
    case getStatus
    case getTimes(date: String?, days: Int)
    case getAgenda(from: String, days: Int)
    case mute(MuteParameters)
    case unmute
    /// One output alone, until an instant.
    case muteOutput(MuteOutputParameters)
    case unmuteOutput(String)
    case enablePrayers([String])
    case disablePrayers([String])
    case skipPrayers(SkipParameters)
    case unskipPrayers(SkipParameters)
    case getSkips
    case stop
    /// `despiteQuiet`: although a quiet window would silence it or make it quieter. `outputs`: on these alone; none: those that would
    /// play it.
    case testPlay(prayer: String, seconds: Double?, despiteQuiet: Bool = false, outputs: [String] = [])
    /// `prayer`: as this one would play it; `nil` leaves the choice to the daemon.
    case playSound(
        name: String, prayer: String? = nil, despiteQuiet: Bool = false, outputs: [String] = [])
    /// `written`: the file that the caller has just written, so that removed keys do not count as lost. `isUnattended`:
    /// the answer has no reader.
    case reload(written: WrittenFile? = nil, isUnattended: Bool = false)
    /// The timetable on disk is another one now.
    case reloadTimetable
    /// The table in force, in its strict form.
    case getTimetable
    case setException(ExceptionParameters)
    case removeException(ExceptionNameParameters)
    case getExceptions
    /// The crescent was seen on the evening of a day; the daemon's own when left out.
    case hijriSighted(date: String?)
    /// The month of a day has thirty days.
    case hijriComplete(date: String?)
    case removeHijriPin(month: String)
    case getHijriPins
    case setSettings(SettingsParameters)
    case getSettings(prefix: String?)
    /// A signed change of the box's fleet, in its own text.
    case applyEnvelope(String)
    case getFleet
    /// The newest when left out.
    case undoSettings(change: Int?)
    case getChanges(limit: Int)
    case getLog(limit: Int)
    case getHistory(days: Int)
    /// Doctor's verdicts on what the daemon itself knows.
    case getHealth
    /// The outputs, as they stand.
    case getOutputs
    /// The machine's devices, each tried without a sound.
    case getDevices
    case testDevice(TestDeviceParameters)
    case getTimers
    /// The sounds: the folder of the added ones is not for every user to read.
    case getSounds
    case trigger(prayer: String, delay: String?)
    case getDiagnostics(exact: Bool)
    /// Whether a configuration can be used: the configuration of the next start, or another file.
    case check(file: String?)
    /// With a snapshot the status comes first.
    case monitor(snapshot: Bool = false)
}

/// `Mute`. At most one of the three is given; with none of them the mute lasts until `Unmute`.
public struct MuteParameters: Codable, Sendable, Equatable {
    /// `2h`
    public var duration: String?
    /// `14:00`, or a prayer: `isha`.
    public var until: String?
    /// Only the next adhan.
    public var next: Bool?

    /// Makes the parameters; with none given the mute lasts until `Unmute`.
    public init(duration: String? = nil, until: String? = nil, next: Bool? = nil) {
        self.duration = duration
        self.until = until
        self.next = next
    }
}

/// `GetTimes`
public struct TimesParameters: Codable, Sendable, Equatable {
    /// The first day, `2026-11-24`; today in the daemon's zone when left out.
    public var date: String?
    /// 1 to 35; 1 when left out.
    public var days: Int?

    /// Makes the parameters; with none given they ask for today.
    public init(date: String? = nil, days: Int? = nil) {
        self.date = date
        self.days = days
    }
}

/// `EnablePrayers` and `DisablePrayers`
public struct PrayersParameters: Codable, Sendable, Equatable {
    /// Names such as `fajr` and `jumua`; all of them are known, or nothing is changed.
    public var prayers: [String]

    /// Makes the parameters.
    public init(prayers: [String]) {
        self.prayers = prayers
    }
}

/// `SkipPrayers` and `UnskipPrayers`
public struct SkipParameters: Codable, Sendable, Equatable {
    /// Names such as `fajr` and `jumua`; all of them are known, or nothing is changed.
    public var prayers: [String]
    /// `2026-11-24`; of each the next one when left out.
    public var date: String?

    /// Makes the parameters; without a date the next of each prayer is meant.
    public init(prayers: [String], date: String? = nil) {
        self.prayers = prayers
        self.date = date
    }
}

/// `skip list --json`
public struct SkipsReply: ReplyDocument, Equatable {
    public static var described: String { "skips: []Skip" }
    /// Prayers to come that are skipped, by their days.
    public let skips: [SkipDocument]

    package init(skips: [SkipDocument]) {
        self.skips = skips
    }
}

/// A prayer of one day that is not called.
public struct SkipDocument: Codable, Sendable, Equatable {
    /// The civil date of the prayer: `2026-11-24`.
    public let date: String
    /// The prayer's name: `fajr`; `jumua` for the one of a Friday's noon.
    public let prayer: String
    /// When it would have been called; left out of days that are far.
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
    /// Seconds after which it is faded out, 0.1 to 3600; played to its end when left out.
    public var seconds: Double?
    /// Whether it plays although a quiet window would silence it or make it quieter.
    public var despiteQuiet: Bool?
    /// Names of outputs; those that would play it when left out.
    public var outputs: [String]?

    /// Makes the parameters; those left out play the prayer as it would be called.
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
    /// The prayer as which it is played: its volume, and its own file of the sound; the daemon chooses when left out.
    public var prayer: String?
    /// Whether it plays although a quiet window would silence it or make it quieter.
    public var despiteQuiet: Bool?
    /// Names of outputs; all when left out.
    public var outputs: [String]?

    /// Makes the parameters; those left out play the sound to its end on all outputs, as windows allow.
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
    /// An absolute path.
    public var written: String?
    /// The keys, as dotted paths, that the caller took out of ``written``; left out, it wrote the whole file. Only
    /// with ``written``.
    public var removed: [String]?
    /// Whether nobody reads the answer, so that it confirms no loss; false when left out.
    public var unattended: Bool?

    /// Makes the parameters; with none given a person confirms all that is gone.
    public init(written: String? = nil, removed: [String]? = nil, unattended: Bool? = nil) {
        (self.written, self.removed, self.unattended) = (written, removed, unattended)
    }
}

/// `GetLog`
public struct LogParameters: Codable, Sendable, Equatable {
    /// The number of notices, the newest ones; 100 when left out. No more than ``LogReply/capacity`` are kept.
    public var limit: Int?

    /// Makes the parameters; with none given they ask for the last 100.
    public init(limit: Int? = nil) {
        self.limit = limit
    }
}

/// `GetHistory`
public struct HistoryParameters: Codable, Sendable, Equatable {
    /// Days of 24 hours until now, 1 to 3660; 7 when left out.
    public var days: Int?

    /// Makes the parameters; with none given they ask for a week.
    public init(days: Int? = nil) {
        self.days = days
    }
}

/// `Trigger`
public struct TriggerParameters: Codable, Sendable, Equatable {
    /// The name of the prayer that is simulated.
    public var prayer: String
    /// `20s`: how long from now; at once when left out.
    public var delay: String?

    /// Makes the parameters.
    public init(prayer: String, delay: String? = nil) {
        self.prayer = prayer
        self.delay = delay
    }
}

/// `GetDiagnostics`
public struct DiagnosticsParameters: Codable, Sendable, Equatable {
    /// Whether coordinates are reported as they are, and not rounded to a tenth of a degree.
    public var exactLocation: Bool?

    /// Makes the parameters; with none given coordinates are rounded.
    public init(exactLocation: Bool? = nil) {
        self.exactLocation = exactLocation
    }
}

/// `Check`
public struct CheckParameters: Codable, Sendable, Equatable {
    /// An absolute path.
    public var file: String?

    /// Makes the parameters; without a file the configuration of the next start is checked, which anybody may ask
    /// for.
    public init(file: String? = nil) {
        self.file = file
    }
}

/// `Monitor`
public struct MonitorParameters: Codable, Sendable, Equatable {
    /// Whether the first reply tells the status.
    public var snapshot: Bool?

    /// Makes the parameters; with none given only events come.
    public init(snapshot: Bool? = nil) {
        self.snapshot = snapshot
    }
}

/// The parameters of a method that takes none.
public struct NoParameters: Codable, Sendable, Equatable {
    /// Makes an empty object.
    public init() {}
}
