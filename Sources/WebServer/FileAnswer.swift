internal import Glibc
internal import Host
internal import NIOCore

/// A file that is sent in pieces. A file that becomes shorter meanwhile ends the answer; of one that grows, only the original
/// length is sent.
final class FileAnswer {
    private let descriptor: OwnedDescriptor
    let size: Int
    private var sent = 0

    private static let piece = 32 << 10

    /// Fails for anything but a regular file.
    init?(path: String) {
        let raw = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard raw >= 0 else { return nil }
        descriptor = OwnedDescriptor(raw)
        var status = stat()
        guard unsafe fstat(raw, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        size = Int(status.st_size)
    }

    var isOver: Bool { sent >= size }

    /// The next piece; `nil` if the file has become shorter, or cannot be read.
    func next(_ allocator: ByteBufferAllocator) -> ByteBuffer? {
        let wanted = min(Self.piece, size - sent)
        var buffer = allocator.buffer(capacity: wanted)
        let count = unsafe buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: wanted) { room in
            unsafe max(0, pread(descriptor.raw, room.baseAddress, wanted, off_t(sent)))
        }
        guard count > 0 else { return nil }
        sent += count
        return buffer
    }
}
