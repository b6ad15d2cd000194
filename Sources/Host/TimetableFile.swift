package import Times

/// The timetable in a state directory: `timetable.csv`.
package enum TimetableFile {
    package static let name = "timetable.csv"
    /// The timetable in force before the last change. It exists from the first import on, and nothing removes it.
    package static let previous = "timetable.previous.csv"

    package enum ReadError: Error, Sendable {
        case file(FileError)
        case mistakes(TimetableErrors)
        /// It does not exist, although a timetable was imported once: a removed table leaves a file without rows.
        case vanished(path: String)

        /// It has fewer days than when it was written, or names its source but has no day from it: a removed table names no
        /// source.
        case cut(path: String)

        /// Whether the imported timetable is gone, rather than damaged or out of reach.
        package var isLost: Bool {
            switch self {
            case .vanished, .cut: true
            case .file, .mistakes: false
            }
        }

        package var message: String {
            switch self {
            case .file(let error): error.message
            case .mistakes(let error): error.mistakes.first?.message ?? error.message
            case .cut(let path):
                "\"\(path)\" has lost days, as after a loss of power; import the timetable again (adhanctl timetable import FILE), "
                    + "or say that there is none (adhanctl timetable remove)"
            case .vanished(let path):
                "\"\(path)\" is gone, although a timetable was imported; import it again (adhanctl timetable import FILE), "
                    + "or say that there is none (adhanctl timetable remove)"
            }
        }
    }

    /// The timetable in force; empty where there is none.
    /// - Parameter isMeant: whether a person confirmed that the missing parts are intended to be missing.
    package static func read(
        _ name: String = name, in directory: String, isMeant: Bool = false
    ) throws(ReadError) -> PublishedTimetable {
        // Root reads here, too, and the directory is the daemon's.
        try table(name, in: directory, isMeant) { name throws(FileError) in
            try FileBytes.read(
                "\(directory)/\(name)", limit: PublishedTimetable.mostBytes, followsLink: false)
        }
    }

    /// Reads the timetable in a directory that was opened before.
    package static func read(
        _ name: String = name, in directory: StateDirectory
    ) throws(ReadError) -> PublishedTimetable {
        try table(name, in: directory.path, false) { name throws(FileError) in
            try FileBytes.read(name, in: directory, limit: PublishedTimetable.mostBytes)
        }
    }

    private static func table(
        _ name: String, in directory: String, _ isMeant: Bool, _ read: (String) throws(FileError) -> [UInt8]
    ) throws(ReadError) -> PublishedTimetable {
        let path = "\(directory)/\(name)"
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try read(name)
        } catch {
            guard error.isMissing else { throw .file(error) }
            if name == Self.name, isThere(previous, read) || (!isMeant && wasInForce(read)) {
                throw .vanished(path: path)
            }
            return PublishedTimetable()
        }
        let (table, isCut): (PublishedTimetable, Bool)
        do throws(TimetableErrors) {
            (table, isCut) = try PublishedTimetable.reading(csv: bytes, file: path)
        } catch {
            throw .mistakes(error)
        }
        if isCut || (table.isEmpty && !table.sources.isEmpty) { throw .cut(path: path) }
        return table
    }

    /// Whether adhand noted that a table was in force; false for users who may not read the note.
    private static func wasInForce(_ read: (String) throws(FileError) -> [UInt8]) -> Bool {
        guard let bytes = try? read(KeptConfiguration.fileName) else { return false }
        return (try? KeptConfiguration(fileBytes: bytes))?.hasTimetable == true
    }

    private static func isThere(_ name: String, _ read: (String) throws(FileError) -> [UInt8]) -> Bool {
        do throws(FileError) {
            _ = try read(name)
            return true
        } catch {
            return !error.isMissing
        }
    }
}
