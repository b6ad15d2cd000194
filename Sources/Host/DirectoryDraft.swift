import Glibc

/// A file that is being written in an open directory, under a temporary name until it is complete. It is removed with its owner
/// unless it was moved into place.
///
/// Links in the directory are not followed: root uses this in directories of the daemon's user, who must not be able to redirect
/// it. The file belongs to the directory's owner.
package struct DirectoryDraft: ~Copyable {
    /// The temporary name.
    package let name: String
    private let descriptor: OwnedDescriptor
    private let directory: Int32
    /// The path and the verb in sentences: "cannot write to …".
    private let shown: String
    private let verb: String

    package var raw: Int32 { descriptor.raw }

    /// Creates the file, which must not exist yet.
    /// - Parameters:
    ///   - directory: outlives the draft.
    ///   - shown: the path in sentences, since a temporary name means nothing to people.
    package static func create(
        _ name: String, in directory: Int32, owner: StateDirectory.Owner, shown: String,
        verb: String = "write"
    ) throws(FileError) -> DirectoryDraft {
        let raw = unsafe openat(directory, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard raw >= 0 else { throw FileError(verb, shown, code: errno) }
        let draft = DirectoryDraft(
            name: name, descriptor: OwnedDescriptor(raw), directory: directory, shown: shown, verb: verb)
        try StateDirectory.setOwner(of: draft.raw, to: owner, mode: 0o644, shown)
        return draft
    }

    private init(
        name: String, descriptor: consuming OwnedDescriptor, directory: Int32, shown: String, verb: String
    ) {
        self.name = name
        self.descriptor = descriptor
        self.directory = directory
        self.shown = shown
        self.verb = verb
    }

    deinit {
        // After a move there is nothing under this name any more.
        _ = unsafe unlinkat(directory, name, 0)
    }

    package borrowing func write(_ bytes: [UInt8]) throws(FileError) {
        if let code = OwnedDescriptor.write(bytes, to: descriptor.raw) {
            throw FileError(verb, shown, code: code)
        }
    }

    /// Waits until it is on disk. File systems without that operation are not an error.
    package borrowing func sync() throws(FileError) {
        guard fsync(descriptor.raw) != 0, errno != EINVAL, errno != EROFS else { return }
        throw FileError(verb, shown, code: errno)
    }

    /// Moves it into place, replacing any existing file.
    /// - Parameter target: the place in sentences.
    package borrowing func move(to file: String, in folder: Int32, shown target: String) throws(FileError) {
        guard unsafe renameat(directory, name, folder, file) == 0 else {
            throw FileError("replace", target, code: errno)
        }
    }
}
