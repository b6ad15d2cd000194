import Glibc
import Host
import Playback

/// The operating system on which adhand runs.
package struct OperatingSystem {
    /// `Debian GNU/Linux 12 (bookworm)`
    package let name: String
    package let kernel: String
    package let machine: String
    let host: String

    /// The running system, from os-release(5) and uname(2).
    package static var current: OperatingSystem {
        let release = (try? FileBytes.read("/etc/os-release", limit: 1 << 16)).map {
            String(decoding: $0, as: UTF8.self)
        }
        let line = release?.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
        let name =
            line.map { $0.dropFirst("PRETTY_NAME=".count).filter { $0 != "\"" } } ?? "an unknown system"
        var names = utsname()
        guard unsafe uname(&names) == 0 else {
            return OperatingSystem(name: String(name), kernel: "?", machine: "?", host: "")
        }
        return OperatingSystem(
            name: String(name), kernel: text(of: names.release), machine: text(of: names.machine),
            host: text(of: names.nodename))
    }

    /// A C array of characters up to its NUL.
    private static func text<Field>(of field: Field) -> String {
        unsafe withUnsafeBytes(of: field) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    /// Sentences about the libraries that adhand uses.
    package static var libraries: [String] {
        [
            "alsa-lib \(AlsaLibrary.version)",
            loadedFile(of: "libmpg123") ?? "libmpg123 of an unknown version",
            SystemTool.output("systemctl", ["--version"])?.split(separator: "\n").first.map(String.init)
                ?? "no systemd",
        ]
    }

    /// The file of a loaded library, such as `libmpg123.so.0.47.0`: before 1.32, libmpg123 reports no version, but its file's
    /// name does.
    private static func loadedFile(of library: String) -> String? {
        let maps = (try? FileBytes.read("/proc/self/maps", limit: 1 << 22)) ?? []
        let line = String(decoding: maps, as: UTF8.self).split(separator: "\n")
            .first { $0.contains("/\(library).so") }
        return line?.split(separator: "/").last.map(String.init)
    }
}
