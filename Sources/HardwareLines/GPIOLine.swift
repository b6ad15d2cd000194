internal import CLinux
internal import Glibc

/// One line of a GPIO chip, by the kernel's character device, version 2. A descriptor holds the line, and the kernel releases
/// it when the process ends in any way.
package enum GPIOLine {
    /// The microseconds for which a level must be stable before the kernel reports it.
    package static let debounceMicroseconds: UInt32 = 30_000

    /// The name under which lines are held.
    package static let consumer = "adhan-hooks"

    /// Requests the line as an output, which has the value from the first moment.
    /// - Returns: the line's descriptor; the caller closes it.
    package static func output(_ chip: String, _ line: Int, isActiveLow: Bool, isOn: Bool) throws(LineError)
        -> Int32
    {
        try claim(chip, line) { adhand_gpio_output($0, UInt32(line), isActiveLow ? 1 : 0, isOn ? 1 : 0) }
    }

    /// Requests the line as a button's input, with a pull towards the released level.
    package static func input(_ chip: String, _ line: Int, isActiveLow: Bool) throws(LineError) -> Int32 {
        try claim(chip, line) {
            adhand_gpio_input($0, UInt32(line), isActiveLow ? 1 : 0, debounceMicroseconds)
        }
    }

    /// - Returns: whether the line still exists and accepted the value.
    package static func set(_ descriptor: Int32, isOn: Bool) -> Bool {
        adhand_gpio_set(descriptor, isOn ? 1 : 0) == 0
    }

    /// Whether the line is active, such as a pressed button; `nil` if it is gone.
    package static func isActive(_ descriptor: Int32) -> Bool? {
        let value = adhand_gpio_get(descriptor)
        return value < 0 ? nil : value == 1
    }

    /// One change of a line, with its time by a monotonic clock.
    package struct Edge: Sendable, Equatable {
        package let isActive: Bool
        package let uptime: Double
        /// The number of the change. The kernel keeps the newest 16, so a gap shows lost changes.
        package let number: UInt32
    }

    /// The changes that have arrived; `nil` if the line is gone.
    package static func edges(_ descriptor: Int32) -> [Edge]? {
        var events = [gpio_v2_line_event](repeating: gpio_v2_line_event(), count: 16)
        let size = MemoryLayout<gpio_v2_line_event>.stride
        let count = unsafe events.withUnsafeMutableBytes {
            unsafe read(descriptor, $0.baseAddress, $0.count)
        }
        if count <= 0 { return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil }
        return events.prefix(count / size).map {
            Edge(
                isActive: $0.id == GPIO_V2_LINE_EVENT_RISING_EDGE.rawValue,
                uptime: Double($0.timestamp_ns) / 1e9, number: $0.line_seqno)
        }
    }

    /// Why the line could not be requested, without requesting it; `nil` if it could.
    package static func complaint(_ chip: String, _ line: Int) -> String? {
        do throws(LineError) {
            let file = try opened(chip, line)
            let user = user(file.raw, line)
            // The user of the line may be the service itself.
            return user == nil || user == consumer ? nil : busy(chip, line, user ?? "").reason
        } catch {
            return error.reason
        }
    }

    private static func claim(_ chip: String, _ line: Int, _ request: (Int32) -> Int32) throws(LineError)
        -> Int32
    {
        let file = try opened(chip, line)
        let descriptor = request(file.raw)
        if descriptor >= 0 { return descriptor }
        let code = errno
        guard code == EBUSY else {
            throw LineError("line \(line) of \"\(chip)\": \(LineError.text(code))", code: code)
        }
        throw busy(chip, line, user(file.raw, line) ?? "")
    }

    private static func busy(_ chip: String, _ line: Int, _ user: String) -> LineError {
        let whom = user.isEmpty ? "something else" : "\"\(user)\""
        return LineError("line \(line) of \"\(chip)\" is in use by \(whom)", code: EBUSY)
    }

    private static func opened(_ chip: String, _ line: Int) throws(LineError) -> OpenDevice {
        let file = try OpenDevice(chip, O_RDWR | O_NONBLOCK)
        let count = Int(adhand_gpio_lines(file.raw))
        guard count >= 0 else {
            if errno == ENODEV { throw LineError.system(chip) }
            throw LineError("\"\(chip)\" is no GPIO chip", code: errno)
        }
        guard line < count else {
            throw LineError("\"\(chip)\" has the lines 0 to \(count - 1), and no line \(line)", code: EINVAL)
        }
        return file
    }

    /// The user of the line; `nil` if it is free.
    private static func user(_ chip: Int32, _ line: Int) -> String? {
        var name = [CChar](repeating: 0, count: 33)
        let isUsed = unsafe adhand_gpio_user(chip, UInt32(line), &name, UInt(name.count)) == 1
        let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return isUsed ? text.filter { $0 >= " " && $0 <= "~" } : nil
    }
}
