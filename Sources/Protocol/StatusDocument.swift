public import Settings
public import Texts

/// `status`: everything about the present, in the documented form. Instants are RFC 3339 with the local offset.
public struct StatusDocument: Codable, Sendable, Equatable {
    /// The clock, and whether adhand relies on it.
    public struct Clock: Codable, Sendable, Equatable {
        /// Whether the kernel reports the clock as synchronised.
        public let synchronized: Bool
        /// Whether adhand trusts it; while false, nothing is called.
        public let trusted: Bool
        /// The latest time that adhand knows to have passed, if the clock is earlier and not trusted; absent when the clock is
        /// merely before the first release, and from an older adhand.
        public var seen: String?

        package init(synchronized: Bool, trusted: Bool, seen: String? = nil) {
            self.synchronized = synchronized
            self.trusted = trusted
            self.seen = seen
        }
    }

    /// The mute of everything or of the next adhan. Mutes of single outputs are in ``Audio/outputs``.
    public struct MuteState: Codable, Sendable, Equatable {
        /// Whether the mute is in effect: it silences something now or later.
        public let active: Bool
        /// RFC 3339: when the mute ends by itself; `null` where `Unmute` or its adhan ends it, and where there is none.
        @Nullable public var until: String?
        /// `all` or `next`, as ``MuteScope`` has it; `null` where there is no mute.
        @Nullable public var scope: String?
        /// The one adhan that is muted; omitted for every other mute, and by an older adhand.
        public var id: String?
        /// RFC 3339: when the adhan of ``id`` is due; omitted as ``id`` is.
        public var at: String?
        /// Why it silences nothing, while it is not active.
        public var obstacle: MuteObstacle?
        /// The name of the person or program that muted; omitted where unknown.
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

    /// The next adhan that is neither switched off nor skipped, even if a mute silences it.
    public struct Next: Codable, Sendable, Equatable {
        /// Its identity as text: see ``AnnouncementID``.
        public let id: String
        /// The prayer's name: `fajr`.
        public let prayer: String
        /// The instant in RFC 3339 in milliseconds.
        public let at: String
        /// Seconds until then, to a tenth.
        public let inSeconds: Double
        /// The source of its time; omitted by an older adhand.
        public var source: TimeOrigin?
        /// The volume of each output; omitted without configured outputs or quiet windows, and by an older adhand.
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

    /// A prayer of today.
    public struct PrayerState: Codable, Sendable, Equatable {
        /// The announcement's identity; omitted by an older adhand.
        public var id: String?
        /// The prayer's name: `fajr`; `jumua` on Fridays.
        public let prayer: String
        /// RFC 3339 in milliseconds: when its adhan is due.
        public let at: String
        /// Whether it is switched on; also true for one that is skipped on this day alone.
        public let enabled: Bool
        /// The sounds of its adhan, one after another, as configured.
        public let sound: [String]
        /// Percent of perceived loudness, as configured; quiet windows are in ``outputs``.
        public let volume: Int
        /// Its state; ``isMuted(_:at:)`` returns whether an upcoming one will be silent.
        public let state: Outcome
        /// The source of its time; omitted by an older adhand.
        public var source: TimeOrigin?
        /// The volume of each output; omitted without configured outputs or quiet windows, and by an older adhand.
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

    /// adhand's own version.
    public let version: String
    /// RFC 3339 in milliseconds: when this was written.
    public let now: String
    /// RFC 3339 in milliseconds: when this adhand was started.
    public let startedAt: String
    /// The path of the configuration in force, or a phrase for people if there is none: see ``configurationFile``.
    public let configuration: String
    /// The paths that were tried while there is no configuration and the embedded default is in force; omitted otherwise.
    public var configurationLookedFor: [String]?
    /// The condition that prevents every call.
    public enum Awaiting: String, Codable, Sendable, CaseIterable {
        /// A person has to set the place.
        case place
        /// The clock cannot be trusted yet.
        case clock
    }

    /// The place in force.
    public let location: Location
    /// The method in force and the calendar.
    public var calculation: Calculation
    /// The clock, and whether adhand relies on it.
    public let clock: Clock
    /// The mute, and whether it silences anything.
    public let mute: MuteState
    /// The next adhan; `null` where none is in sight, as without a place or a trusted clock.
    @Nullable public var next: Next?
    /// Today's prayers in order; empty while no place is set.
    public let prayers: [PrayerState]
    /// The sound that plays now.
    public let playback: Playback
    /// The sound devices and their health.
    public let audio: Audio
    /// The announcements that are armed, by instant.
    public let timers: [TimerEntry]
    /// The problem of the configuration on disk while an older one is in force; `null` when it is in force itself.
    @Nullable public var configurationProblem: ConfigurationProblem?
    /// Why the time zone in force differs from the machine's; `null` when it does not.
    @Nullable public var zoneProblem: Problem?
    /// The warning that the machine's zone files lack a change of this zone, or are old; omitted otherwise, and by an older
    /// adhand. The codes are those of ``ZoneFilesWarning/Code``.
    public var zoneWarning: Problem?
    /// Why nothing is called: no place is set. The codes are those of ``PlaceProblem/Code``.
    @Nullable public var placeProblem: Problem?
    /// The condition for calling that is not met; `null` while adhand calls, and from an older one.
    @Nullable public var awaiting: Awaiting?
    /// The published timetable; `null` when there is none.
    @Nullable public var timetable: Timetable?
    /// The first time set by hand that is probably for another place; omitted by an older adhand.
    public var exceptionProblem: ExceptionProblem?
    /// The problem of the state on disk; `null` when all is well.
    @Nullable public var stateProblem: String?
    /// The loss of the state at a start, until a person confirms it; omitted otherwise, and by an older adhand.
    public var stateLoss: StateLoss?
    /// A contradiction in the daemon's own state, which is a bug in adhand; omitted while there is none, and by an older adhand.
    /// The codes are those of ``InvariantCode``.
    public var internalProblem: Problem?
    /// The loss of the settings made by command at a start; omitted otherwise, and by an older adhand.
    public var settingsProblem: Problem?
    /// Everything that is wrong now, according to adhand itself; omitted by an older adhand.
    public var problems: [StatusProblem]?
    /// The directory of this daemon's state and added sounds.
    @Nullable public var stateDirectory: String?
    /// The directory of the shipped sounds; `null` from an older adhand.
    @Nullable public var audioDirectory: String?
    /// The prayers that are switched off or silent, on any day; omitted by an older adhand.
    public var switchedOff: [SwitchedOff]?
    /// Coming prayers that are skipped; omitted while there are none, and by an older adhand.
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
