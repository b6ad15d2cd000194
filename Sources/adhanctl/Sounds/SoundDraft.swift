import Glibc
import Host
import Protocol

/// A file that is being written, under a name of its own until it is whole. It goes with its owner unless it was moved.
struct SoundDraft: ~Copyable {
    let name: String
    /// The directory, for sentences: its own name tells nobody anything.
    let place: String
    let descriptor: OwnedDescriptor
    private let directory: Int32

    /// `directory` is the one with `name` in it, and outlives the draft.
    init(name: String, place: String, in directory: Int32, _ raw: Int32) {
        self.name = name
        self.place = place
        self.directory = directory
        descriptor = OwnedDescriptor(raw)
    }

    deinit {
        // After a move there is nothing under this name any more.
        _ = unsafe unlinkat(directory, name, 0)
        Interruption.finished(name)
    }

    /// For what only takes a path: the very file, whatever stands under its name.
    borrowing func link() -> String { "/proc/self/fd/\(descriptor.raw)" }

    borrowing func write(_ bytes: [UInt8]) throws(FileError) {
        if let code = OwnedDescriptor.write(bytes, to: descriptor.raw) {
            throw FileError("write to", place, code: code)
        }
    }

    /// Everything that `source` still has.
    borrowing func copy(from source: Int32, _ sourcePath: String) throws(FileError) {
        var chunk = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(source, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileError("read", sourcePath, code: errno) }
            if count == 0 { return }
            try write(count == chunk.count ? chunk : Array(chunk[..<count]))
        }
    }

    /// Waits until the disk has it. File systems that know no such thing are not an error.
    borrowing func sync() throws(FileError) {
        guard fsync(descriptor.raw) != 0, errno != EINVAL, errno != EROFS else { return }
        throw FileError("write to", place, code: errno)
    }

    borrowing func stamp() throws(FileError) -> SoundMeasurement.Stamp {
        guard let stamp = SoundFolders.stamp(of: link()) else { throw FileError("read", place, code: errno) }
        return stamp
    }

    borrowing func move(to file: String, in folder: Int32) throws(FileError) {
        guard unsafe renameat(directory, name, folder, file) == 0 else {
            throw FileError("replace", file, code: errno)
        }
        Interruption.finished(name)
    }
}
