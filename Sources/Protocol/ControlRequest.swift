package import Times

/// One call of a method of `org.adhand.Control`, checked for form; what it means the daemon decides. A case has its method's name,
/// and all else that is to be said of the method is declared in ``ControlMethod/all``.
package enum ControlRequest: Sendable, Equatable {
    case getStatus
    case getTimes(date: String?, days: Int)
    case getAgenda(from: String, days: Int)
    case mute(MuteParameters)
    case unmute
    case enablePrayers([String])
    case disablePrayers([String])
    case skipPrayers(SkipParameters)
    case unskipPrayers(SkipParameters)
    case getSkips
    case stop
    case testPlay(prayer: String, seconds: Double?)
    /// `prayer`: as this one would play it; `nil` leaves the choice to the daemon.
    case playSound(name: String, prayer: String? = nil)
    /// `written`: the file that the caller has just written, so that what this took out of it is not lost.
    /// `isUnattended`: nobody reads the answer.
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
    case getLog(limit: Int)
    case getHistory(days: Int)
    case getTimers
    /// The sounds: the folder of the added ones is not for every user to read.
    case getSounds
    case trigger(prayer: String, delay: String?)
    case getDiagnostics(exact: Bool)
    /// Whether a configuration can be used: the one that would be read at the next start, or another file.
    case check(file: String?)
    /// With a snapshot the status comes first.
    case monitor(snapshot: Bool = false)
}

package struct MuteParameters: Codable, Sendable, Equatable {
    /// `2h`
    package var duration: String?
    /// `14:00`, or a prayer: `isha`.
    package var until: String?
    /// Only the next adhan.
    package var next: Bool?

    package init(duration: String? = nil, until: String? = nil, next: Bool? = nil) {
        self.duration = duration
        self.until = until
        self.next = next
    }
}

package struct TimesParameters: Codable, Sendable, Equatable {
    package var date: String?
    package var days: Int?

    package init(date: String? = nil, days: Int? = nil) {
        self.date = date
        self.days = days
    }
}

package struct PrayersParameters: Codable, Sendable, Equatable {
    package var prayers: [String]

    package init(prayers: [String]) {
        self.prayers = prayers
    }
}

package struct SkipParameters: Codable, Sendable, Equatable {
    package var prayers: [String]
    /// `2026-11-24`; of each the next one when left out.
    package var date: String?

    package init(prayers: [String], date: String? = nil) {
        self.prayers = prayers
        self.date = date
    }
}

/// `skip list --json`
package struct SkipsReply: ReplyDocument, Equatable {
    package static var described: String { "skips: []Skip" }
    package let skips: [SkipDocument]

    package init(skips: [SkipDocument]) {
        self.skips = skips
    }
}

/// A prayer of one day that is not called.
package struct SkipDocument: Codable, Sendable, Equatable {
    package let date: String
    package let prayer: String
    /// When it would have been called; left out of days that are far.
    package var at: String?

    package init(date: String, prayer: String, at: String? = nil) {
        self.date = date
        self.prayer = prayer
        self.at = at
    }
}

package struct TestPlayParameters: Codable, Sendable, Equatable {
    package var prayer: String
    package var seconds: Double?

    package init(prayer: String, seconds: Double? = nil) {
        self.prayer = prayer
        self.seconds = seconds
    }
}

package struct SoundParameters: Codable, Sendable, Equatable {
    package var name: String
    package var prayer: String?

    package init(name: String, prayer: String? = nil) {
        self.name = name
        self.prayer = prayer
    }
}

package struct ReloadParameters: Codable, Sendable, Equatable {
    /// An absolute path.
    package var written: String?
    package var removed: [String]?
    package var unattended: Bool?

    package init(written: String? = nil, removed: [String]? = nil, unattended: Bool? = nil) {
        (self.written, self.removed, self.unattended) = (written, removed, unattended)
    }
}

package struct LogParameters: Codable, Sendable, Equatable {
    package var limit: Int?

    package init(limit: Int? = nil) {
        self.limit = limit
    }
}

package struct HistoryParameters: Codable, Sendable, Equatable {
    package var days: Int?

    package init(days: Int? = nil) {
        self.days = days
    }
}

package struct TriggerParameters: Codable, Sendable, Equatable {
    package var prayer: String
    /// `20s`: how long from now; at once when left out.
    package var delay: String?

    package init(prayer: String, delay: String? = nil) {
        self.prayer = prayer
        self.delay = delay
    }
}

package struct DiagnosticsParameters: Codable, Sendable, Equatable {
    /// Whether coordinates are reported as they are, and not rounded to a tenth of a degree.
    package var exactLocation: Bool?

    package init(exactLocation: Bool? = nil) {
        self.exactLocation = exactLocation
    }
}

package struct CheckParameters: Codable, Sendable, Equatable {
    /// An absolute path.
    package var file: String?

    package init(file: String? = nil) {
        self.file = file
    }
}

package struct MonitorParameters: Codable, Sendable, Equatable {
    /// Whether the first reply tells the status.
    package var snapshot: Bool?

    package init(snapshot: Bool? = nil) {
        self.snapshot = snapshot
    }
}

package struct NoParameters: Codable, Sendable, Equatable {
    package init() {}
}
