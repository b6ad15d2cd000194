import CommandKit
package import Console
package import ControlClient
import Glibc
package import Host
import PrayerEngine
import Protocol
import Settings

/// Collects the facts for doctor: from adhand if it answers, else from the machine. Changes nothing, makes no sound,
/// and waits a limited time for each fact.
package struct DoctorCollector {
    let daemon: ControlClient
    let environment: Environment
    let days: Int
    var facts: DoctorFacts

    /// Seconds for one answer of adhand, which usually takes milliseconds.
    static let patienceSeconds = 4.0

    /// - Parameter days: the days of history to examine.
    package static func facts(
        _ daemon: ControlClient, in environment: Environment = .process, days: Int = Doctor.usualDays
    ) -> DoctorFacts {
        var gathering = DoctorCollector(daemon: daemon, environment: environment, days: days)
        gathering.gather()
        return gathering.facts
    }

    private init(daemon: ControlClient, environment: Environment, days: Int) {
        self.daemon = daemon
        self.days = days
        self.environment = environment
        facts = DoctorFacts(
            now: WallClock.now(), daemon: .absent(reason: ""), socketPath: daemon.socket, systemd: .absent,
            configuration: .init(file: Paths.systemConfiguration, state: .embedded), disk: .init(path: ""))
    }

    private mutating func gather() {
        facts.isSystem = daemon.socket == Paths.systemSocket
        facts.systemSocket = environment.exists(Paths.systemSocket) ? Paths.systemSocket : nil
        facts.daemon = askStatus()
        facts.systemd = Self.systemd()
        readConfiguration()
        findLocation()
        facts.clock = clock()
        collectPerson()
        examine()
        // Ask again: adhand has tried its devices for the check, and knows more than before.
        if facts.status != nil, case .answers(let status) = askStatus() { facts.daemon = .answers(status) }
        facts.sound.hasCards = Self.hasCards
        facts.sound.holders = Self.holders()
        facts.otherSocket = otherSocket
        facts.history = history()
        facts.agenda = facts.status.flatMap {
            daemon.agenda(around: $0, patienceSeconds: Self.patienceSeconds)
        }
        facts.disk = disk()
        facts.upgrades = CardBox.upgrades(of: daemon, in: environment)
    }

    private func askStatus() -> DoctorFacts.DaemonAnswer {
        do throws(CommandError) {
            return .answers(
                try daemon.ask(.getStatus, patienceSeconds: Self.patienceSeconds)
                    .status)
        } catch  where error.isHang {
            return .hangs(reason: "it did not answer within \(Int(Self.patienceSeconds)) s")
        } catch  where error.status == .notPermitted {
            return .closed(reason: error.cause ?? error.message)
        } catch {
            return .absent(reason: error.cause ?? error.message)
        }
    }

    /// The other of the two sockets, the machine's and the person's own. `nil` for a socket that was given explicitly.
    private var otherSocket: String? {
        let own = Paths(Paths.Options(), in: environment).socket
        guard let other = [Paths.systemSocket: own, own: Paths.systemSocket][daemon.socket],
            environment.exists(other)
        else { return nil }
        let answer = try? ControlClient(socket: other).ask(
            .getStatus, patienceSeconds: 2)
        return answer == nil ? nil : other
    }

    private static func systemd() -> SystemdFacts {
        guard InitSystem.isSystemd else { return .absent }
        let properties = "--property=" + SystemdFacts.properties.joined(separator: ",")
        let arguments = ["show", "--timestamp=unix", "--no-pager", properties] + SystemdFacts.all
        guard let shown = SystemTool.output("systemctl", arguments) else {
            return .unknown(reason: "\"systemctl show adhand\" gave no answer")
        }
        return SystemdFacts(shown: shown)
    }

    private func clock() -> DoctorFacts.Clock {
        var clock = DoctorFacts.Clock()
        clock.isSynchronized = WallClock.isSynchronized
        clock.hasHardwareClock =
            environment.exists("/dev/rtc0") || environment.exists("/sys/class/rtc/rtc0")
        clock.services = TimeServices.installed(in: environment)
        return clock
    }

    private mutating func collectPerson() {
        let group = facts.config?.controlGroup ?? facts.person.group
        let socketPath = daemon.socket
        // Looking up users and groups may take a network request.
        let person = TimeLimit.run(3) { Self.person(group: group, socket: socketPath) }
        if let person { facts.person = person }
    }

    private static func person(group: String, socket: String) -> DoctorFacts.Person {
        var person = DoctorFacts.Person()
        var status = stat()
        let ownsSocket = unsafe lstat(socket, &status) == 0 && status.st_uid == geteuid()
        person.isMaster = geteuid() == 0 || ownsSocket
        person.group = group
        guard let members = UserDatabase.group(named: group) else {
            person.groupExists = false
            return person
        }
        person.isMember = UserDatabase.ownGroups.contains(members.id)
        person.isListed = Account.ownName.map(members.names.contains) ?? false
        return person
    }

    private func history() -> HistoryDocument? {
        if facts.status != nil {
            return try? daemon.ask(
                .getHistory, HistoryParameters(days: days),
                patienceSeconds: Self.patienceSeconds
            ).history
        }
        let path = stateDirectory + "/" + HistoryEntry.fileName
        guard let bytes = try? FileBytes.read(path, limit: 1 << 24) else { return nil }
        let entries = bytes.split(whereSeparator: HistoryEntry.isLineEnd).suffix(1000)
            .compactMap { HistoryEntry(line: $0) }
        return HistoryDocument(days: days, entries: entries, now: facts.now)
    }

    /// The state directory of the examined daemon.
    var stateDirectory: String {
        if let directory = facts.status?.stateDirectory { return directory }
        return facts.isSystem ? Paths.systemState : Paths(Paths.Options(), in: environment).stateDirectory
    }

    private func disk() -> DoctorFacts.Disk {
        let path = stateDirectory
        let mayTry = !facts.isSystem
        return TimeLimit.run(3) {
            let room = DiskRoom(of: path)
            var disk = DoctorFacts.Disk(path: path)
            (disk.exists, disk.isReadOnly) = (room.exists, room.isReadOnly)
            (disk.freeBytes, disk.freeFiles) = (room.freeBytes, room.freeFiles)
            if mayTry, room.exists { disk.isWritable = unsafe access(path, W_OK) == 0 }
            return disk
        } ?? DoctorFacts.Disk(path: path)
    }
}
