import Glibc
import Host
import Protocol

/// A recording that is being added. It is removed with this value unless it was moved, and when the command is interrupted.
struct SoundDraft: ~Copyable {
    private let file: DirectoryDraft
    /// The directory's path, for messages.
    let place: String
    var name: String { file.name }
    var raw: Int32 { file.raw }

    init(_ file: consuming DirectoryDraft, place: String) {
        self.file = file
        self.place = place
    }

    deinit { Interruption.finished(file.name) }

    /// A path for programs that accept only paths. It leads to this open file, whatever its name refers to now.
    borrowing func link() -> String { "/proc/self/fd/\(file.raw)" }

    borrowing func write(_ bytes: [UInt8]) throws(FileError) { try file.write(bytes) }

    /// The error of growing the file by a block; `nil` if that works. It shows whether another program that wrote to the file
    /// found the disk full.
    var writeError: Int32? {
        var status = stat()
        guard unsafe fstat(raw, &status) == 0 else { return errno }
        let block = [UInt8](repeating: 0, count: 4096)
        let count = unsafe block.withUnsafeBytes {
            unsafe pwrite(raw, $0.baseAddress, $0.count, status.st_size)
        }
        let code = count < 0 ? errno : count < block.count ? ENOSPC : nil
        return ftruncate(raw, status.st_size) == 0 ? code : errno
    }

    borrowing func sync() throws(FileError) { try file.sync() }

    /// Copies the rest of `source`.
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

    borrowing func stamp() throws(FileError) -> SoundMeasurement.Stamp {
        guard let stamp = SoundFolders.stamp(of: link()) else { throw FileError("read", place, code: errno) }
        return stamp
    }

    borrowing func move(to target: String, in folder: Int32) throws(FileError) {
        try file.move(to: target, in: folder, shown: target)
        Interruption.finished(name)
    }
}
