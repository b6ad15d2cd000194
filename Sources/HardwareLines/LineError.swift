internal import Glibc

/// Why a device does not work: a clause without a capital and a full stop.
package struct LineError: Error, Sendable, Equatable {
    package let reason: String
    /// The system's error number; 0 for this program's own reasons.
    package let code: Int32

    init(_ reason: String, code: Int32 = 0) { (self.reason, self.code) = (reason, code) }

    /// Makes an error from `errno`, which is read first.
    static func system(_ path: String, code: Int32 = errno) -> LineError {
        let shown = "\"\(path)\""
        switch code {
        case ENOENT, ENOTDIR:
            return LineError("there is no \(shown); is the device connected?", code: code)
        case EACCES, EPERM:
            return LineError("\(shown) may not be used by this user; see adhan-hooks(8), DEVICES", code: code)
        case ENODEV, ENXIO: return LineError("\(shown) is gone", code: code)
        case EBUSY: return LineError("\(shown) is in use by another program", code: code)
        default: return LineError("\(shown): \(text(code))", code: code)
        }
    }

    static func text(_ code: Int32) -> String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}

/// An open device, closed with its owner.
struct OpenDevice: ~Copyable {
    let raw: Int32

    init(_ path: String, _ flags: Int32) throws(LineError) {
        raw = unsafe open(path, flags | O_CLOEXEC)
        if raw < 0 { throw LineError.system(path) }
    }

    deinit {
        if raw >= 0 { close(raw) }
    }

    consuming func release() -> Int32 {
        let raw = raw
        discard self
        return raw
    }
}
