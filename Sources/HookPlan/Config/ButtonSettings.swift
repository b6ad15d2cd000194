package import Protocol
import Settings
import Texts

/// One `[[button]]`: a key of a device, or a line of a chip.
package struct ButtonSettings: Sendable, Equatable {
    package var device: String?
    package var key: String?
    package var chip: String?
    package var line = 0
    /// Whether a low level means pressed, as for a button between the line and ground.
    package var isActiveLow = true
    package var short = ButtonAction.stop
    /// The action of a long press. It skips the next call, because `until-next` would leave nothing to mute.
    package var long = ButtonAction.muteNext
    package var longPressSeconds = 1.5

    package init() {}

    /// Whether a press, short or long, requests the box's own network.
    package var asksForHotspot: Bool { short == .hotspot || long == .hotspot }

    package var source: ButtonSource {
        if let chip { return .line(LineSettings(chip: chip, line: line, isActiveLow: isActiveLow)) }
        let key = key ?? ""
        return .key(device: device ?? "", name: key, code: KeyNames.code(key) ?? 0)
    }
}

/// The origin of presses.
package enum ButtonSource: Sendable, Hashable {
    case key(device: String, name: String, code: Int)
    case line(LineSettings)

    /// The file to open; one device may have several keys.
    package var path: String {
        switch self {
        case .key(let device, _, _): device
        case .line(let line): line.chip
        }
    }

    /// The source's name in a sentence.
    package var title: String {
        switch self {
        case .key(let device, let name, _): "the button \(name) of \"\(PlainText.visible(device))\""
        case .line(let line): "the button at line \(line.line) of \"\(PlainText.visible(line.chip))\""
        }
    }
}

/// The request that a press sends to adhand, or to the flashed box on which it runs.
package enum ButtonAction: Sendable, Hashable {
    case stop, muteNext, muteUntilNext, unmute, test, nothing
    /// Starts the box's own network.
    case hotspot
    case mute(seconds: Double)

    /// The permitted seconds of a mute: every mute made by a press has an end that people in the room can wait for.
    static let muteSeconds = 60.0...43_200.0

    static let words = [
        "stop", "mute-next", "mute-until-next", "mute:2h", "unmute", "test", "hotspot", "nothing",
    ]

    init?(_ word: String) {
        switch word {
        case "stop": self = .stop
        case "mute-next": self = .muteNext
        case "mute-until-next": self = .muteUntilNext
        case "unmute": self = .unmute
        case "test": self = .test
        case "hotspot": self = .hotspot
        case "nothing": self = .nothing
        default:
            guard word.hasPrefix("mute:"), let seconds = DurationText.parse(String(word.dropFirst(5))),
                Self.muteSeconds.contains(seconds)
            else { return nil }
            self = .mute(seconds: seconds)
        }
    }

    package var word: String {
        switch self {
        case .stop: "stop"
        case .muteNext: "mute-next"
        case .muteUntilNext: "mute-until-next"
        case .unmute: "unmute"
        case .test: "test"
        case .hotspot: "hotspot"
        case .nothing: "nothing"
        case .mute(let seconds): "mute:\(DurationText.format(seconds))"
        }
    }

    /// Whether the next prayer must be known first.
    package var needsNext: Bool { self == .muteUntilNext || self == .test }

    /// - Parameter next: the next prayer, if known.
    package func request(next: String?) -> ButtonRequest? {
        switch self {
        case .stop: .stop
        case .muteNext: .mute(MuteParameters(next: true))
        case .muteUntilNext: next.map { .mute(MuteParameters(until: $0)) }
        case .mute(let seconds): .mute(MuteParameters(duration: DurationText.format(seconds)))
        case .unmute: .unmute
        case .test: .test(TestPlayParameters(prayer: next ?? Prayer.dhuhr.rawValue))
        case .hotspot: .hotspot
        case .nothing: nil
        }
    }
}

/// A request of a person in the room.
package enum ButtonRequest: Sendable, Equatable {
    case stop
    case mute(MuteParameters)
    case unmute
    case test(TestPlayParameters)
    /// A request to the box, through its socket; the others go to adhand.
    case hotspot

    /// The identity under which adhand logs the request.
    package static let claim = CallerClaim(actor: "button", role: .household)
}

/// The length of a press in seconds and tenths: `1.5s`.
enum PressText {
    static let tenths = 5...100

    static func parse(_ text: String) -> Double? {
        guard text.hasSuffix("s") else { return nil }
        let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count),
            parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
            let whole = Int(parts[0]), whole <= 10, parts.count == 1 || parts[1].utf8.count == 1
        else { return nil }
        let count = whole * 10 + (parts.count == 2 ? Int(parts[1]) ?? 0 : 0)
        return tenths.contains(count) ? Double(count) / 10 : nil
    }

    static func format(_ seconds: Double) -> String {
        let count = Int((seconds * 10).rounded())
        return count % 10 == 0 ? "\(count / 10)s" : "\(count / 10).\(count % 10)s"
    }
}
