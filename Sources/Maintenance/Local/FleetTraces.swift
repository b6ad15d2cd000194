import BoxCard
import Host
import Settings

/// The files by which this machine joined its fleet, and their removal step by step (``FleetLeaving``).
struct FleetTraces {
    private let box: CardBox
    /// The files that could not be removed, and why.
    private(set) var left: [FleetRemains.Left] = []
    /// The files named by a configuration of the bridge.
    private(set) var named: [String] = []
    /// Whether the service could not be made to read its configuration again.
    private(set) var isBridgeBehind = false

    private static let unit = "adhan-bridge.service"
    /// Seconds to wait for a restart, during which the service says goodbye to its broker.
    private static let unitSeconds = 30.0

    init(_ box: CardBox) { self.box = box }

    func path(_ trace: FleetTrace) -> String {
        switch trace {
        case .link: box.fleetLink
        case .known: BridgeStateFile.fleet.path(in: box.bridge)
        case .password: BridgeStateFile.membership.path(in: box.bridge)
        case .token: box.fleetToken
        case .authority: box.fleetAuthority
        }
    }

    /// The files that exist. In a folder that this user may not read, the password is assumed to exist if other files do, or
    /// if a fleet is being left.
    func present(isLeaving: Bool) -> [FleetTrace] {
        let environment = Environment.process
        let seen = FleetTrace.allCases.filter { environment.exists(path($0)) && !isNamed($0) }
        guard isLeaving || !seen.isEmpty, environment.isBlocked(path(.password)) else { return seen }
        return seen + [.password]
    }

    /// Whether a configuration of the bridge other than the link names a file from the card.
    private func isNamed(_ trace: FleetTrace) -> Bool {
        guard trace == .token || trace == .authority else { return false }
        do throws(FileError) {
            let sources = try ConfigFiles.read(box.bridgeConfiguration).sources
            return FleetLeaving.isNamed(
                path(trace), in: sources.filter { $0.file != path(.link) }.map(\.text))
        } catch {
            // A configuration that cannot be read may name the file.
            return !error.isMissing
        }
    }

    /// Removes a file unless the bridge needs it to start: because a person's own configuration names it, or the link still
    /// exists.
    mutating func remove(_ trace: FleetTrace) {
        let path = path(trace)
        let environment = Environment.process
        guard environment.exists(path) || trace == .password && environment.isBlocked(path) else { return }
        guard !isNamed(trace) else {
            named.append(path)
            return
        }
        if trace == .token || trace == .authority, environment.exists(self.path(.link)) {
            left.append(FleetRemains.Left(file: path, reason: "\(self.path(.link)) names it"))
            return
        }
        do throws(FileError) {
            try AtomicFile.remove(path)
        } catch {
            left.append(FleetRemains.Left(file: path, reason: error.reason))
        }
    }

    /// Makes the service read its configuration again. With other settings it continues; without any its unit would not start,
    /// so a restart ends it.
    mutating func reloadBridge(isAwaited: Bool) {
        let hasSettings =
            ConfigFiles.exist(box.bridgeConfiguration, in: .process)
            || Environment.process.exists(BridgeStateFile.page.path(in: box.bridge))
        let verb = hasSettings ? "reload-or-try-restart" : "try-restart"
        let done =
            isAwaited
            ? CardBox.runTool("systemctl", verb, Self.unit, limitSeconds: Self.unitSeconds)
            : CardBox.runTool("systemctl", "--no-block", verb, Self.unit)
        // If the service does not run, its next start reads the configuration.
        isBridgeBehind = done == nil && CardBox.runTool("systemctl", "--quiet", "is-active", Self.unit) != nil
    }
}
