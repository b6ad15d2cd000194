internal import Glibc
package import Settings

/// The files of a configuration: the one in force, and the drop-ins beside it, `FILE.d/*.toml`, which are read after it in the
/// order of their names. Drop-ins apply even without the file.
package struct ConfigFiles: Sendable, Equatable {
    /// The file in force, whether it exists itself or only its drop-ins do.
    package let main: String
    /// Whether the file itself exists.
    package let hasMain: Bool
    /// The texts in the order in which they are read.
    package let sources: [ConfigSource]

    /// The most drop-ins, far beyond any real number; an endless directory is refused.
    private static let mostDropIns = 100

    package init(main: String, hasMain: Bool, sources: [ConfigSource]) {
        self.main = main
        self.hasMain = hasMain
        self.sources = sources
    }

    /// Reads the files at `main` and beside it. It is an error if there are none.
    package static func read(_ main: String) throws(FileError) -> ConfigFiles {
        // The file comes before the drop-ins: of a directory that adhand may not read, the error then names the file.
        var sources: [ConfigSource] = []
        var missing: FileError?
        do throws(FileError) {
            sources.append(try source(main))
        } catch {
            guard error.isMissing else { throw error }
            missing = error
        }
        for file in try dropIns(of: main) { sources.append(try source(file)) }
        if let missing, sources.isEmpty { throw missing }
        return ConfigFiles(main: main, hasMain: missing == nil, sources: sources)
    }

    /// Whether there is a configuration at a path: the file, or a drop-in beside it.
    package static func exist(_ main: String, in environment: Environment) -> Bool {
        if environment.exists(main) { return true }
        let directory = directory(of: main)
        guard environment.exists(directory) else { return false }
        // An unreadable directory is an error, not a reason to look elsewhere.
        return environment.names(directory).map { $0.contains(where: isDropIn) } ?? true
    }

    package static func directory(of main: String) -> String { main + ".d" }

    /// The drop-ins beside a file, in the order in which they are read.
    package static func dropIns(of main: String) throws(FileError) -> [String] {
        let directory = directory(of: main)
        let names: [String]
        do throws(FileError) {
            names = try Directories.names(in: directory).filter(isDropIn)
        } catch  where error.isMissing {
            // A file or a dangling link of that name is not a missing directory: its former content would no longer apply.
            guard isNothing(at: directory) else {
                throw FileError("list", directory, reason: "it is not a folder")
            }
            return []
        }
        guard names.count <= mostDropIns else {
            throw FileError(
                "read", directory, reason: "it has \(names.count) drop-ins, allowed are \(mostDropIns)")
        }
        return names.map { directory + "/" + $0 }
    }

    private static func isNothing(at path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
    }

    /// Whether a name is a drop-in's. Editors and package managers leave files with other suffixes, or a dot in front.
    private static func isDropIn(_ name: String) -> Bool {
        name.hasSuffix(".toml") && !name.hasPrefix(".")
    }

    /// The name of a fleet's configuration among the files that set keys.
    package static let fleetName = "fleet"

    /// Reads one of the files.
    package static func source(_ file: String) throws(FileError) -> ConfigSource {
        ConfigSource(file: file, text: try FileBytes.read(file, limit: ConfigLoader.longestFile))
    }
}
