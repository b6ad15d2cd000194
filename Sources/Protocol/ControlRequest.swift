package import Times

/// One call of a method of `org.adhand.Control`, checked for form; the daemon decides its meaning. A case has its
/// method's name, and the rest of the method is declared in ``ControlMethod/all``.
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

public struct MuteParameters: Codable, Sendable, Equatable {
    /// `2h`
    public var duration: String?
    /// `14:00`, or a prayer: `isha`.
    public var until: String?
    /// Only the next adhan.
    public var next: Bool?

    public init(duration: String? = nil, until: String? = nil, next: Bool? = nil) {
        self.duration = duration
        self.until = until
        self.next = next
    }
}

public struct TimesParameters: Codable, Sendable, Equatable {
    public var date: String?
    public var days: Int?

    public init(date: String? = nil, days: Int? = nil) {
        self.date = date
        self.days = days
    }
}

public struct PrayersParameters: Codable, Sendable, Equatable {
    public var prayers: [String]

    public init(prayers: [String]) {
        self.prayers = prayers
    }
}

public struct SkipParameters: Codable, Sendable, Equatable {
    public var prayers: [String]
    /// `2026-11-24`; of each the next one when left out.
    public var date: String?

    public init(prayers: [String], date: String? = nil) {
        self.prayers = prayers
        self.date = date
    }
}

/// `skip list --json`
public struct SkipsReply: ReplyDocument, Equatable {
    public static var described: String { "skips: []Skip" }
    public let skips: [SkipDocument]

    public init(skips: [SkipDocument]) {
        self.skips = skips
    }
}

/// A prayer of one day that is not called.
public struct SkipDocument: Codable, Sendable, Equatable {
    public let date: String
    public let prayer: String
    /// When it would have been called; left out of days that are far.
    public var at: String?

    public init(date: String, prayer: String, at: String? = nil) {
        self.date = date
        self.prayer = prayer
        self.at = at
    }
}

public struct TestPlayParameters: Codable, Sendable, Equatable {
    public var prayer: String
    public var seconds: Double?
    /// Whether it plays although a quiet window would silence it or make it quieter.
    public var despiteQuiet: Bool?
    /// Names of outputs; those that would play it when left out.
    public var outputs: [String]?

    public init(
        prayer: String, seconds: Double? = nil, despiteQuiet: Bool? = nil, outputs: [String]? = nil
    ) {
        self.outputs = outputs
        self.prayer = prayer
        self.despiteQuiet = despiteQuiet
        self.seconds = seconds
    }
}

public struct SoundParameters: Codable, Sendable, Equatable {
    public var name: String
    public var prayer: String?
    /// Whether it plays although a quiet window would silence it or make it quieter.
    public var despiteQuiet: Bool?
    /// Names of outputs; all when left out.
    public var outputs: [String]?

    public init(
        name: String, prayer: String? = nil, despiteQuiet: Bool? = nil, outputs: [String]? = nil
    ) {
        self.outputs = outputs
        self.despiteQuiet = despiteQuiet
        self.name = name
        self.prayer = prayer
    }
}

public struct ReloadParameters: Codable, Sendable, Equatable {
    /// An absolute path.
    public var written: String?
    public var removed: [String]?
    public var unattended: Bool?

    public init(written: String? = nil, removed: [String]? = nil, unattended: Bool? = nil) {
        (self.written, self.removed, self.unattended) = (written, removed, unattended)
    }
}

public struct LogParameters: Codable, Sendable, Equatable {
    public var limit: Int?

    public init(limit: Int? = nil) {
        self.limit = limit
    }
}

public struct HistoryParameters: Codable, Sendable, Equatable {
    public var days: Int?

    public init(days: Int? = nil) {
        self.days = days
    }
}

public struct TriggerParameters: Codable, Sendable, Equatable {
    public var prayer: String
    /// `20s`: how long from now; at once when left out.
    public var delay: String?

    public init(prayer: String, delay: String? = nil) {
        self.prayer = prayer
        self.delay = delay
    }
}

public struct DiagnosticsParameters: Codable, Sendable, Equatable {
    /// Whether coordinates are reported as they are, and not rounded to a tenth of a degree.
    public var exactLocation: Bool?

    public init(exactLocation: Bool? = nil) {
        self.exactLocation = exactLocation
    }
}

public struct CheckParameters: Codable, Sendable, Equatable {
    /// An absolute path.
    public var file: String?

    public init(file: String? = nil) {
        self.file = file
    }
}

public struct MonitorParameters: Codable, Sendable, Equatable {
    /// Whether the first reply tells the status.
    public var snapshot: Bool?

    public init(snapshot: Bool? = nil) {
        self.snapshot = snapshot
    }
}

public struct NoParameters: Codable, Sendable, Equatable {
    public init() {}
}
