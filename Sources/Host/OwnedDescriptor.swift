internal import Glibc

/// A file descriptor that is closed when its owner goes.
package struct OwnedDescriptor: ~Copyable {
    package let raw: Int32

    /// Takes over `raw`, which nobody else may close.
    package init(_ raw: Int32) {
        self.raw = raw
    }

    deinit {
        close(raw)
    }

    /// Gives the descriptor away: the caller closes it.
    package consuming func release() -> Int32 {
        let raw = raw
        discard self
        return raw
    }

    /// Writes everything; returns the errno of what prevented it.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if written < 0 {
                if errno == EINTR { continue }
                return errno
            }
            rest = rest.dropFirst(written)
        }
        return nil
    }
}
