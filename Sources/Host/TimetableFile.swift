package import AdhanCore

/// The timetable in a state directory: `timetable.csv`.
package enum TimetableFile {
    package static let name = "timetable.csv"

    package enum Fault: Error, Sendable {
        case file(FileError)
        case mistakes(TableMistakes)

        package var message: String {
            switch self {
            case .file(let error): error.message
            case .mistakes(let error): error.mistakes.first?.message ?? error.message
            }
        }
    }

    /// What is in force; empty where there is none.
    package static func read(_ name: String = name, in directory: String) throws(Fault) -> PublishedTable {
        let path = "\(directory)/\(name)"
        return try table(path) { () throws(FileError) in
            // Root reads here, too, and the directory is the daemon's.
            try FileBytes.read(path, limit: PublishedTable.mostBytes, followsLink: false)
        }
    }

    /// The same in a directory that was opened before.
    package static func read(
        _ name: String = name, in directory: StateDirectory
    ) throws(Fault) -> PublishedTable {
        try table("\(directory.path)/\(name)") { () throws(FileError) in
            try FileBytes.read(name, in: directory, limit: PublishedTable.mostBytes)
        }
    }

    private static func table(
        _ path: String, _ read: () throws(FileError) -> [UInt8]
    ) throws(Fault) -> PublishedTable {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try read()
        } catch {
            if error.isMissing { return PublishedTable() }
            throw .file(error)
        }
        do throws(TableMistakes) {
            return try PublishedTable(csv: bytes, file: path)
        } catch {
            throw .mistakes(error)
        }
    }
}
