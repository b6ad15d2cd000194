internal import Glibc

/// A file descriptor that is closed when its owner is destroyed.
package struct OwnedDescriptor: ~Copyable {
    package let raw: Int32

    /// Owns `raw`; no other code may close it.
    package init(_ raw: Int32) {
        self.raw = raw
    }

    deinit {
        close(raw)
    }

    /// Passes the descriptor to the caller, who closes it.
    package consuming func release() -> Int32 {
        let raw = raw
        discard self
        return raw
    }

    /// Writes all bytes; returns the errno of a failure.
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
