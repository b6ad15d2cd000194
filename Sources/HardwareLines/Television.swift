internal import CLinux
internal import Glibc

/// A television, reached through HDMI (CEC). Each message waits for the bus, a second at most.
package struct Television: ~Copyable {
    /// The television's answer about its power.
    package enum Power: Sendable, Equatable {
        case on, standby, unknown
    }

    private enum Code {
        static let imageViewOn: UInt8 = 0x04
        static let standby: UInt8 = 0x36
        static let activeSource: UInt8 = 0x82
        static let giveDevicePowerStatus: UInt8 = 0x8F
        static let reportPowerStatus: Int32 = 0x90
    }

    /// The CEC addresses of a television and of a broadcast.
    private static let (television, everybody): (Int32, Int32) = (0, 15)

    private let path: String
    private let file: OpenDevice
    private let place: Int
    private let own: Int32

    private init(_ path: String, _ file: consuming OpenDevice, place: Int, own: Int32) {
        (self.path, self.place, self.own) = (path, place, own)
        self.file = file
    }

    /// Claims a source address, unless another program has done so already.
    package static func reach(_ path: String) throws(LineError) -> Television {
        let file = try opened(path)
        let place = Int(adhand_cec_place(file.raw))
        guard place != 0xFFFF, place >= 0 else {
            throw LineError("no television is connected to \"\(path)\"")
        }
        let own = adhand_cec_address(file.raw)
        if own < 0 { throw LineError.system(path) }
        guard own != 15 else { throw LineError("no address is free on the wire of \"\(path)\"") }
        return Television(path, file, place: place, own: own)
    }

    /// Why the television could not be reached, without sending it a message; `nil` if it could.
    package static func complaint(_ path: String) -> String? {
        do throws(LineError) {
            let file = try opened(path)
            return adhand_cec_place(file.raw) == 0xFFFF
                ? "no television is connected to \"\(path)\" now" : nil
        } catch {
            return error.reason
        }
    }

    package func power() -> Power {
        switch send([Code.giveDevicePowerStatus], to: Self.television, answer: Code.reportPowerStatus) {
        // 0 is on, 2 is turning on; the next two are standby and turning to it.
        case 0, 2: .on
        case 1, 3: .standby
        default: .unknown
        }
    }

    package func wake() throws(LineError) { try transmit([Code.imageViewOn], to: Self.television) }

    /// Makes the television show this machine.
    package func show() throws(LineError) {
        try transmit(
            [Code.activeSource, UInt8(place >> 8 & 0xFF), UInt8(place & 0xFF)], to: Self.everybody)
    }

    package func sleep() throws(LineError) { try transmit([Code.standby], to: Self.television) }

    private func transmit(_ bytes: [UInt8], to address: Int32) throws(LineError) {
        let code = send(bytes, to: address, answer: 0)
        if code == -1 { throw LineError.system(path) }
        // Broadcasts need no acknowledgement.
        if code < 0, address != Self.everybody {
            throw LineError("the television at \"\(path)\" does not answer")
        }
    }

    private func send(_ bytes: [UInt8], to address: Int32, answer: Int32) -> Int32 {
        unsafe adhand_cec_send(file.raw, own, address, bytes, UInt32(bytes.count), answer)
    }

    private static func opened(_ path: String) throws(LineError) -> OpenDevice {
        let file = try OpenDevice(path, O_RDWR)
        guard adhand_cec_capabilities(file.raw) >= 0 else {
            if errno == ENODEV { throw LineError.system(path) }
            throw LineError("\"\(path)\" is no CEC device", code: errno)
        }
        return file
    }
}
