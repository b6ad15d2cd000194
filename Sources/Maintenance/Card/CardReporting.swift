package import BoxCard
package import Console
import ControlClient
import Glibc
import Host
import Protocol
import Texts

/// Collects the content of the report.
extension CardImport {
    /// - Parameter phonePort: the port of the phone page.
    package func report(phonePort: Int) -> CardReport {
        var report = CardReport()
        report.hostname = words(box.etc + "/hostname")
        report.damage = damage
        report.isChangedOnBox = isChangedOnBox
        report.standing = standing
        report.records = store.records
        report.upgrades = box.upgrades
        let wireless = (try? FileBytes.read(box.wireless, limit: 1 << 20)) ?? []
        report.networks = CardNetworks.names(in: wireless)
        report.strays = strays
        report.hotspotKey = box.hotspotKey.key?.text
        report.hotspotName = box.hotspotName
        report.hotspotIsOff = !box.hotspotIsAllowed
        report.phoneIsOff = CardBox.exists(box.phoneOff)
        report.hotspotIsImpossible = box.hotspotIsImpossible
        report.phonePage = phonePage(on: phonePort)
        return report
    }

    /// The phone page; `nil` if it is off.
    private func phonePage(on port: Int) -> CardReport.PhonePage? {
        guard Environment.process.exists(Paths.pairingSocket) else { return nil }
        let setUp = try? ControlClient(socket: Paths.pairingSocket).call(
            RemoteInterface.getSetUp, patienceSeconds: 5)
        return CardReport.PhonePage(numbers: NetworkAddresses.all, port: port, setUp: setUp)
    }

    /// The first line of a small file, if it exists.
    func words(_ path: String) -> String? {
        guard let bytes = try? FileBytes.read(path, limit: 4096) else { return nil }
        let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return line.isEmpty ? nil : line
    }

    private var damage: CardReport.Damage? {
        if CardBox.exists(box.run + "/in-memory") { return .inMemory }
        return words(box.run + "/damaged").flatMap(CardReport.Damage.init(code:))
    }

    /// The health that is compared before and after an upgrade; `nil` if adhand does not answer.
    package func health() -> UpgradeHealth? {
        guard let status = status(),
            let checks = try? daemon.ask(.getHealth, patienceSeconds: 10)
        else { return nil }
        return UpgradeHealth(checks, status)
    }

    private var isChangedOnBox: Bool {
        guard let imported = try? FileBytes.read(box.state + "/adhand.toml", limit: 32 << 20),
            let own = try? FileBytes.read(box.configuration, limit: 32 << 20)
        else { return false }
        return imported != own
    }

    private var standing: CardReport.Standing {
        guard let status = status() else {
            if CardBox.exists(box.run + "/no-clock") { return .noClock }
            return CardBox.exists(box.configuration) ? .silent : .unplaced
        }
        if status.awaiting == .place || status.location.approximate { return .unplaced }
        if status.awaiting == .clock { return .noClock }
        let found = try? CheckRunner(daemon: daemon, file: nil).document()
        let problems = (found?.problems ?? []).filter { $0.severity == .problem }.map(\.message)
        let times = try? daemon.ask(.getTimes, TimesParameters()).times
        return .running(status: status, problems: problems, times: times)
    }

    /// Files that were meant for the box but have a wrong name or place.
    private var strays: [(name: String, why: String)] {
        var strays: [(name: String, why: String)] = []
        for name in box.names() where !name.hasPrefix(".") && name.lowercased() != "adhand-report.txt" {
            let isFolder = Directories.isDirectory("\(box.card)/\(name)")
            if let why = CardNames.notRead(name, isFolder: isFolder) { strays.append((name, why)) }
        }
        guard let folder = box.soundFolder else { return strays }
        for file in box.soundFiles() where !isSound(file, in: folder) {
            strays.append(("sounds/" + file, CardNames.notASound))
        }
        return strays
    }
}
