package import Protocol

/// One `[[relay]]`: on from a lead before the first sample until a linger after the last.
package struct RelaySettings: Sendable, Equatable {
    package var name = ""
    /// The commands that switch the relay; without them, a line does.
    package var on: [String] = []
    package var off: [String] = []
    package var chip: String?
    package var line = 0
    package var isActiveLow = false
    package var leadSeconds = 10.0
    package var lingerSeconds = 60.0
    /// The kinds of announcement; empty: everything with a sound.
    package var kinds: [OccasionDocument.Kind] = []
    /// The television, which is held on in the same way as a relay.
    fileprivate var television: TelevisionSettings?

    package init() {}

    /// The means of switching: two relays with one drive are the same relay, whatever their names.
    package var drive: RelayDrive {
        if let television { return .television(television) }
        if let chip { return .line(LineSettings(chip: chip, line: line, isActiveLow: isActiveLow)) }
        return .commands(on: on, off: off)
    }

    /// Whether a sound of that kind switches the relay on; `nil`: a test, which is in no agenda.
    func accepts(_ kind: OccasionDocument.Kind?) -> Bool {
        guard !kinds.isEmpty else { return true }
        return kind.map { kinds.contains($0) } ?? false
    }
}

/// `[cec]`: a television that is on while something plays.
package struct CECSettings: Sendable, Equatable {
    /// The device; `nil`: no television.
    package var device: String?
    package var leadSeconds = 25.0
    package var lingerSeconds = 600.0
    /// Whether the television returns to standby if it was in standby before.
    package var isStandby = true

    package init() {}

    package var relay: RelaySettings? {
        guard let device else { return nil }
        var relay = RelaySettings()
        (relay.name, relay.leadSeconds, relay.lingerSeconds) = ("television", leadSeconds, lingerSeconds)
        relay.television = TelevisionSettings(device: device, isStandby: isStandby)
        return relay
    }
}

/// A line of a GPIO chip.
package struct LineSettings: Sendable, Hashable {
    package let chip: String
    package let line: Int
    package let isActiveLow: Bool

    package init(chip: String, line: Int, isActiveLow: Bool) {
        (self.chip, self.line, self.isActiveLow) = (chip, line, isActiveLow)
    }
}

/// A television that is switched like a relay, by CEC.
package struct TelevisionSettings: Sendable, Hashable {
    package let device: String
    package let isStandby: Bool

    package init(device: String, isStandby: Bool) { (self.device, self.isStandby) = (device, isStandby) }
}

/// The means by which a relay is switched.
package enum RelayDrive: Sendable, Hashable {
    case commands(on: [String], off: [String])
    case line(LineSettings)
    case television(TelevisionSettings)

    /// The seconds that switching may take.
    package static let limitSeconds = 10.0
    /// The seconds from a failure to the next attempt.
    package static let retrySeconds = 30.0
    /// The seconds after which a line that is on is set again, because its chip may have disappeared and returned unnoticed.
    static let renewSeconds = 30.0

    var isRenewed: Bool { if case .line = self { true } else { false } }

    /// Whether the two cannot be held at once.
    func excludes(_ other: RelayDrive) -> Bool {
        switch (self, other) {
        case (.line(let own), .line(let other)): own.chip == other.chip && own.line == other.line
        case (.television(let own), .television(let other)): own.device == other.device
        default: false
        }
    }

    /// The drive's name in a sentence.
    package func title(_ name: String) -> String {
        if case .television = self { "the television" } else { "the relay \"\(name)\"" }
    }
}
