import Envelope
import Texts

/// The request of a box to be admitted.
package struct EnrolRequest: Codable, Sendable, Equatable {
    package let box: String
    /// The hash of the password that the box has created, in the format of the broker's file.
    package let hash: String
    package let hardware: String
    package let version: String

    package init(box: String, hash: String, hardware: String, version: String) {
        (self.box, self.hash, self.hardware, self.version) = (box, hash, hardware, version)
    }

    /// Whether the board has a number that distinguishes it from all others.
    var hasNumber: Bool { hardware != UnnumberedBoard.name }

    /// Whether it may replace an earlier request under the same name, because it comes from the same board, or has the same
    /// password.
    func follows(_ other: EnrolRequest) -> Bool {
        hardware == other.hardware && (hasNumber || hash == other.hash)
    }

    /// - Parameters:
    ///   - box: the box's name in the topic.
    ///   - isHash: whether a broker could read the hash.
    package init?(_ payload: [UInt8], from box: String, isHash: (String) -> Bool) {
        guard payload.count <= Self.mostBytes, let json = try? StrictJSON(payload),
            case .object(let members) = json, members["v"] == .integer(1),
            case .text(box) = members["box"], !FleetTopic.reserved.contains(box),
            case .text(let hash) = members["hash"], isHash(hash),
            case .text(let hardware) = members["hardware"], (1...64).contains(hardware.utf8.count),
            hardware.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        var version = ""
        if case .text(let text) = members["version"] { version = String(PlainText.visible(text).prefix(64)) }
        self.init(box: box, hash: hash, hardware: hardware, version: version)
    }

    private static let mostBytes = 2048
}
