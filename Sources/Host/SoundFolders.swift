internal import Glibc
package import Protocol
import Settings
package import Texts

/// Resolves the names of sounds into files: added sounds take precedence over shipped ones. The daemon and adhanctl both use
/// this, so that they find the same file.
package struct SoundFolders: Sendable, Equatable {
    /// Sounds that people added.
    package let added: String
    package let shipped: String

    /// `stateDirectory` holds the sounds that people added, `audioDirectory` the shipped ones.
    /// Seconds for examining a file, which may be on a dead server: an announcement is prepared ten seconds ahead.
    private static let patienceSeconds = 2.0

    package init(stateDirectory: String, audioDirectory: String) {
        added = stateDirectory + "/sounds"
        shipped = audioDirectory
    }

    /// The file that a name leads to.
    package enum Finding: Sendable, Equatable {
        case file(String)
        case missing(searched: [String])
    }

    package func find(_ text: String, for prayer: Prayer) -> Finding {
        let name = SoundName(text)
        let candidates = name.candidates(for: prayer)
        let searched =
            if case .absolute = name { candidates } else {
                [added, shipped].flatMap { directory in candidates.map { "\(directory)/\($0)" } }
            }
        // A file that does not answer counts as present: its reader waits on a separate thread, and reports why.
        let isThere: (String) -> Bool = { path in
            TimeLimit.run(on: path, seconds: Self.patienceSeconds) { unsafe access(path, F_OK) == 0 } ?? true
        }
        guard let found = searched.first(where: isThere) else {
            return .missing(searched: searched)
        }
        return .file(found)
    }

    /// The measurement of a file when it was added; nil where there was none, or the file was replaced since.
    package func measurement(of file: String) -> SoundMeasurement? {
        guard isAdded(file), let stamp = Self.stamp(of: file),
            let bytes = try? FileBytes.read(
                SoundMeasurement.path(of: file), limit: SoundMeasurement.longestFile)
        else { return nil }
        return SoundMeasurement(fileBytes: bytes, of: stamp)
    }

    package func isAdded(_ file: String) -> Bool { file.hasPrefix(added + "/") }

    package func isShipped(_ file: String) -> Bool { file.hasPrefix(shipped + "/") }

    /// Identifies a file, so that a replaced one is noticed; nil where there is none.
    package static func stamp(of file: String) -> SoundMeasurement.Stamp? {
        let stamp = TimeLimit.run(on: file, seconds: patienceSeconds) { () -> SoundMeasurement.Stamp? in
            var status = stat()
            guard unsafe stat(file, &status) == 0 else { return nil }
            return SoundMeasurement.Stamp(size: Int(status.st_size), modified: Int(status.st_mtim.tv_sec))
        }
        return stamp ?? nil
    }
}
