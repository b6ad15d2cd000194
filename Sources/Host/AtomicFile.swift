package import Glibc

/// Files that are either complete or absent, even after a power cut.
package enum AtomicFile {
    /// A new file that is being written.
    package struct Draft: ~Copyable {
        package let path: String
        fileprivate let descriptor: OwnedDescriptor

        package borrowing func write(_ bytes: [UInt8]) throws(FileError) {
            if let code = OwnedDescriptor.write(bytes, to: descriptor.raw) {
                throw FileError("write", path, code: code)
            }
        }
    }

    /// Writes a new file beside `path` and renames it over it, each step down to the disk. Mode and owner are those of the file
    /// `model` where that exists, else `mode` and our own.
    package static func replace(
        _ path: String, mode: mode_t, like model: String? = nil,
        with fill: (borrowing Draft) throws(FileError) -> Void
    ) throws(FileError) {
        let draft = try create(beside: path, mode: mode)
        let temporary = draft.path
        do throws(FileError) {
            try finish(draft, like: model, mode: mode, with: fill)
            guard unsafe rename(temporary, path) == 0 else { throw FileError("replace", path, code: errno) }
        } catch {
            unsafe unlink(temporary)
            throw error
        }
        // Makes the name durable, too. Where a file system has no directory sync, the rename alone has to do.
        try sync(directory: Directories.parent(of: path))
    }

    /// Replaces a file with these bytes; readable for all where there is no model.
    package static func write(_ bytes: [UInt8], to path: String, like model: String) throws(FileError) {
        try replace(path, mode: 0o644, like: model) { draft throws(FileError) in try draft.write(bytes) }
    }

    /// Renames a file, down to the disk, replacing any file with the new name.
    package static func move(_ path: String, to new: String) throws(FileError) {
        guard unsafe rename(path, new) == 0 else { throw FileError("rename", path, code: errno) }
        try sync(directory: Directories.parent(of: new))
    }

    /// Removes a file, down to the disk. A missing file counts as removed.
    package static func remove(_ path: String) throws(FileError) {
        guard unsafe unlink(path) == 0 else {
            let error = FileError("remove", path, code: errno)
            guard error.isMissing else { throw error }
            return
        }
        try sync(directory: Directories.parent(of: path))
    }

    private static func finish(
        _ draft: consuming Draft, like model: String?, mode: mode_t,
        with fill: (borrowing Draft) throws(FileError) -> Void
    ) throws(FileError) {
        var status = stat()
        if let model, unsafe stat(model, &status) == 0 {
            // Only root may change a file's owner; any other user's file is already their own.
            _ = fchown(draft.descriptor.raw, status.st_uid, status.st_gid)
            fchmod(draft.descriptor.raw, status.st_mode & 0o777)
        } else if model != nil {
            fchmod(draft.descriptor.raw, mode)
        }
        try fill(draft)
        guard fsync(draft.descriptor.raw) == 0 || isUnknown(errno) else {
            throw FileError("write", draft.path, code: errno)
        }
    }

    /// Creates the new file. An existing entry under its name, even a link or a pipe, is not written to.
    private static func create(beside path: String, mode: mode_t) throws(FileError) -> Draft {
        var code: Int32 = 0
        for name in ["\(path).new", "\(path).new-\(getpid())"] {
            unsafe unlink(name)
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
            let raw = unsafe open(name, flags, mode)
            if raw >= 0 { return Draft(path: name, descriptor: OwnedDescriptor(raw)) }
            code = errno
            // A directory of that name cannot be removed.
            guard code == EEXIST else { break }
        }
        throw FileError("write", "\(path).new", code: code)
    }

    private static func sync(directory: String) throws(FileError) {
        let raw = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard raw >= 0 else { throw FileError("open", directory, code: errno) }
        let owned = OwnedDescriptor(raw)
        guard fsync(owned.raw) == 0 || isUnknown(errno) else {
            throw FileError("write", directory, code: errno)
        }
    }

    /// Whether the file system does not support waiting for the disk.
    private static func isUnknown(_ code: Int32) -> Bool { code == EINVAL || code == EROFS }
}
