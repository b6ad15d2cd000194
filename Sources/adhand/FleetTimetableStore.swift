internal import Daemon
internal import Host
internal import Texts
internal import Times

/// The timetable's file as changed by a fleet, and the files to restore. Every step is atomic, and all can be repeated: the next
/// start does not notice a loss of power between two.
struct FleetTimetableStore: Sendable {
    let directory: String

    /// The box's own timetable, from before the fleet's first.
    private static let own = "timetable.own.csv"

    func carryOut(_ change: FleetFileChange) throws(FileError) {
        let place = try StateDirectory.open(directory)
        // A timetable may be being imported just now. The lock is released with the descriptor.
        try StateDirectory.lock(place.raw, place.path)
        let current = try read(TimetableFile.name)
        let hash = SHA256.hex(current ?? [])
        switch change {
        case .put(let text, let known, let keepsPrevious):
            let new = Array(text.utf8)
            guard current != new else { return }
            let before = current ?? Self.nothing
            if hash != known { try replace(Self.own, before) }
            if hash != known || !keepsPrevious { try replace(TimetableFile.previous, before) }
            try replace(TimetableFile.name, new)
        case .undo(let known):
            guard hash == known else { return }
            try replace(TimetableFile.name, try read(TimetableFile.previous) ?? Self.nothing)
        case .restoreOwn(let known):
            guard hash == known, let current else { return }
            try replace(TimetableFile.previous, current)
            try replace(TimetableFile.name, try read(Self.own) ?? Self.nothing)
        }
    }

    /// The file as the removal of a timetable leaves it.
    private static var nothing: [UInt8] { Array(PublishedTimetable().csv().utf8) }

    private func read(_ name: String) throws(FileError) -> [UInt8]? {
        do throws(FileError) {
            return try FileBytes.read(
                "\(directory)/\(name)", limit: PublishedTimetable.mostBytes, followsLink: false)
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    private func replace(_ name: String, _ bytes: [UInt8]) throws(FileError) {
        try AtomicFile.replace("\(directory)/\(name)", mode: 0o644) { draft throws(FileError) in
            try draft.write(bytes)
        }
    }
}
