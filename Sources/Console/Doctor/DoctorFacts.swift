package import BoxCard
package import PrayerEngine
package import Protocol
package import Settings
package import Texts
package import Times

/// The facts that doctor checks, collected from the machine and from adhand.
package struct DoctorFacts: Sendable {
    /// The daemon's answer, or the reason for its silence.
    package enum DaemonAnswer: Sendable {
        case answers(StatusDocument)
        /// The socket exists, but adhand does not answer in time.
        case hangs(reason: String)
        /// This user may not connect.
        case closed(reason: String)
        case absent(reason: String)
    }

    package struct Person: Sendable {
        /// Root, or the user who owns a daemon of their own.
        package var isMaster = false
        /// `control.group`, as far as it is known.
        package var group = "adhan"
        package var groupExists = true
        /// Whether this process is in the group.
        package var isMember = false
        /// Whether the machine's list of users contains the user, which takes effect from the next login on.
        package var isListed = false

        package init() {}
    }

    package struct Configuration: Sendable {
        package enum State: Sendable, Equatable {
            case valid
            case invalid(reason: String)
            /// A part of the configuration in force is gone, and its removal is not confirmed.
            case lost(reason: String)
            /// This user may not read the file.
            case unreadable(reason: String)
            /// adhand may not read the file.
            case closed(reason: String, fix: String?)
            /// There is no file, and the embedded default is in force.
            case embedded

            var isInvalid: Bool {
                if case .invalid = self { true } else { false }
            }
        }

        package var file: String
        package var state: State
        /// Whether the file was written after adhand read it.
        package var isNewer = false

        package init(file: String, state: State) {
            self.file = file
            self.state = state
        }
    }

    /// The place, its zone and the zones around it.
    package struct LocationFacts: Sendable {
        package var name: String
        package var place: Place
        /// Whether no place is chosen, and the zone's main one is used.
        package var isApproximate: Bool
        package var zone: Zone
        /// Whether the zone is configured, rather than being the machine's.
        package var zoneIsConfigured = false
        /// Zones of places near the coordinates, the nearest first.
        package var nearby: [NearbyZone] = []
        /// The nearby zones with the longitude's sign reversed.
        package var nearbyAcross: [NearbyZone] = []

        package init(name: String, place: Place, isApproximate: Bool, zone: Zone) {
            self.name = name
            self.place = place
            self.isApproximate = isApproximate
            self.zone = zone
        }
    }

    package struct Clock: Sendable {
        package var isSynchronized = true
        /// Services that could keep the clock, by their units' names: `systemd-timesyncd`, `chrony`.
        package var services: [String] = []
        /// Whether the machine has a clock that runs while it is off.
        package var hasHardwareClock = true

        package init() {}
    }

    package struct Disk: Sendable {
        package var path: String
        package var exists = true
        package var isReadOnly = false
        /// Free bytes and files; `nil` where the file system does not report them.
        package var freeBytes: Int?
        package var freeFiles: Int?
        /// Whether this user could write there; `nil` if that is irrelevant for adhand.
        package var isWritable: Bool?

        package init(path: String) {
            self.path = path
        }
    }

    package var now: Instant
    package var version = adhandVersion
    package var daemon: DaemonAnswer
    package var socketPath: String
    /// Whether doctor examines the machine's service, and not a user's own adhand.
    package var isSystem = true
    /// The socket of the machine's service, where there is one.
    package var systemSocket: String?
    /// The socket of another adhand that answers besides the examined one.
    package var otherSocket: String?
    package var systemd: SystemdFacts
    package var person = Person()
    /// Whether root is asking.
    package var isRoot = false
    package var configuration: Configuration
    /// The configuration's content; `nil` when it is not available.
    package var config: Config?
    /// The place and zone; `nil` when the configuration or the zone is not available, with the reason.
    package var locationFacts: LocationFacts?
    package var locationProblem: String?
    /// The clock by which times of day are shown.
    package var zone = Zone.utc
    /// The release of the zone files, where adhand does not answer.
    package var zoneRelease: ZoneRelease?
    package var clock = Clock()
    package var sound = SoundFacts()
    /// Problems of the mosque's own times in the coming year, in sentences; `nil` when they were not examined.
    package var mosqueProblems: [String]?
    /// The history of the last days; `nil` when it is not available.
    package var history: HistoryDocument?
    package var disk: Disk
    /// The agenda from yesterday to tomorrow; `nil` where the configuration has neither outputs nor quiet windows, and where it
    /// is not available.
    package var agenda: [OccasionDocument]?
    /// The upgrades of a flashed box; `nil` on other machines.
    package var upgrades: CardUpgrades?

    package init(
        now: Instant, daemon: DaemonAnswer, socketPath: String, systemd: SystemdFacts,
        configuration: Configuration, disk: Disk
    ) {
        self.now = now
        self.daemon = daemon
        self.socketPath = socketPath
        self.systemd = systemd
        self.configuration = configuration
        self.disk = disk
    }

    package var status: StatusDocument? {
        if case .answers(let status) = daemon { status } else { nil }
    }
}
