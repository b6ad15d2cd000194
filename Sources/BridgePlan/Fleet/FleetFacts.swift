package import PrayerEngine
package import Protocol
import Texts

/// The facts about this box at one moment, for its fleet.
package struct FleetFacts: Sendable {
    /// The last answers of adhand; `nil` if it does not answer.
    package var snapshot: BoxSnapshot?
    /// The agenda of the coming days. The snapshot only has two of them.
    package var agenda: [OccasionDocument] = []
    /// The history, oldest first.
    package var history: [HistoryEntry] = []
    package var problems: ProblemsPayload
    package var applied: [FleetDocument.Applied] = []
    package var groups: [String] = []
    package var identity: BoxFacts
    package var now: Instant

    package init(problems: ProblemsPayload, identity: BoxFacts, now: Instant) {
        (self.problems, self.identity, self.now) = (problems, identity, now)
    }
}

/// The facts about the machine, for its fleet.
package struct BoxFacts: Sendable, Equatable {
    package var boot: String?
    package var version: String
    package var image: String?
    package var hardware: String?
    /// The version of adhand in the last update that the box abandoned, until a newer one is confirmed.
    package var leftAdhand: String?

    package init(boot: String? = nil, version: String, image: String? = nil, hardware: String? = nil) {
        (self.boot, self.version, self.image, self.hardware) = (boot, version, image, hardware)
    }

    /// The identity of the board, which reveals a copied card. It is a hash that only people who know the box can recognise.
    package static func hardware(serial: [UInt8], box: String) -> String? {
        let text = serial.filter { $0 > 0x20 && $0 < 0x7F }
        // Boards without a serial number report zeros.
        guard text.contains(where: { $0 != UInt8(ascii: "0") }) else { return nil }
        return SHA256.hex(text + Array("/\(box)".utf8))
    }
}
