package import PrayerEngine
public import Settings
public import Texts
package import Times

/// `status`: everything about now, in the words of the contract. Instants are RFC 3339 with the local offset.
public struct StatusDocument: Codable, Sendable, Equatable {
    public struct Location: Codable, Sendable, Equatable {
        public let name: String
        public let latitude: Double
        public let longitude: Double
        public let timezone: String
        public let approximate: Bool

        package init(name: String, latitude: Double, longitude: Double, timezone: String, approximate: Bool) {
            self.name = name
            self.latitude = latitude
            self.longitude = longitude
            self.timezone = timezone
            self.approximate = approximate
        }
    }

    public struct Calculation: Codable, Sendable, Equatable {
        /// The name of the method in force, also where the place chose it.
        public let method: String
        public let asr: String
        public let highLatitude: String
        /// The chooser of the method; an older adhand does not say.
        public var methodChosenBy: MethodChoice.Chooser?
        /// The town whose country's practice it is, where the place chose it and a town is near.
        @Nullable public var methodPlace: String?
        /// Another country that is as near, and its method.
        @Nullable public var methodNeighbour: Neighbour?
        /// The authority of the calendar, and its chooser; an older adhand leaves it out.
        public var hijriCalendar: String?
        public var hijriCalendarChosenBy: MethodChoice.Chooser?
        /// An earlier version's calendar, until a person confirms the present one.
        public var hijriCalendarBefore: String?
        /// The days that are added to it; left out where none are, and by an older adhand.
        public var hijriAdjustment: Int?
        /// An earlier version's method, until a person confirms the present one.
        @Nullable public var methodBefore: Before?

        public struct Before: Codable, Sendable, Equatable {
            public let method: String
            public let asr: String
            /// An older adhand does not say.
            public var highLatitude: String?

            package init(method: String, asr: String, highLatitude: String? = nil) {
                self.method = method
                self.asr = asr
                self.highLatitude = highLatitude
            }
        }

        public struct Neighbour: Codable, Sendable, Equatable {
            public let country: String
            public let method: String

            package init(country: String, method: String) {
                self.country = country
                self.method = method
            }
        }

        package init(
            method: String, asr: String, highLatitude: String, methodChosenBy: MethodChoice.Chooser? = nil,
            methodPlace: String? = nil, methodNeighbour: Neighbour? = nil, hijriCalendar: String? = nil,
            hijriCalendarChosenBy: MethodChoice.Chooser? = nil
        ) {
            (self.hijriCalendar, self.hijriCalendarChosenBy) = (hijriCalendar, hijriCalendarChosenBy)
            (self.method, self.asr, self.highLatitude) = (method, asr, highLatitude)
            self.methodChosenBy = methodChosenBy
            self.methodPlace = methodPlace
            self.methodNeighbour = methodNeighbour
        }

        package init(_ site: Site, before: PractisedMethod? = nil, calendarBefore: HijriRule? = nil) {
            hijriCalendar = site.calculation.hijri.rule.name
            hijriCalendarChosenBy = site.choice.calendar
            hijriCalendarBefore = calendarBefore?.rawValue
            hijriAdjustment = site.calculation.hijri.adjustment == 0 ? nil : site.calculation.hijri.adjustment
            method = site.calculation.method.name
            asr = site.calculation.asr.rawValue
            highLatitude = site.calculation.highLatitude.rawValue
            methodChosenBy = site.choice.chooser
            methodPlace = site.choice.place
            methodNeighbour = site.choice.neighbour.map { .init(country: $0.country, method: $0.method) }
            methodBefore = before.map { .init(method: $0.method, asr: $0.asr, highLatitude: $0.highLatitude) }
        }
    }

    public struct Clock: Codable, Sendable, Equatable {
        public let synchronized: Bool
        public let trusted: Bool
        /// While it is not trusted: the time that adhand has already seen, later than what the clock shows; absent when that is
        /// only before any adhand was made, and from an older adhand.
        public var seen: String?

        package init(synchronized: Bool, trusted: Bool, seen: String? = nil) {
            self.synchronized = synchronized
            self.trusted = trusted
            self.seen = seen
        }
    }

    public struct MuteState: Codable, Sendable, Equatable {
        /// Whether something is silent because of it.
        public let active: Bool
        @Nullable public var until: String?
        @Nullable public var scope: String?
        /// The one adhan that is muted, and when it is due; left out of every other mute, and by an older adhand.
        public var id: String?
        public var at: String?
        /// Why nothing is silent because of it, while it is not active.
        public var obstacle: MuteObstacle?
        /// The name of the person or program that muted; left out where that is not known.
        public var by: String?

        package init(
            active: Bool, until: String? = nil, scope: String? = nil, id: String? = nil, at: String? = nil,
            obstacle: MuteObstacle? = nil, by: String? = nil
        ) {
            self.by = by
            self.active = active
            self.until = until
            self.scope = scope
            self.id = id
            self.at = at
            self.obstacle = obstacle
        }
    }

    public struct Next: Codable, Sendable, Equatable {
        public let id: String
        public let prayer: String
        public let at: String
        public let inSeconds: Double
        /// The source of its time; an older adhand does not say.
        public var source: TimeOrigin?
        /// The volume of each output; left out where the configuration has neither outputs nor quiet windows, and by an older adhand.
        public var outputs: [OutputPlan]?

        package init(
            id: String, prayer: String, at: String, inSeconds: Double, source: TimeOrigin? = nil,
            outputs: [OutputPlan]? = nil
        ) {
            self.outputs = outputs
            self.id = id
            self.prayer = prayer
            self.at = at
            self.inSeconds = inSeconds
            self.source = source
        }
    }

    public struct PrayerState: Codable, Sendable, Equatable {
        /// An older adhand does not say.
        public var id: String?
        public let prayer: String
        public let at: String
        public let enabled: Bool
        public let sound: [String]
        public let volume: Int
        public let state: Outcome
        /// The source of its time; an older adhand does not say.
        public var source: TimeOrigin?
        /// The volume of each output; left out where the configuration has neither outputs nor quiet windows, and by an older adhand.
        public var outputs: [OutputPlan]?

        package init(
            id: String? = nil, prayer: String, at: String, enabled: Bool, sound: [String], volume: Int,
            state: Outcome, source: TimeOrigin? = nil, outputs: [OutputPlan]? = nil
        ) {
            self.outputs = outputs
            self.id = id
            self.prayer = prayer
            self.at = at
            self.enabled = enabled
            self.sound = sound
            self.volume = volume
            self.state = state
            self.source = source
        }
    }

    public let version: String
    public let now: String
    public let startedAt: String
    public let configuration: String
    /// The paths that were tried while there is no configuration and the embedded default is in force; left out otherwise.
    public var configurationLookedFor: [String]?
    public enum Awaiting: String, Codable, Sendable, CaseIterable {
        /// Somebody is to name the place.
        case place
        /// The clock cannot be trusted yet.
        case clock
    }

    public let location: Location
    public var calculation: Calculation
    public let clock: Clock
    public let mute: MuteState
    @Nullable public var next: Next?
    public let prayers: [PrayerState]
    public let playback: Playback
    public let audio: Audio
    public let timers: [TimerEntry]
    /// The problem of the configuration on disk while an older one is in force; `null` when it is in force itself.
    @Nullable public var configurationProblem: ConfigurationProblem?
    /// The reason why the time zone in force differs from the machine's; `null` when it does not.
    @Nullable public var zoneProblem: Problem?
    /// The warning that the machine's zone files lack a change of this zone, or are old; left out otherwise, and by an
    /// older adhand. The codes are those of ``ZoneFilesWarning/Code``.
    public var zoneWarning: Problem?
    /// The reason why nothing is called: no place is set. The codes are those of ``PlaceProblem/Code``.
    @Nullable public var placeProblem: Problem?
    /// Missing before anything is called; `null` while adhand calls, and from an older one.
    @Nullable public var awaiting: Awaiting?
    /// The published timetable; `null` when there is none.
    @Nullable public var timetable: Timetable?
    /// The first time set by hand that can hardly be meant for this place; an older adhand does not say.
    public var exceptionProblem: ExceptionProblem?
    /// The problem of the state on disk; `null` when all is well.
    @Nullable public var stateProblem: String?
    /// The loss of the state at a start, until somebody confirms it; left out otherwise, and by an older adhand.
    public var stateLoss: StateLoss?
    /// A contradiction in the daemon's own state, which is a mistake in adhand; left out while there is none, and by an older
    /// adhand. The codes are those of ``InvariantCode``.
    public var internalProblem: Problem?
    /// The settings made by command could not be read at a start; left out otherwise, and by an older adhand.
    public var settingsProblem: Problem?
    /// Everything that is wrong now, as adhand itself finds it; an older adhand does not say.
    public var problems: [StatusProblem]?
    /// Where this daemon keeps its state and the added sounds, and where the shipped ones are.
    @Nullable public var stateDirectory: String?
    @Nullable public var audioDirectory: String?
    /// The prayers that are switched off or silent, whatever today is; an older adhand does not say.
    public var switchedOff: [SwitchedOff]?
    /// Prayers to come that are skipped; left out while there are none, and by an older adhand.
    public var skips: [SkipDocument]?

    package init(
        version: String, now: String, startedAt: String, configuration: String, location: Location,
        calculation: Calculation, clock: Clock, mute: MuteState, next: Next? = nil, prayers: [PrayerState],
        playback: Playback, audio: Audio, timers: [TimerEntry],
        configurationProblem: ConfigurationProblem? = nil, zoneProblem: Problem? = nil,
        zoneWarning: Problem? = nil,
        placeProblem: Problem? = nil, timetable: Timetable? = nil, exceptionProblem: ExceptionProblem? = nil,
        stateProblem: String? = nil, stateLoss: StateLoss? = nil, stateDirectory: String? = nil,
        audioDirectory: String? = nil, switchedOff: [SwitchedOff]? = nil, skips: [SkipDocument]? = nil
    ) {
        self.version = version
        self.now = now
        self.startedAt = startedAt
        self.configuration = configuration
        self.location = location
        self.calculation = calculation
        self.clock = clock
        self.mute = mute
        self.next = next
        self.prayers = prayers
        self.playback = playback
        self.audio = audio
        self.timers = timers
        self.configurationProblem = configurationProblem
        self.zoneProblem = zoneProblem
        self.zoneWarning = zoneWarning
        self.placeProblem = placeProblem
        self.timetable = timetable
        self.exceptionProblem = exceptionProblem
        self.stateProblem = stateProblem
        self.stateLoss = stateLoss
        self.stateDirectory = stateDirectory
        self.audioDirectory = audioDirectory
        self.switchedOff = switchedOff
        self.skips = skips
    }
}
