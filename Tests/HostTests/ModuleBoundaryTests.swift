import Foundation
import Testing

/// The table of modules in docs/ARCHITECTURE.md says who may import what. These tests hold the sources and Package.swift
/// against it, so that the page cannot say one thing and the code another.
struct ModuleBoundaryTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Module name → names it may import, from the table's first and third columns.
    private static let allowed: [String: Set<String>] = {
        let page =
            (try? String(contentsOf: root.appending(path: "docs/ARCHITECTURE.md"), encoding: .utf8)) ?? ""
        var allowed: [String: Set<String>] = [:]
        for line in page.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|", omittingEmptySubsequences: true)
            guard cells.count == 3 else { continue }
            for module in names(in: cells[0]) { allowed[module] = names(in: cells[2]) }
        }
        return allowed
    }()

    /// The words between backticks.
    private static func names(in cell: Substring) -> Set<String> {
        let parts = cell.split(separator: "`", omittingEmptySubsequences: false)
        return Set(parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) })
    }

    private static func swiftFiles(in folder: String) -> [URL] {
        let files = FileManager.default.enumerator(
            at: root.appending(path: folder), includingPropertiesForKeys: nil)
        return (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }
    }

    private static func modules() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Sources").path)
            .filter { !$0.contains(".") }.sorted()
    }

    /// The modules that the lines `import X`, `package import X`, `@testable import X` and the like name.
    private static func imports(of file: URL) throws -> Set<String> {
        let words = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
            $0.split(separator: " ")
        }
        return Set(
            words.compactMap { line in
                guard let keyword = line.firstIndex(of: "import"), keyword <= 2, keyword + 1 < line.count,
                    line[..<keyword].allSatisfy({ $0.hasPrefix("@") || Self.accessLevels.contains($0) })
                else { return nil }
                // A module cannot have the hyphen of its program's name.
                return String(line[keyword + 1].prefix { $0 != "." }.replacing("_", with: "-"))
            })
    }

    private static let accessLevels: Set<Substring> = [
        "public", "package", "internal", "fileprivate", "private",
    ]

    /// The page's paths: whatever begins with a folder of the checkout or a module, and every name of a source file.
    private static func paths() throws -> [(line: Int, path: String)] {
        let page = try String(contentsOf: root.appending(path: "docs/ARCHITECTURE.md"), encoding: .utf8)
        let folders = Set(try FileManager.default.contentsOfDirectory(atPath: root.path) + modules())
            .filter { !$0.hasPrefix(".") }
        var paths: [(line: Int, path: String)] = []
        for (index, line) in page.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            for name in names(in: line) where !name.contains(where: { " …*=\"".contains($0) }) {
                let first = name.split(separator: "/").first.map(String.init) ?? ""
                let isPath = name.contains("/") && !name.hasPrefix("/") && folders.contains(first)
                let ending = name.split(separator: ".").last.map(String.init) ?? ""
                if isPath || name.contains(".") && ["swift", "js", "py", "sh", "md", "json"].contains(ending)
                {
                    paths.append((index + 1, name))
                }
            }
        }
        return paths
    }

    private static func exists(_ path: String) -> Bool {
        ["", "Sources/"].contains {
            FileManager.default.fileExists(atPath: root.appending(path: $0 + path).path)
        }
    }

    @Test func everyPathOfThePageExists() throws {
        let paths = try Self.paths()
        #expect(paths.count > 60)
        let files = ["Sources", "Tests", "Resources", "box", "image", "docs", "debian"].flatMap { folder in
            FileManager.default.enumerator(atPath: Self.root.appending(path: folder).path)?.allObjects
                as? [String] ?? []
        }
        let names = Set(files.compactMap { $0.split(separator: "/").last.map(String.init) })
        for (line, path) in paths {
            // `+Mute.swift` goes on from the name before it; a file alone is one of some folder.
            let isThere =
                path.contains("/")
                ? Self.exists(path)
                : names.contains { path.hasPrefix("+") ? $0.hasSuffix(path) : $0 == path }
            #expect(isThere, "docs/ARCHITECTURE.md:\(line) names \(path), which does not exist")
        }
    }

    @Test func everyModuleStandsInTheTable() throws {
        let unknown = try Self.modules().filter { Self.allowed[$0] == nil }
        #expect(unknown.isEmpty, "docs/ARCHITECTURE.md has no row for \(unknown)")
        let gone = Set(Self.allowed.keys).subtracting(try Self.modules())
        #expect(gone.isEmpty, "docs/ARCHITECTURE.md has a row for \(gone), of which there is no folder")
    }

    @Test func sourcesImportOnlyWhatTheTableAllows() throws {
        var read = 0
        for module in try Self.modules() {
            let allowed = Self.allowed[module] ?? []
            for file in Self.swiftFiles(in: "Sources/\(module)") {
                read += 1
                let excess = try Self.imports(of: file).subtracting(allowed)
                #expect(excess.isEmpty, "\(module)/\(file.lastPathComponent) imports \(excess.sorted())")
            }
        }
        #expect(read > 100)
    }

    /// A target may link the modules that its module may import.
    @Test func packageDependsOnlyOnWhatTheTableAllows() throws {
        let manifest = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
        let declaration =
            /(?:\.target|\.executableTarget)\(\s*name:\s*"(?<name>[\w-]+)",\s*dependencies:\s*\[(?<list>[^\]]*)\]/
        // Products of other packages have a short name at the top: `let argumentParser: … = .product(name: "ArgumentParser", …`.
        let products = Dictionary(
            manifest.matches(of: /let (\w+): Target\.Dependency = \.product\(name: "(\w+)"/).map {
                (String($0.1), String($0.2))
            }, uniquingKeysWith: { first, _ in first })
        var read = 0
        for match in manifest.matches(of: declaration) {
            // Benchmarks and what tests share are declared here, too, and have no folder in Sources.
            guard let allowed = Self.allowed[String(match.name)] else { continue }
            read += 1
            let dependencies = match.list.split(separator: ",").map {
                $0.trimmingCharacters(in: .whitespacesAndNewlines.union(["\""]))
            }.filter { !$0.isEmpty }.map { products[$0] ?? $0 }
            let excess = Set(dependencies).subtracting(allowed)
            #expect(excess.isEmpty, "Package.swift lets \(match.name) link \(excess.sorted())")
        }
        #expect(read >= 9)
    }

    /// A room that nobody can keep in mind is two rooms.
    @Test func noModuleIsTooLarge() throws {
        for module in try Self.modules() {
            let lines = try Self.swiftFiles(in: "Sources/\(module)").map {
                try String(contentsOf: $0, encoding: .utf8).split(
                    separator: "\n", omittingEmptySubsequences: false
                ).count
            }.reduce(0, +)
            // The command line is many small commands beside each other.
            #expect(lines <= (module == "adhanctl" ? 10_000 : 8000), "\(module) has \(lines) lines")
        }
    }

    /// A client of adhand needs the protocol of the socket, and neither the state machine nor what a terminal prints.
    @Test(arguments: [
        "ControlClient", "DisplayProgramme", "DisplayFeed", "adhan-touch", "adhan-kiosk", "adhan-display",
        "DisplayPrograms", "PrayerLog", "adhan-companion", "RemoteProgramme", "adhan-remote", "adhan-bridge",
    ])
    func clientsLinkNoStateMachine(_ module: String) throws {
        var reached: Set<String> = []
        var open = [module]
        while let next = open.popLast() {
            for name in Self.allowed[next] ?? [] where reached.insert(name).inserted { open.append(name) }
        }
        #expect(reached.contains("Texts"))
        #expect(reached.isDisjoint(with: ["Daemon", "Console"]), "\(module) reaches \(reached.sorted())")
    }

    /// A module that computes and decides is given its instants and its bytes.
    @Test(arguments: [
        "PrayerEngine", "TOML", "Texts", "Settings", "Places", "Times", "Protocol", "Daemon", "Console",
        "PrayerLog", "DisplayProgramme", "RemoteProgramme", "WebRules", "TimetableImport",
        "AdhanSimulator",
    ])
    func pureModulesNeitherAskTheClockNorTouchFiles(_ module: String) throws {
        let clock = /\b(clock_gettime|gettimeofday|time\(nil\)|Date\(\)|Date\.now|DispatchQueue)/
        // Without the C library `open` can only be a function of our own.
        let files = /\b(fopen|open\(|openat\(|getenv)/
        for file in Self.swiftFiles(in: "Sources/\(module)") {
            let seesC = try Self.imports(of: file).contains("Glibc")
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            where !line.drop(while: { $0 == " " }).hasPrefix("//") {
                if line.contains(clock) || seesC && line.contains(files) {
                    Issue.record("\(module)/\(file.lastPathComponent): \(line)")
                }
            }
        }
    }

    /// Dispatch's global queues, and whatever runs on them, start a timer in libdispatch that wakes a program every second for as
    /// long as it runs. Queues with a name, and `BackgroundThread`, do not.
    @Test func nothingRunsOnQueuesThatWakeTheMachineEverySecond() throws {
        let awake =
            /\.global\(|concurrentPerform|attributes: *\[?\.?concurrent|\bTask *(\{|\()|Task\.detached|TaskGroup|async let\b/
        var read = 0
        for module in try Self.modules() {
            for file in Self.swiftFiles(in: "Sources/\(module)") {
                read += 1
                for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                where !line.drop(while: { $0 == " " }).hasPrefix("//") && line.contains(awake) {
                    Issue.record("\(module)/\(file.lastPathComponent): \(line)")
                }
            }
        }
        #expect(read > 100)
    }
}
