package import AdhanCore

/// What a mosque has decided, as it lies in a state directory: the timetable, single days set by hand, first days of months.
package enum DecidedFiles {
    private static let longestState = 16 << 20

    package static func read(in directory: String) throws(TimetableFile.Fault) -> DecidedTimes {
        var decided = DecidedTimes()
        decided.table = try TimetableFile.read(in: directory)
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try FileBytes.read(directory + "/state.json", limit: longestState)
        } catch {
            if error.isMissing { return decided }
            throw .file(error)
        }
        // A state that cannot be used the daemon sets aside, and begins anew.
        guard let state = try? SavedState(fileBytes: bytes) else { return decided }
        (decided.exceptions, decided.pins) = (state.exceptions, state.pins)
        return decided
    }
}
