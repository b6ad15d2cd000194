import AdhanCore
import ArgumentParser
import Glibc
import Host

struct Diagnostics: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "One text to attach to a bug report.",
        discussion: "Coordinates in it are rounded to a tenth of a degree, some ten kilometres.")

    @OptionGroup var global: GlobalOptions

    @Option(name: .long, help: ArgumentHelp("Write it to a file instead.", valueName: "file"))
    var output: String?

    func run() throws {
        var text = Self.about
        var refusal: Refusal?
        do throws(Refusal) {
            text += try global.daemon.ask("GetDiagnostics", for: DiagnosticsReply.self).text
        } catch {
            // What can be said without the daemon is worth having, above all when it does not run.
            text += "adhand: \(error.message)\n\(Self.configurationLine)\n"
            refusal = error
        }
        try write(text)
        if let refusal { throw refusal }
    }

    private func write(_ text: String) throws(Refusal) {
        guard let path = output else {
            return try global.output.show(DiagnosticsReply(text: text)) { _ in text }
        }
        do throws(FileError) {
            try TextFile.write(text, to: path)
        } catch {
            throw Refusal(.failed, error.message)
        }
        if global.json {
            try global.output.write(document: ["file": path])
        } else {
            StandardError.say("wrote \"\(path)\"")
        }
    }

    private static var about: String {
        let system = OperatingSystem.current
        return "adhanctl \(adhandVersion) on \(system.name), Linux \(system.kernel) \(system.machine)\n"
    }

    private static var configurationLine: String {
        do throws(Refusal) {
            return "configuration: \(try LocalConfiguration().source), valid"
        } catch {
            return "configuration: \(error.message)"
        }
    }
}

private struct OperatingSystem {
    let name: String
    let kernel: String
    let machine: String

    /// os-release(5) and uname(2).
    static var current: OperatingSystem {
        let release = (try? FileBytes.read("/etc/os-release", limit: 1 << 16)).map {
            String(decoding: $0, as: UTF8.self)
        }
        let line = release?.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
        let name =
            line.map { $0.dropFirst("PRETTY_NAME=".count).filter { $0 != "\"" } } ?? "an unknown system"
        var names = utsname()
        guard unsafe uname(&names) == 0 else {
            return OperatingSystem(name: String(name), kernel: "?", machine: "?")
        }
        return OperatingSystem(
            name: String(name), kernel: text(of: names.release), machine: text(of: names.machine))
    }

    /// A C array of characters up to its NUL.
    private static func text<Field>(of field: Field) -> String {
        unsafe withUnsafeBytes(of: field) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

enum TextFile {
    /// Replaces what was there; readable by this user alone, as a bug report is nobody else's before it is sent.
    static func write(_ text: String, to path: String) throws(FileError) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError("write", path, code: errno) }
        let owned = OwnedDescriptor(descriptor)
        if let code = FileDescriptor.write(Array(text.utf8), to: owned.raw) {
            throw FileError("write", path, code: code)
        }
    }
}
