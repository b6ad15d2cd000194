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
        let bytes: [UInt8]
        do throws(FileError) {
            // Root reads here, too, and the directory is the daemon's.
            bytes = try FileBytes.read(path, limit: PublishedTable.mostBytes, followsLink: false)
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
