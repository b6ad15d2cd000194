import Announcements
package import Envelope
import PrayerEngine
package import Protocol
package import Settings
import StateFile
package import Texts
package import Times

/// Everything that can happen to the daemon. The shell translates the outside world into these events, one at a time.
package enum Event: Sendable {
    case started
    /// A wall-clock timer fired. It carries no meaning of its own: the plan and the clock are looked at again.
    case timerDue
    /// Playback's event about one output's part of a job.
    case playback(token: Int, output: String, JobEvent)
    case preflight(id: AnnouncementID, PreflightResult)
    case devicesTried(output: String, DeviceTrial)
    /// No device of the output made the tone that keeps its loudspeaker awake.
    case toneFailed(output: String, reason: String)
    /// The shell's answer whether the machine lists a device for a test.
    case deviceFound(DeviceTest, isListed: Bool)
    /// A sound card came or went.
    case cardsChanged
    case request(RequestID, ControlRequest, from: Peer)
    /// A monitor or a waiting caller disconnected.
    case hungUp(RequestID)
    /// The configuration or the machine's zone is to be read again.
    case inputsWanted(InputsChange)
    /// The result of a reading, with the losses since the last one where a reload was requested. Indirect, so that the other
    /// events are not as large as a configuration.
    indirect case inputsLoaded(DaemonInputs, InputsChange, lost: [ConfigurationLoss] = [])
    case configRejected(ConfigError, InputsChange)
    /// The configuration that would result from a change of settings on this machine.
    indirect case settingsTried(SettingsFinding)
    /// The result of saving the settings; `nil` when they are on disk.
    case settingsSaved(problem: String?)
    /// The result of saving the state for ``Effect/reportSave``; `nil` when it is on disk.
    case envelopeSaved(problem: String?)
    indirect case fleetTried(FleetFinding)
    case fleetPreflight(FleetPreflight, PreflightResult)
    /// The result of writing a fleet's timetable; `nil` when it is on disk.
    case timetableChanged(problem: String?)
    /// - Parameter problems: the problems of the mosque's times with this timetable; `nil` where they are unknown.
    case timetableRead(TimetableReading, problems: [InputsProblem]? = nil, for: RequestID?)
    /// - Parameter hasSlept: the machine slept as well (see ``resumed``). In one event: after the step alone, waiting announcements would seem late by the sleep.
    case clockStepped(bySeconds: Double, hasSlept: Bool = false)
    case clockHealth(ClockHealth)
    /// The machine slept.
    case resumed
    case saveFailed(reason: String)
    case saved
    case stopping
}

/// The reason why inputs are read again.
package enum InputsChange: Sendable, Equatable {
    /// A reload was requested: the files apply as they are, whatever they contained before.
    case reload(RequestID?, written: WrittenFile? = nil, isUnattended: Bool = false)
    /// A part could not be read the last time; retried every minute.
    case retry
    case zone
    /// A person changed a setting by command; the files are not read for that.
    case settings(SettingsAsk)
    /// A fleet changes something; the files are not read for that.
    case fleet(FleetTask)

    /// Whether this reading includes the files of the configuration.
    var readsFiles: Bool {
        switch self {
        case .reload, .retry: true
        case .zone, .settings, .fleet: false
        }
    }

    /// Whether missing parts were removed on purpose.
    package var isMeant: Bool { if case .reload = self { true } else { false } }

    /// Whether a person confirmed that missing files beside the configuration are meant to be missing, having read the reply. A
    /// program that has its own file read confirms nothing, and a signal has no reader.
    package var confirmsLosses: Bool { if case .reload(.some, nil, false) = self { true } else { false } }
}

/// The daemon's knowledge of its surroundings: validated, resolved, and replaced as a whole.
package struct DaemonInputs: Sendable {
    package let config: Config
    /// The path that was read, or a phrase for the embedded default.
    package let configuration: String
    /// The paths that were searched for a configuration; empty where one was found.
    package var lookedFor: [String] = []
    /// The files that were read: the configuration and the drop-ins beside it, as far as they exist.
    package let configurationFiles: [String]
    /// The texts of these files, kept in case a later version cannot be used; `nil` when there is none.
    package internal(set) var kept: KeptConfiguration?
    /// Why the configuration in force differs from the files.
    package let problem: UnusableConfiguration?
    package internal(set) var site: Site
    /// The files with the settings by command over them; `config` is the result of both.
    @Boxed package private(set) var layered: LayeredConfig
    /// Why the site's zone is not the one in the machine's files.
    package let zoneProblem: ZoneProblem?
    /// The loss of the machine's zone that a person has confirmed.
    package var zoneLoss: ZoneLoss?
    /// The fleet's configuration between the files; `nil` where there is none.
    package var fleet: FleetLayer?
    /// The release of the machine's zone files; `nil` where they do not name it.
    package var zoneRelease: ZoneRelease?
    /// The daemon's own user, and the group that may change things (`nil`: the machine has no such group).
    package let user: UInt32
    package let controlGroup: UInt32?
    /// The directories of state, added sounds and shipped sounds, for callers.
    package let stateDirectory: String?
    package let audioDirectory: String?
    /// Sounds of the configuration that adhand cannot read.
    package let soundProblems: [InputsProblem]
    /// Whether times are called for a place that is only guessed from the time zone.
    package let callsApproximate: Bool
    /// Problems of a mosque's own times in the coming year.
    package internal(set) var mosqueProblems: [InputsProblem]
    /// Why the timetable in the state directory is not the one in force; a sentence.
    package internal(set) var timetableProblem: String?

    package init(
        config: Config, configuration: String, configurationFiles: [String] = [], site: Site, user: UInt32,
        controlGroup: UInt32?, kept: KeptConfiguration? = nil, problem: UnusableConfiguration? = nil,
        stateDirectory: String? = nil, audioDirectory: String? = nil,
        soundProblems: [InputsProblem] = [],
        timetableProblem: String? = nil, mosqueProblems: [InputsProblem] = [],
        zoneProblem: ZoneProblem? = nil,
        callsApproximate: Bool = true, layered: LayeredConfig? = nil
    ) {
        self.layered = layered ?? LayeredConfig(files: EffectiveConfig(config: config, settings: []))
        self.callsApproximate = callsApproximate
        self.zoneProblem = zoneProblem
        self.kept = kept
        self.problem = problem
        self.config = config
        self.configuration = configuration
        self.configurationFiles = configurationFiles
        self.site = site
        self.user = user
        self.controlGroup = controlGroup
        self.stateDirectory = stateDirectory
        self.audioDirectory = audioDirectory
        self.soundProblems = soundProblems
        self.timetableProblem = timetableProblem
        self.mosqueProblems = mosqueProblems
    }
}

/// A fleet's configuration within these inputs.
package struct FleetLayer: Sendable, Equatable {
    package let configuration: FleetConfiguration
    /// Why it or a part of it is left out, in a sentence: the files of this box changed and now conflict with it.
    package let problem: String?

    package var digest: String { configuration.digest }

    package init(_ configuration: FleetConfiguration, problem: String? = nil) {
        (self.configuration, self.problem) = (configuration, problem)
    }
}

/// One call on the control socket that waits for its answer.
package struct RequestID: Hashable, Sendable {
    package let serial: UInt64

    package init(serial: UInt64) {
        self.serial = serial
    }
}

/// The caller at the other end of a connection: the kernel's facts, and the caller's claim about one request.
package struct Peer: Sendable, Equatable {
    package let user: UInt32
    package let groups: [UInt32]
    /// The user's name, or the user's number if there is no name.
    package let name: String
    package let claim: CallerClaim

    package init(user: UInt32, groups: [UInt32], name: String? = nil, claim: CallerClaim = CallerClaim()) {
        self.user = user
        self.groups = groups
        self.name = name ?? (user == 0 ? "root" : "\(user)")
        self.claim = claim
    }
}

/// The machine's report about its clock.
package struct ClockHealth: Sendable, Equatable {
    package let synchronized: Bool
    /// Whether the machine reports that it does not know the time: an unsynchronised clock is not trusted then.
    package let isUnknown: Bool

    package init(synchronized: Bool, isUnknown: Bool = false) {
        (self.synchronized, self.isUnknown) = (synchronized, isUnknown)
    }
}
