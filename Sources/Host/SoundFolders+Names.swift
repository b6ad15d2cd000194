package import Texts

/// Lists the sounds in a folder.
extension SoundFolders {
    /// The names of the sounds in a folder, with their files; a missing folder has none.
    package static func sounds(
        in folder: String
    ) throws(FileError) -> [(name: String, files: [(path: String, prayer: Prayer?)])] {
        let entries: [String]
        do throws(FileError) {
            entries = try Directories.names(in: folder)
        } catch  where error.isMissing {
            return []
        }
        var names: [String] = []
        for entry in entries where !entry.hasPrefix(".") {
            let isFile = entry.hasSuffix(".mp3")
            let name = isFile ? String(entry.dropLast(4)) : entry
            guard isFile || Directories.isDirectory("\(folder)/\(entry)"), !names.contains(name) else {
                continue
            }
            names.append(name)
        }
        return names.map { ($0, files(of: $0, in: folder)) }.filter { !$0.files.isEmpty }
    }

    /// The files of a sound that a configuration can select, in the order of the day, the general ones last.
    package static func files(of name: String, in folder: String) -> [(path: String, prayer: Prayer?)] {
        let own: [(String, Prayer?)] = Prayer.allCases.map { ("\(folder)/\(name)/\($0.rawValue).mp3", $0) }
        let general: [(String, Prayer?)] = [
            ("\(folder)/\(name)/adhan.mp3", nil), ("\(folder)/\(name).mp3", nil),
        ]
        return (own + general).filter { stamp(of: $0.0) != nil }
    }
}
