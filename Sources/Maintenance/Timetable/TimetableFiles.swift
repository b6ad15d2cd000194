import CommandKit
import Host
import Times
package import TimetableImport

/// The timetable files given on the command line, directly or by a folder.
package enum TimetableFiles {
    private static let mostFiles = 400
    private static let mostBytes = 24 << 20

    package static func read(_ paths: [String]) throws(CommandError) -> [ImportFile] {
        var files: [ImportFile] = []
        var total = 0
        for path in paths {
            guard Directories.isDirectory(path) else {
                files.append(try file(path, &total))
                continue
            }
            let names: [String]
            do throws(FileError) {
                names = try Directories.names(in: path).filter(FolderEntry.isTimetable)
            } catch {
                throw CommandError(.failed, error.message)
            }
            guard !names.isEmpty else {
                throw CommandError(
                    TimetableError(
                        "there is no CSV, TSV, text, JSON or JavaScript file in the folder", file: path))
            }
            guard files.count + names.count <= mostFiles else {
                throw CommandError(
                    TimetableError(
                        "there are \(names.count) files in it; \(mostFiles) are allowed", file: path))
            }
            let folder = path.hasSuffix("/") ? path : path + "/"
            for name in names { files.append(try file(folder + name, &total)) }
        }
        return files
    }

    private static func file(_ path: String, _ total: inout Int) throws(CommandError) -> ImportFile {
        do throws(FileError) {
            let bytes = try FileBytes.read(path, limit: PublishedTimetable.mostBytes)
            total += bytes.count
            guard total <= mostBytes else {
                throw FileError("read", path, reason: "the files together are larger than any timetable")
            }
            return ImportFile(name: path, bytes: bytes)
        } catch {
            guard error.code == 0 else { throw CommandError(.failed, error.message) }
            throw CommandError(TimetableError("\(error.reason); no timetable is like that", file: path))
        }
    }
}
