import CommandKit
import Glibc
import Host
import Maintenance
import PhoneRules
import Protocol
import Settings
import Texts

/// The phone page on this machine: its units, its name on the network, its addresses.
enum RemotePage {
    /// The units that `remote enable` enables, the sockets first.
    static let units = [
        "adhan-remote.socket", "adhan-remote-pairing.socket", "adhan-intake.socket", "adhan-remote.service",
    ]
    /// The link for the name on the network: systemd-resolved announces the file to which it leads.
    static let announcement = "/etc/systemd/dnssd/adhan-remote.dnssd"
    static let announced = "adhan-remote.dnssd"
    static let resolver = "systemd-resolved.service"

    static let notInstalled = CommandError(
        .failed,
        "the phone page is not installed on this machine, or systemd does not run it; it is the package adhand-remote"
    )
    static let isOff = CommandError(
        .unreachable, "the phone page is off; turn it on with \"sudo adhanctl remote enable\"")

    static var isInstalled: Bool { state(of: "adhan-remote.service") != nil }

    /// The state `active`, `inactive`, `failed` …; `nil` if systemd does not know the unit, or does not run.
    static func state(of unit: String) -> String? {
        guard
            let shown = SystemTool.output(
                "systemctl", ["show", "-P", "LoadState", "-P", "ActiveState", unit])
        else { return nil }
        let words = shown.split(separator: "\n")
        guard words.count == 2, words[0] == "loaded" else { return nil }
        return String(words[1])
    }

    /// The port from the socket's unit: `[::]:PORT (Stream)`.
    private static var port: UInt16 {
        let shown = SystemTool.output("systemctl", ["show", "-P", "Listen", "adhan-remote.socket"]) ?? ""
        return shown.split(whereSeparator: { $0 == " " || $0 == "\n" }).lazy
            .compactMap { $0.split(separator: ":").last.flatMap { UInt16($0) } }.first
            ?? UInt16(PhonePage.port)
    }

    /// The addresses at which browsers find the page.
    static func addresses() throws(CommandError) -> PairingAddress {
        let config = try configuration()
        let url =
            config.proxy
            ? config.names.first.map { "https://\($0)/r/" } : nil
        let name = hostName.prefix { $0 != "." }.lowercased()
        return PairingAddress(url ?? "http://\(name).local:\(port)/r/", numbers: NetworkAddresses.all)
    }

    private static var hostName: String {
        let text = (try? FileBytes.read("/proc/sys/kernel/hostname", limit: 256)) ?? []
        return String(decoding: text.prefix { $0 != 10 }, as: UTF8.self)
    }

    private static func configuration() throws(CommandError) -> RemoteConfig {
        let file = RemoteConfig.systemFile
        guard ConfigFiles.exist(file, in: .process) else { return RemoteConfig() }
        let sources: [ConfigSource]
        do throws(FileError) {
            sources = try ConfigFiles.read(file).sources
        } catch {
            throw CommandError(.failed, error.message)
        }
        do throws(ConfigError) {
            return try RemoteConfig.schema.read(sources).settings
        } catch {
            throw CommandError(error)
        }
    }

    /// The package's announcement file, installed with the rest of its data.
    static var announcementSource: String? {
        ["/usr/share/adhand", "/usr/local/share/adhand"].map { "\($0)/\(announced)" }
            .first(where: Environment.process.exists)
    }

    static var isAnnounced: Bool { Environment.process.exists(announcement) }
}
