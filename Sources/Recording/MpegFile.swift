internal import Clocks
internal import Glibc

/// A regular file that libmpg123 reads through callbacks.
///
/// The callbacks exist for one reason: an ID3v2 tag that claims to be longer than the whole file makes libmpg123 skip all the
/// audio. Such a tag is wrong; the stream then begins right after its ten header bytes and the decoder resynchronises.
struct MpegFile: ~Copyable {
    private let descriptor: Int32
    /// The size at opening: data that is appended later is ignored.
    let sizeBytes: Int
    /// A window of the file: libmpg123 asks for a few hundred bytes at a time, each of which would be a system call.
    private var window: [UInt8] = []
    private var windowStart = 0
    /// The offset of the next `read`, in bytes from the beginning of the file.
    private var position: Int
    /// The offset in the file that libmpg123 sees as 0.
    let base: Int
    /// Bytes of the file after the tags at its beginning.
    let audioBytes: Int

    /// - Throws: `unreadable` for anything that is not a readable, regular, non-empty file; `notMP3` for a known other kind.
    init(path: String) throws(RecordingError) {
        // O_NONBLOCK: opening a FIFO or a device node must not hang the thread before fstat can refuse it.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw .unreadable(path: path, cause: Self.cause(errno)) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            let cause = Self.cause(errno)
            close(descriptor)
            throw .unreadable(path: path, cause: cause)
        }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG, status.st_size > 0 else {
            close(descriptor)
            let cause =
                kind == S_IFDIR
                ? "it is a directory" : kind == S_IFREG ? "it is empty" : "it is not a regular file"
            throw .unreadable(path: path, cause: cause)
        }
        let (audio, base) = Self.skipTags(descriptor, size: Int(status.st_size))
        if let foreign = FileKind.foreign(Self.bytes(descriptor, at: audio, count: 8192) ?? []) {
            close(descriptor)
            throw .notMP3(path: path, kind: foreign)
        }
        self.descriptor = descriptor
        self.base = base
        sizeBytes = Int(status.st_size)
        audioBytes = sizeBytes - audio
        position = base
    }

    deinit { close(descriptor) }

    private static let windowBytes = 32768
    /// Bytes read since the last frame.
    private var junkBytes = 0
    /// The `Uptime` after which nothing is read.
    private var deadlineUptime: Double?
    /// Whether a read was requested after the deadline.
    private(set) var isOutOfTime = false

    /// Whether the search for another frame was given up.
    var isGivenUp: Bool { junkBytes >= RecordingLimits.mostJunkBytes }

    /// Notes that a frame was found: the bytes after it are not junk yet.
    mutating func noteFrame() { junkBytes = 0 }

    /// Limits reading to `seconds` from now on (nil: for ever): for a pass over headers, in which no frame is noted.
    mutating func limitTime(to seconds: Double?) {
        deadlineUptime = seconds.map { Uptime.now() + $0 }
        if seconds != nil { isOutOfTime = false }
        junkBytes = 0
    }

    /// Set when the file could be opened but not read: a stick pulled out, a file system gone.
    private(set) var failed = false

    /// `read(2)` for libmpg123.
    mutating func read(into buffer: UnsafeMutableRawPointer, count: Int) -> Int {
        // Reports the end to the decoder: it would search every byte of zeros, of a disk image or of a web stream's noise.
        guard position < sizeBytes, deadlineUptime != nil || !isGivenUp else { return 0 }
        if let deadlineUptime, Uptime.now() > deadlineUptime {
            isOutOfTime = true
            return 0
        }
        if position < windowStart || position >= windowStart + window.count {
            guard let bytes = Self.bytes(descriptor, at: position, count: Self.windowBytes) else {
                failed = true
                return -1
            }
            (window, windowStart) = (bytes, position)
        }
        let offset = position - windowStart
        let given = min(count, window.count - offset, sizeBytes - position)
        unsafe window.withUnsafeBytes {
            guard given > 0, let start = $0.baseAddress else { return }
            unsafe buffer.copyMemory(from: start + offset, byteCount: given)
        }
        position += given
        junkBytes += given
        return given
    }

    /// `lseek(2)` for libmpg123.
    mutating func seek(_ offset: Int, _ whence: Int32) -> Int {
        let origin = whence == SEEK_SET ? base : whence == SEEK_CUR ? position : sizeBytes
        let (target, overflow) = origin.addingReportingOverflow(offset)
        guard !overflow, target >= base else { return -1 }
        position = target
        return target - base
    }

    /// Whether only tags (ID3v1, APE, Lyrics3) or nothing at all follow this offset, as libmpg123 counts.
    func isEnd(_ offset: Int) -> Bool {
        let start = base + offset
        guard start < sizeBytes else { return start == sizeBytes }
        let head = Self.bytes(descriptor, at: start, count: 16) ?? []
        return ["TAG", "APETAGEX", "LYRICSBEGIN", "ID3", "3DI"].contains { head.starts(with: Array($0.utf8)) }
    }

    /// - Returns: where the audio should begin after stacked ID3v2 tags, and where the file shall begin for the decoder.
    private static func skipTags(_ descriptor: Int32, size: Int) -> (audio: Int, base: Int) {
        var offset = 0
        // Ten stacked tags are more than any real file has; the bound keeps a crafted file from costing a read per byte.
        for _ in 0..<10 {
            let head = bytes(descriptor, at: offset, count: 10) ?? []
            guard head.count == 10, head.starts(with: Array("ID3".utf8)) else { return (offset, 0) }
            // Seven bits a byte: ID3v2.4 structure, 6.2 "synchsafe integers".
            let length = head[6...9].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
            let footer = head[5] & 0x10 != 0 ? 10 : 0
            let end = offset + 10 + length + footer
            guard end < size else { return (offset + 10, offset + 10) }
            offset = end
        }
        return (offset, 0)
    }

    /// - Returns: up to `count` bytes, fewer at the end of the file; nil where reading fails.
    private static func bytes(_ descriptor: Int32, at offset: Int, count: Int) -> [UInt8]? {
        var failed = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let got = unsafe pread(descriptor, buffer.baseAddress, count, off_t(offset))
            failed = got < 0
            filled = max(0, got)
        }
        return failed ? nil : bytes
    }

    private static func cause(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
