import CLinux
import Glibc
package import Host
package import Texts

/// The values that would reveal whose machine this is.
package enum Identity {
    /// The accounts of people: lower numbers are the system's, higher ones belong to containers and `nobody` (login.defs(5)).
    private static let people = UInt32(1000)...59_999

    /// - Parameter rounding: whether to round coordinates; `coordinates` are the known ones.
    package static func redaction(
        _ environment: Environment, coordinates: [Double], rounding: Bool
    ) -> Redaction {
        let accounts = accounts()
        let names = ["USER", "LOGNAME", "SUDO_USER"].compactMap(environment.value)
        return Redaction(
            hosts: hosts(), users: accounts.flatMap { [$0.name, $0.fullName] } + names,
            homes: accounts.map(\.home) + [environment.home].compactMap { $0 }, coordinates: coordinates,
            rounding: rounding)
    }

    private static func hosts() -> [String] {
        var names = [OperatingSystem.current.host]
        for file in ["/etc/hostname", "/etc/machine-info"] {
            let text = (try? FileBytes.read(file, limit: 4096)).map { String(decoding: $0, as: UTF8.self) }
            for line in (text ?? "").split(separator: "\n") {
                let value = line.hasPrefix("PRETTY_HOSTNAME=") ? line.dropFirst(16) : line
                names.append(value.filter { $0 != "\"" })
            }
        }
        // The first label of a long name identifies the machine as well.
        return names + names.compactMap { $0.split(separator: ".").first.map(String.init) }
    }

    private static func accounts() -> [(name: String, fullName: String, home: String)] {
        let table = (try? FileBytes.read("/etc/passwd", limit: 1 << 20)) ?? []
        let own = Account.ownName
        return String(decoding: table, as: UTF8.self).split(separator: "\n").compactMap { line in
            let fields = line.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            guard fields.count > 5, let user = UInt32(fields[2]),
                people.contains(user) || fields[0] == own && user != 0
            else { return nil }
            let fullName = fields[4].split(separator: ",").first.map(String.init) ?? ""
            return (fields[0], fullName, fields[5])
        }
    }
}
