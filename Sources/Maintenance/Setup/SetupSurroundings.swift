package import Console
import ControlClient
import Host
import Playback
import PrayerEngine
import Protocol
import Settings
import Texts

/// Collects facts about this machine before the first question.
package enum SetupSurroundings {
    /// - Parameter isAlertGiven: whether the command line names the recipient of alerts about missed adhans.
    package static func collect(
        for target: SetupTarget, _ belongings: PlaceBelongings, isAlertGiven: Bool = false
    ) throws(CommandError) -> SetupInputs {
        let zones = ZoneFiles(in: .process)
        // Ignore a zone that cannot be read: the place has a zone of its own.
        let system = (try? zones.systemZone()) ?? .utc
        return SetupInputs(
            gazetteer: .embedded, file: target.path, text: target.text, config: target.config,
            devices: DeviceList.playback().map { .init(name: $0.name, description: $0.description) },
            systemZone: system, zonePlace: try? zones.place(of: system), now: WallClock.now(),
            acceptsRecordings: true, acceptsTimetables: true, belongings: belongings,
            hasReceiver: Gpsd().isThere, messages: messages(for: target, isAlertGiven),
            template: template(for: target)
        ) { try? zones.zone(named: $0) }
    }

    /// Messages belong to the machine, so the question is asked only when the machine is set up. Beside another configuration
    /// they are written only if the command line names a recipient.
    private static func messages(for target: SetupTarget, _ isAlertGiven: Bool) -> SetupMessages {
        let isTheirs = target.path == Paths.userConfiguration(.process)
        guard target.path == Paths.systemConfiguration || isAlertGiven && !isTheirs else {
            return .unavailable
        }
        return MessageSetup(beside: target.path).surroundings
    }

    /// The commented example, installed beside the shipped sounds.
    private static func template(for target: SetupTarget) -> [UInt8]? {
        guard target.text == nil else { return nil }
        let path = Paths(Paths.Options(), in: .process).audioDirectory + "/../adhand.toml"
        guard let text = try? FileBytes.read(path, limit: ConfigLoader.longestFile),
            (try? ConfigLoader.load(text: text, file: path)) != nil
        else { return nil }
        return text
    }

    /// Warns a user who sets up their own adhand, but may have meant the system's.
    package static func otherDaemon(config: String?) -> String? {
        let environment = Environment.process
        guard config == nil, environment.userID != 0, environment.exists(Paths.systemSocket),
            Paths.clientSocket(option: nil, in: environment) == Paths.systemSocket
        else { return nil }
        return
            "Note: an adhand for the whole machine is running. This sets up one of your own; for the machine's, leave "
            + "with Ctrl-C and run \"sudo adhanctl setup\"."
    }
}

/// Makes a daemon that may use the file read it again.
struct ConfigurationReload {
    private let daemon: ControlClient
    private let file: String

    /// Seconds to wait for an answer that is not essential.
    private static let patienceSeconds = 5.0

    init(_ daemon: ControlClient, file: String) {
        self.daemon = daemon
        self.file = file
    }

    /// Makes a running daemon read the file.
    /// - Parameter removed: the keys that the change removed from it.
    func reload(isChanged: Bool, removed: [String]) -> ReloadResult {
        let status: StatusDocument
        do throws(CommandError) {
            status = try daemon.ask(.getStatus, patienceSeconds: Self.patienceSeconds)
                .status
        } catch {
            return ReloadResult(false, "adhand is not running.", fix: start)
        }
        // A daemon without a file looks for this one when it reloads.
        guard status.reads(file) else {
            let other = status.configuration
            return ReloadResult(
                false,
                "The adhand that runs reads another configuration (\(other)); restart it to have it read this one."
            )
        }
        // Reload even if the file did not change: adhand may not have read it since its last change.
        do throws(CommandError) {
            let reply = try ask(removed: removed)
            let loaded =
                isChanged || status.configurationFile == nil
                ? "adhand has loaded it; it is in effect now." : "adhand is running with it."
            let warnings = (reply.problems ?? []).map { " Warning: \($0)." }.joined()
            return ReloadResult(true, loaded + warnings)
        } catch {
            return ReloadResult(
                false, "adhand has not read it yet (\(error.message)).", fix: "sudo systemctl reload adhand")
        }
    }

    /// Requests the reload. An older adhand ignores which keys were removed, and may report them as lost.
    private func ask(removed: [String]) throws(CommandError) -> ChangeReply {
        let written = ReloadParameters(written: file, removed: removed)
        do throws(CommandError) {
            return try daemon.ask(
                .reload, written, patienceSeconds: Self.patienceSeconds)
        } catch  where error.isUnknownParameter {
            return try daemon.ask(.reload, ReloadParameters(), patienceSeconds: Self.patienceSeconds)
        }
    }

    private var start: String {
        if file == Paths.systemConfiguration { return "sudo systemctl enable --now adhand" }
        let isUsual = file == Paths.userConfiguration(.process)
        return isUsual && SessionService.isInstalled ? SessionOffer.typed : "adhand --config \(file)"
    }
}
