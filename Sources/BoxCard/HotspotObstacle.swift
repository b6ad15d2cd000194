package import Protocol
import Texts

/// The reason for which a box makes no network of its own, though a person asks for it.
package enum HotspotObstacle: CaseIterable, Sendable {
    /// This is no flashed box.
    case noBox
    case hotspotOff
    /// The phone page is off, so the box could not be set up in that network.
    case phoneOff
    /// A cable is plugged in.
    case cable
    /// The box is in a wireless network: one radio cannot do both.
    case joined
    /// The box tries a network that a phone named.
    case joining
    case noRadio

    /// The reason, and what to do.
    /// - Parameter host: the name of the box on its network.
    package func sentence(host: String) -> String {
        switch self {
        case .noBox: "\(Hotspot.noBox); connect it as its system does"
        case .hotspotOff: Self.off("hotspot")
        case .phoneOff: Self.off("phone")
        case .cable:
            "a cable connects the box, so it makes no network of its own; open http://\(host).local:\(PhonePage.port), or pull the cable and ask again"
        case .joined:
            "the box is in a wireless network, so it makes none of its own; open http://\(host).local:\(PhonePage.port), or name another network in wifi.txt on the card"
        case .joining:
            "the box tries a network that a phone named, so it makes none of its own now; if that fails, its own comes back by itself"
        case .noRadio: "the box has no radio, so it makes no network of its own; use a cable or the card"
        }
    }

    package var outcome: HotspotReply.Outcome {
        switch self {
        case .cable, .joined, .joining: .connected
        case .noBox, .hotspotOff, .phoneOff, .noRadio: .impossible
        }
    }

    private static func off(_ key: String) -> String {
        "\"\(key) = off\" in box.txt on the card keeps it off; change it there, and start the box again"
    }
}
