package import Times

/// A mosque's decisions in a state directory: the timetable, single days set by hand, first days of months.
package enum OverridesFiles {
    private static let longestState = 16 << 20

    package static func read(in directory: String) throws(TimetableFile.ReadError) -> MosqueOverrides {
        try decided(by: try TimetableFile.read(in: directory)) { name throws(FileError) in
            try FileBytes.read("\(directory)/\(name)", limit: longestState)
        }
    }

    /// Reads the decisions in a directory that was opened before.
    package static func read(in directory: StateDirectory) throws(TimetableFile.ReadError) -> MosqueOverrides
    {
        try decided(by: try TimetableFile.read(in: directory)) { name throws(FileError) in
            try FileBytes.read(name, in: directory, limit: longestState)
        }
    }

    private static func decided(
        by table: PublishedTimetable, _ read: (String) throws(FileError) -> [UInt8]
    ) throws(TimetableFile.ReadError) -> MosqueOverrides {
        var decided = MosqueOverrides()
        decided.table = table
        // The daemon sets an unusable state aside, and uses the copy.
        for name in [DecidedRecord.fileName, DecidedRecord.copyName] {
            let bytes: [UInt8]
            do throws(FileError) {
                bytes = try read(name)
            } catch {
                if error.isMissing { continue }
                throw .file(error)
            }
            guard let record = try? DecidedRecord(fileBytes: bytes) else { continue }
            decided = record.times
            decided.table = table
            break
        }
        return decided
    }
}
