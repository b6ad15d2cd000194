internal import CLinux
internal import Glibc

/// A device with keys (evdev), or any other source of such events: a pipe, for tests and other programs.
package enum KeyDevice {
    package enum Change: Sendable, Equatable {
        case key(code: Int, isDown: Bool)
        /// Changes were lost because they were not read in time, so the pressed keys are unknown.
        case gap
    }

    /// Opens the device exclusively, so that no other program sees its keys.
    /// - Returns: a non-blocking descriptor; the caller closes it.
    package static func open(_ path: String) throws(LineError) -> Int32 {
        // Open a pipe in both directions, so that it stays open between two writers.
        let isPipe = kind(path) == S_IFIFO
        let file = try OpenDevice(path, (isPipe ? O_RDWR : O_RDONLY) | O_NONBLOCK)
        if isPipe { return file.release() }
        _ = try keys(file.raw, path)
        if adhand_key_grab(file.raw) != 0 { throw LineError.system(path) }
        return file.release()
    }

    /// Why the key could not be read, without grabbing the device; `nil` if it could.
    package static func complaint(_ path: String, _ name: String, code: Int) -> String? {
        do throws(LineError) {
            let file = try OpenDevice(path, O_RDONLY | O_NONBLOCK)
            if kind(path) == S_IFIFO { return nil }
            let keys = try keys(file.raw, path)
            let isThere = code / 8 < keys.count && keys[code / 8] & 1 << UInt8(code % 8) != 0
            return isThere ? nil : "\"\(path)\" has no key \(name)"
        } catch {
            return error.reason
        }
    }

    /// The changes that have arrived; `nil` if the device is gone.
    package static func changes(_ descriptor: Int32) -> [Change]? {
        var events = [adhand_key_event](repeating: adhand_key_event(), count: 64)
        let size = MemoryLayout<adhand_key_event>.stride
        let count = unsafe events.withUnsafeMutableBytes {
            unsafe read(descriptor, $0.baseAddress, $0.count)
        }
        if count <= 0 { return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil }
        return events.prefix(count / size).compactMap { event in
            // linux/input-event-codes.h: EV_SYN 0 with SYN_DROPPED 3; EV_KEY 1, whose value of 2 repeats what is held.
            switch (event.type, event.code, event.value) {
            case (0, 3, _): .gap
            case (1, _, 0), (1, _, 1): .key(code: Int(event.code), isDown: event.value == 1)
            default: nil
            }
        }
    }

    private static func keys(_ descriptor: Int32, _ path: String) throws(LineError) -> [UInt8] {
        var bits = [UInt8](repeating: 0, count: 96)
        guard unsafe adhand_key_bits(descriptor, &bits, UInt(bits.count)) >= 0 else {
            if errno == ENODEV { throw LineError.system(path) }
            throw LineError("\"\(path)\" is no device with keys", code: errno)
        }
        return bits
    }

    private static func kind(_ path: String) -> mode_t {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_mode & S_IFMT : 0
    }
}
