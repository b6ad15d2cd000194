import Texts

/// Reads gpsd's reports of its receivers, one JSON object on each line.
package struct ReceiverReport: Sendable {
    private var rest: [UInt8] = []
    private var hasDevice = false

    package init() {}

    /// gpsd's own limit for a line is 10 KiB.
    private static let longestLine = 65_536

    /// A report from gpsd: DEVICES lists the receivers, TPV has the position.
    private struct Line: Decodable {
        let `class`: String
        /// 0 and 1: no position; 2: a position without the height; 3: with the height.
        let mode: Int?
        let lat: Double?
        let lon: Double?
        let devices: [Device]?

        struct Device: Decodable {}
    }

    /// Reads further bytes; returns the position once there is one.
    package mutating func consume(_ bytes: [UInt8]) -> ReceiverPosition? {
        rest += bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = Array(rest[..<end])
            rest.removeFirst(end + 1)
            if let position = position(in: line) { return position }
        }
        return rest.count > Self.longestLine ? .unknown(reason: "what answers is not gpsd") : nil
    }

    /// Why there is no position yet.
    package var reason: String {
        hasDevice
            ? "the receiver does not know its position yet; it needs a view of the sky, and a few minutes after it is switched on"
            : "gpsd has no receiver"
    }

    private mutating func position(in bytes: [UInt8]) -> ReceiverPosition? {
        guard let line = try? JSON.decode(Line.self, from: bytes) else { return nil }
        if line.class == "DEVICES" { hasDevice = !(line.devices ?? []).isEmpty }
        guard line.class == "TPV" else { return nil }
        hasDevice = true
        guard let mode = line.mode, mode >= 2, let latitude = line.lat, let longitude = line.lon,
            case .point = PointText.checked(latitude, longitude)
        else { return nil }
        // A receiver is accurate to metres; further digits are noise.
        return .point(
            latitude: (latitude * 1e5).rounded() / 1e5, longitude: (longitude * 1e5).rounded() / 1e5)
    }
}

/// The listening ports in the kernel's tables /proc/net/tcp and tcp6.
package enum ListeningPorts {
    /// Whether a socket listens on a port, at any address.
    package static func contains(_ port: UInt16, in table: [UInt8]) -> Bool {
        let hex = String(port, radix: 16, uppercase: true)
        let suffix = ":" + String(repeating: "0", count: 4 - hex.count) + hex
        return String(decoding: table, as: UTF8.self).split(separator: "\n").dropFirst().contains { line in
            let fields = line.split(separator: " ")
            // 10 is TCP_LISTEN.
            return fields.count > 3 && fields[1].hasSuffix(suffix) && fields[3] == "0A"
        }
    }
}

/// A receiver's position, or the reason why there is none.
package enum ReceiverPosition: Sendable, Equatable {
    case point(latitude: Double, longitude: Double)
    /// There is no position; the clause gives the reason.
    case unknown(reason: String)
}
