package import AdhanCore

/// What a mosque has decided, as it lies in a state directory: the timetable, single days set by hand, first days of months.
package enum DecidedFiles {
    private static let longestState = 16 << 20

    package static func read(in directory: String) throws(TimetableFile.Fault) -> DecidedTimes {
        try decided(by: try TimetableFile.read(in: directory)) { () throws(FileError) in
            try FileBytes.read("\(directory)/\(stateName)", limit: longestState)
        }
    }

    /// The same in a directory that was opened before.
    package static func read(in directory: StateDirectory) throws(TimetableFile.Fault) -> DecidedTimes {
        try decided(by: try TimetableFile.read(in: directory)) { () throws(FileError) in
            try FileBytes.read(stateName, in: directory, limit: longestState)
        }
    }

    private static let stateName = "state.json"

    private static func decided(
        by table: PublishedTable, _ state: () throws(FileError) -> [UInt8]
    ) throws(TimetableFile.Fault) -> DecidedTimes {
        var decided = DecidedTimes()
        decided.table = table
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try state()
        } catch {
            if error.isMissing { return decided }
            throw .file(error)
        }
        // A state that cannot be used the daemon sets aside, and begins anew.
        guard let state = try? SavedState(fileBytes: bytes) else { return decided }
        (decided.exceptions, decided.pins, decided.toggles) = (state.exceptions, state.pins, state.toggles)
        return decided
    }
}
