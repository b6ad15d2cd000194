package import PrayerEngine
public import Settings
public import Texts
package import Times

/// `explain --json`: how one time is computed.
public struct ExplainDocument: Codable, Sendable, Equatable {
    /// One rule, and the time after it.
    public struct Step: Codable, Sendable, Equatable {
        /// The rule in words: `depression angle 15°`.
        public let rule: String
        /// The instant after this step; `null` when there is none yet.
        @Nullable public var at: String?
        /// The origin of the rule or of its figure, such as an authority's publication, a file or a key; `null` where there is
        /// none.
        @Nullable public var source: String?

        package init(rule: String, at: String? = nil, source: String? = nil) {
            self.rule = rule
            self.at = at
            self.source = source
        }
    }

    /// The requested name: an event's, such as `fajr` or `last-third`, or `jumua`.
    public let prayer: String
    /// The civil date as `2026-11-20`.
    public let date: String
    /// The method of the calculation, and its chooser.
    public let calculation: StatusDocument.Calculation
    /// The rules in the order in which they are applied; the last one decides.
    public let steps: [Step]
    /// The event's time, RFC 3339 with the local offset, rounded as the calculation rounds; `null` where the event
    /// does not occur.
    @Nullable public var result: String?
    /// Remarks about the date; omitted when there are none.
    public var note: String?
    /// The warning that the machine's zone files lack a change of this zone's clocks; omitted otherwise.
    public var zoneWarning: StatusDocument.Problem?

    /// Explains an event. `name` is the requested one: an event's name, or `jumua`, which is called at dhuhr.
    package init(_ event: DayEvent, named name: String, on date: CivilDate, site: Site, note: String? = nil) {
        self.note = note
        zoneWarning = .init(of: site.zone)
        let text = { (instant: Instant) in InstantText.rfc3339(instant, in: site.zone, milliseconds: true) }
        prayer = name
        self.date = date.description
        calculation = .init(site)
        let day = site.times.day(date)
        var steps = site.times.computed.explain(event, on: date).map {
            Step(rule: $0.rule, at: $0.at.map(text), source: $0.source)
        }
        // The deciding rule is the last step; the computed step precedes it.
        if event == .imsak, day.imsakFollowsFajr || day.sourcedTimes[.imsak] == nil {
            steps += Self.imsak(of: day, site, text)
        } else if let row = day.row, let at = row.instant(of: event, in: site.zone) {
            steps.append(Step(rule: "published time", at: text(at), source: Self.source(of: event, in: row)))
        }
        if day.origin(of: event) == .rule, let at = day[event] {
            steps.append(Step(rule: "rule for Ramadan", at: text(at), source: "ramadan.\(event.rawValue)"))
        }
        if day.origin(of: event) == .exception, event != .imsak, let at = day[event] {
            steps.append(Self.byHand(event, at: text(at), day))
        }
        self.steps = steps
        let exact = site.calculation.effectiveRounding == .none
        result = day[event].map {
            InstantText.rfc3339($0, in: site.zone, milliseconds: exact)
        }
    }

    private static func byHand(_ event: DayEvent, at: String, _ day: SiteDay) -> Step {
        let reason = day.exceptions.values.first { $0.prayer.event == event }?.reason
        return Step(rule: "set by hand for this day", at: at, source: reason ?? "adhanctl exception")
    }

    /// The steps of an imsak that follows a Fajr from another source: that Fajr, and the distance before it.
    private static func imsak(of day: SiteDay, _ site: Site, _ text: (Instant) -> String) -> [Step] {
        var steps: [Step] = []
        if let row = day.row, let printed = row.instant(of: .imsak, in: site.zone) {
            steps.append(
                Step(
                    rule: "published imsak, which is not before Fajr and is not used", at: text(printed),
                    source: source(of: .imsak, in: row)))
        }
        guard day.imsakFollowsFajr, let fajr = day[.fajr], let imsak = day[.imsak] else { return steps }
        if day.origin(of: .fajr) == .exception {
            let step = byHand(.fajr, at: text(fajr), day)
            steps.append(Step(rule: "Fajr \(step.rule)", at: step.at, source: step.source))
        } else {
            let origin = day.row.map { Self.source(of: .fajr, in: $0) }
            steps.append(Step(rule: "published Fajr", at: text(fajr), source: origin))
        }
        let before = LocalText.span(fajr - imsak)
        steps.append(
            Step(
                rule: fajr == imsak ? "imsak is Fajr itself" : "\(before) before it", at: text(imsak),
                source: nil))
        return steps
    }

    /// `the timetable "main" (2027.csv, imported 2026-12-20)`
    private static func source(of event: DayEvent, in row: PublishedDay) -> String {
        guard let source = row.source(of: event) else { return "the timetable" }
        return "the timetable \"\(source.name)\" (\(source.file), imported \(source.imported))"
    }
}

/// `methods --json`
public struct MethodsDocument: Codable, Sendable, Equatable {
    /// One method with its figures.
    public struct Entry: Codable, Sendable, Equatable {
        /// The name that the configuration uses: `umm-al-qura`.
        public let name: String
        /// AlAdhan's number; `null` where it has none for it.
        @Nullable public var id: Int?
        /// Further names.
        public let aliases: [String]
        /// The authority's name.
        public let title: String
        /// Where it is used.
        public let region: String
        /// The origin of the figures, with the year or the number of published days with which they were compared.
        public let source: String
        /// The angle of Fajr in degrees below the horizon.
        public let fajrAngle: Double
        /// The angle of Isha in degrees below the horizon; `null` where ``ishaMinutes`` decides.
        @Nullable public var ishaAngle: Double?
        /// Minutes from Maghrib to Isha; `null` where ``ishaAngle`` decides.
        @Nullable public var ishaMinutes: Double?
        /// Minutes from Maghrib to Isha in Ramadan; `null` where ``ishaAngle`` decides.
        @Nullable public var ishaMinutesInRamadan: Double?
        /// The angle of Maghrib in degrees below the horizon; 0 is sunset.
        public let maghribAngle: Double
        /// Offsets of events in minutes; events without an offset are omitted.
        public let offsets: [String: Double]
        /// How times become whole minutes: `nearest`, `up`, `safe` or `none`.
        public let rounding: String
        /// The end of the night whose middle is midnight: `standard`, sunrise, or `jafari`, Fajr.
        public let midnight: String
        /// Whether Fajr or Isha depend on the season besides the Sun.
        public let seasonal: Bool
        /// The school where none is configured.
        public let asr: String
        /// Codes of the regions for which the authority publishes.
        public let zones: [String]
    }

    /// Every method that this version knows.
    public let methods: [Entry]

    /// Makes the document; it needs neither a place nor adhand.
    public init() {
        methods = Method.all.map(Entry.init)
    }
}

extension MethodsDocument.Entry {
    init(_ method: Method) {
        name = method.name
        id = method.number
        aliases = method.aliases
        title = method.title
        region = method.region
        source = method.source
        fajrAngle = method.fajrAngle
        maghribAngle = method.maghribAngle
        var offsets: [String: Double] = [:]
        for event in DayEvent.allCases where method.offsets[event] != 0 {
            offsets[event.rawValue] = method.offsets[event]
        }
        self.offsets = offsets
        rounding = method.rounding.rawValue
        midnight = method.midnight.rawValue
        seasonal = method.isSeasonal
        asr = method.asr.rawValue
        zones = method.places.all.map(\.code)
        switch method.isha {
        case .angle(let angle): ishaAngle = angle
        case .minutes(let minutes, let ramadan): (ishaMinutes, ishaMinutesInRamadan) = (minutes, ramadan)
        }
    }
}

/// `qibla --json`
public struct QiblaDocument: Codable, Sendable, Equatable {
    /// The place's name; its coordinates where it has none.
    public let name: String
    /// Degrees, north positive.
    public let latitude: Double
    /// Degrees, east positive.
    public let longitude: Double
    /// Whether the place was not chosen, and is the main place of the time zone.
    public let approximate: Bool
    /// The direction in degrees from true north, clockwise, to a thousandth.
    public let bearing: Double
    /// The distance in kilometres, to a tenth.
    public let distanceKm: Double

    package init(_ site: Site) {
        let qibla = Qibla(from: site.place)
        name = site.name
        latitude = site.place.latitude
        longitude = site.place.longitude
        approximate = site.approximate
        bearing = (qibla.bearing * 1000).rounded() / 1000
        distanceKm = (qibla.distanceMetres / 100).rounded() / 10
    }
}

/// `hijri --json`
public struct HijriDocument: Codable, Sendable, Equatable {
    /// A day of the Hijri calendar.
    public struct Day: Codable, Sendable, Equatable {
        /// The year since the Hijra.
        public let year: Int
        /// The month: 1 = Muharram … 12 = Dhu al-Hijjah.
        public let month: Int
        /// The day of the month, 1 to 30.
        public let day: Int
        /// `10 Jumada al-Akhirah 1448`
        public let text: String
        /// Whether it is computed, because the published calendar ends earlier; it may be a day off.
        public let arithmetic: Bool

        fileprivate init(_ hijri: HijriDate) {
            year = hijri.year
            month = hijri.month
            day = hijri.day
            text = hijri.text
            arithmetic = hijri.isArithmetic
        }
    }

    /// The requested civil date: `2026-11-20`.
    public let date: String
    /// The authority of the calendar.
    public let calendar: String
    /// The chooser of the calendar; `null` where the place is not known.
    @Nullable public var calendarChosenBy: MethodChoice.Chooser?
    /// The Hijri day of the date's daylight.
    public let hijri: Day
    /// The Hijri day from maghrib on, of the same civil day: the Hijri day begins at Maghrib.
    public let fromMaghrib: Day
    /// The instant of Maghrib; `null` where the place is unknown.
    @Nullable public var maghrib: String?

    package init(_ date: CivilDate, calendar: HijriCalendar, site: Site?) {
        self.date = date.description
        self.calendar = calendar.rule.name
        calendarChosenBy = site?.choice.calendar
        hijri = Day(calendar.date(date))
        fromMaghrib = Day(calendar.evening(of: date))
        maghrib = site.flatMap { site in
            site.times.day(date)[.maghrib].map { InstantText.rfc3339($0, in: site.zone) }
        }
    }
}
