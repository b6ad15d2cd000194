package import Glibc

/// Files that are there whole or not at all, also after a power cut.
package enum AtomicFile {
    /// A new file that is being filled.
    package struct Draft: ~Copyable {
        package let path: String
        fileprivate let descriptor: OwnedDescriptor

        package borrowing func write(_ bytes: [UInt8]) throws(FileError) {
            if let code = OwnedDescriptor.write(bytes, to: descriptor.raw) {
                throw FileError("write", path, code: code)
            }
        }
    }

    /// Fills a new file beside `path` and renames it over it, each step down to the disk. Mode and owner are those of the file
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
        // Makes the name safe, too. Where a file system has no directory sync, the rename is all there is.
        try sync(directory: Directories.parent(of: path))
    }

    /// The same with bytes that are there already; readable for all where there is no model.
    package static func write(_ bytes: [UInt8], to path: String, like model: String) throws(FileError) {
        try replace(path, mode: 0o644, like: model) { draft throws(FileError) in try draft.write(bytes) }
    }

    /// Gives a file another name, down to the disk. What had that name before is gone.
    package static func move(_ path: String, to new: String) throws(FileError) {
        guard unsafe rename(path, new) == 0 else { throw FileError("rename", path, code: errno) }
        try sync(directory: Directories.parent(of: new))
    }

    /// Removes a file, down to the disk. A file that is not there is removed already.
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
            // Only root may give a file away; anybody else's file is their own already.
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

    /// An entry under the new file's name, be it a link or a pipe, is not written to.
    private static func create(beside path: String, mode: mode_t) throws(FileError) -> Draft {
        var code: Int32 = 0
        for name in ["\(path).new", "\(path).new-\(getpid())"] {
            unsafe unlink(name)
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
            let raw = unsafe open(name, flags, mode)
            if raw >= 0 { return Draft(path: name, descriptor: OwnedDescriptor(raw)) }
            code = errno
            // A directory of that name cannot be taken away.
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

    /// Whether the file system knows no such thing as waiting for the disk.
    private static func isUnknown(_ code: Int32) -> Bool { code == EINVAL || code == EROFS }
}
