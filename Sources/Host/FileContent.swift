/// A file's content before a change, to be restored if the change fails. An unreadable file differs from an absent one: it is not
/// removed.
package enum FileContent: Sendable, Equatable {
    case bytes([UInt8])
    case none
    case unreadable

    package init(_ path: String, limit: Int) {
        self.init { () throws(FileError) in try FileBytes.read(path, limit: limit) }
    }

    /// Reads the content of a file of an open directory.
    package init(_ name: String, in directory: StateDirectory, limit: Int) {
        self.init { () throws(FileError) in try FileBytes.read(name, in: directory, limit: limit) }
    }

    private init(_ read: () throws(FileError) -> [UInt8]) {
        do throws(FileError) {
            self = .bytes(try read())
        } catch {
            self = error.isMissing ? .none : .unreadable
        }
    }
}
