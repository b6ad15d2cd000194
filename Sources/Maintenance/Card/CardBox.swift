package import BoxCard
import Glibc
package import Host
import PrayerEngine
import Texts

/// The folders of a flashed box. Environment variables replace them in trials.
package struct CardBox {
    /// The card's first partition, mounted.
    let card: String
    /// The box's own records about the card.
    let state: String
    let etc: String
    package let run: String
    /// The folder in which the box's own files are installed.
    let library: String
    /// The folder of the kernel's network devices.
    let networkDevices: String
    /// The state directory of adhan-bridge, and the socket that answers questions about its files.
    let bridge: String
    let messages: String
    /// The seconds to wait for adhand.
    let patienceSeconds: Double

    var configuration: String { etc + "/adhand/adhand.toml" }
    /// The drop-in with the fleet from the card.
    var fleet: String { ConfigFiles.directory(of: configuration) + "/fleet.toml" }
    /// The drop-in with the fleet's broker, and the files that it names: the card's password and the broker's certificate
    /// authority.
    var fleetLink: String { ConfigFiles.directory(of: bridgeConfiguration) + "/fleet.toml" }
    var fleetToken: String { etc + "/adhand/fleet-token" }
    var fleetAuthority: String { etc + "/adhand/fleet-ca.pem" }
    var bridgeConfiguration: String { etc + "/adhand/bridge.toml" }
    var screen: String { etc + "/adhand/display.toml" }
    var wireless: String { etc + "/wpa_supplicant/wpa_supplicant-wlan0.conf" }
    var keys: String { etc + "/ssh/adhan-box.keys" }
    /// The settings parsed from a file of Raspberry Pi Imager. They include a network's password, so only root may read them.
    func imager(_ kind: ImagerFile) -> String { "\(state)/\(kind.rawValue).json" }
    /// The file with the box's name from the card, which `start.sh` reads.
    var nameByCard: String { state + "/hostname" }
    /// The file with `on` or `off`, from `box.txt`.
    var upgradesAdhand: String { state + "/upgrades" }

    /// The file with `auto` or `off`, from `box.txt`.
    var hotspot: String { state + "/hotspot" }
    /// The file that exists while `box.txt` turns the phone page off.
    var phoneOff: String { state + "/phone-off" }
    /// The file with the code from `pair.txt` for this start, which adhan-remote receives as a credential.
    var pairing: String { run + "/pair" }
    package var hotspotKey: HotspotKeyFile { HotspotKeyFile(self) }

    /// The records of `upgrade.sh`; `nil` if there are none, as on a machine that is not a flashed box.
    package var upgrades: CardUpgrades? {
        func text(_ path: String) -> String? {
            (try? FileBytes.read(path, limit: 1 << 16)).map { String(decoding: $0, as: UTF8.self) }
        }
        let state = (try? FileBytes.read(run + "/upgrade.json", limit: 4096)).flatMap {
            try? JSON.decode(CardUpgrades.State.self, from: $0)
        }
        let look = text(run + "/data/system/last-look")
        guard state != nil || look != nil else { return nil }
        var upgrades = CardUpgrades(
            version: adhandVersion, state: state,
            archive: .init(
                isOff: text(upgradesAdhand)?.hasPrefix("off") == true,
                source: text(etc + "/apt/sources.list.d/adhand.sources")),
            lastLook: look.map { $0.split(separator: "\n").map(String.init) } ?? [])
        func instant(_ name: String) -> Instant? {
            let line = text("\(run)/data/system/\(name)")?.split(separator: "\n").first
            return line.flatMap { Double($0) }.map { Instant(unixSeconds: $0) }
        }
        upgrades.archiveSigned = instant("archive-date")
        upgrades.archiveAskedSince = instant("archive-since")
        return upgrades
    }

    /// The file that exists until adhand has read an imported configuration.
    var configured: String { run + "/configured" }

    package init(_ environment: Environment) {
        func folder(_ name: String, _ usual: String) -> String {
            environment.value("ADHAN_BOX_" + name) ?? usual
        }
        card = folder("CARD", "/run/adhan-box/card")
        state = folder("STATE", "/var/lib/adhan-box")
        etc = folder("ETC", "/etc")
        library = folder("LIB", "/usr/lib/adhand-box")
        run = folder("RUN", "/run/adhan-box")
        networkDevices = folder("NET", "/sys/class/net")
        bridge = folder("BRIDGE", Paths.bridgeState)
        messages = folder("MESSAGES", Paths.messagesSocket)
        patienceSeconds = environment.value("ADHAN_BOX_PATIENCE").flatMap(Double.init) ?? 60
    }

    /// The names in the card's top folder.
    func names() -> [String] { (try? Directories.names(in: card)) ?? [] }

    /// The file with that name, in any mix of upper and lower case.
    func file(_ name: String) -> String? {
        names().first { $0.lowercased() == name && Self.size(of: "\(card)/\($0)") != nil }.map {
            "\(card)/\($0)"
        }
    }

    /// The folder of recordings.
    var soundFolder: String? {
        names().first { $0.lowercased() == "sounds" && Directories.isDirectory("\(card)/\($0)") }.map {
            "\(card)/\($0)"
        }
    }

    /// The paths of all files below that folder, except those that computers leave there by themselves.
    func soundFiles() -> [String] {
        guard let soundFolder else { return [] }
        var found: [String] = []
        func search(_ folder: String, depth: Int) {
            for name in (try? Directories.names(in: "\(soundFolder)/\(folder)")) ?? []
            where !CardNames.isOfAComputer(name) {
                let path = folder + name
                if Self.size(of: "\(soundFolder)/\(path)") != nil {
                    found.append(path)
                } else if depth < 8, Links.target("\(soundFolder)/\(path)") == nil {
                    search(path + "/", depth: depth + 1)
                }
            }
        }
        search("", depth: 0)
        return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    static func size(of path: String) -> Int? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// Runs another program of the box in the same environment. Returns its output if it succeeded.
    @discardableResult
    static func runTool(_ name: String, _ arguments: String..., limitSeconds: Double = 90) -> String? {
        let environment = Environment.process
        guard let path = ChildProcess.find(name, in: environment),
            let outcome = try? ChildProcess.run(
                path, arguments, environment: environment.variables.map { "\($0.key)=\($0.value)" },
                limitSeconds: limitSeconds, mostOutput: 1 << 16),
            outcome.ending == .exited(0)
        else { return nil }
        return String(decoding: outcome.output, as: UTF8.self)
    }
}
