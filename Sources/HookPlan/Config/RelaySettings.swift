package import Protocol

/// One `[[relay]]`: held from a lead before the first sample until a linger after the last.
package struct RelaySettings: Sendable, Equatable {
    package var name = ""
    /// Two commands, or else one line.
    package var on: [String] = []
    package var off: [String] = []
    package var chip: String?
    package var line = 0
    package var isActiveLow = false
    package var leadSeconds = 10.0
    package var lingerSeconds = 60.0
    /// Empty: everything with a sound.
    package var kinds: [OccasionDocument.Kind] = []
    /// A television is held as a relay is.
    fileprivate var television: TelevisionSettings?

    package init() {}

    /// How it is switched: two of one drive are one relay, under whatever name.
    package var drive: RelayDrive {
        if let television { return .television(television) }
        if let chip { return .line(LineSettings(chip: chip, line: line, isActiveLow: isActiveLow)) }
        return .commands(on: on, off: off)
    }

    /// Whether a sound of that kind is a reason for it; `nil`: a test, which belongs to no agenda.
    func takes(_ kind: OccasionDocument.Kind?) -> Bool {
        guard !kinds.isEmpty else { return true }
        return kind.map { kinds.contains($0) } ?? false
    }
}

/// `[cec]`: a television that is on for what sounds.
package struct CECSettings: Sendable, Equatable {
    /// The device; without one there is no television.
    package var device: String?
    package var leadSeconds = 25.0
    package var lingerSeconds = 600.0
    /// Whether it goes back to standby, if it was there before.
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

    /// Seconds that switching may take.
    package static let limitSeconds = 10.0
    /// Seconds after a failure until the next attempt.
    package static let retrySeconds = 30.0
    /// Seconds after which a line that is on is switched on again: its chip may have gone and come back, without any word.
    static let renewSeconds = 30.0

    var isRenewed: Bool { if case .line = self { true } else { false } }

    /// Whether both cannot be held at once.
    func excludes(_ other: RelayDrive) -> Bool {
        switch (self, other) {
        case (.line(let own), .line(let other)): own.chip == other.chip && own.line == other.line
        case (.television(let own), .television(let other)): own.device == other.device
        default: false
        }
    }

    /// Names it in a sentence.
    package func title(_ name: String) -> String {
        if case .television = self { "the television" } else { "the relay \"\(name)\"" }
    }
}
