package import PrayerEngine
internal import TOML
package import Texts

/// The change itself, in the form of its kind. Whether this box can apply it is decided elsewhere.
package enum FleetBody: Sendable, Equatable {
    package enum Command: Sendable, Equatable {
        case mute(seconds: Double)
        case unmute, stop, enable, disable
    }

    package struct Exception: Sendable, Equatable {
        package let date: CivilDate
        package let prayer: Prayer
        /// Clock times as written.
        package let adhan: String?
        package let iqama: String?
    }

    case configuration(toml: String)
    case timetable(csv: String)
    case hijri(pins: [String: CivilDate])
    case exceptions([Exception])
    case command(Command)
    case keys(signing: FleetKey, recovery: FleetKey)
    case revert(FleetKind)

    package init(_ kind: FleetKind, _ json: StrictJSON) throws(EnvelopeRefusal) {
        guard case .object(let members) = json else { throw Self.invalid("\"body\" is not an object") }
        self =
            switch kind {
            case .configuration: try Self.configuration(members)
            case .timetable: try Self.timetable(members)
            case .hijri: try Self.hijri(members)
            case .exception: try Self.exceptions(members)
            case .command: try Self.command(members)
            case .keys: try Self.keys(members)
            case .revert: try Self.revert(members)
            }
    }

    static func invalid(_ detail: String) -> EnvelopeRefusal { EnvelopeRefusal(.invalid, detail) }

    private static func configuration(_ members: [String: StrictJSON]) throws(EnvelopeRefusal) -> FleetBody {
        guard members.count == 1, case .text(let toml) = members["toml"] else {
            throw invalid("the body of configuration is not {\"toml\":\"…\"}")
        }
        try FleetTOML.hold(toml)
        return .configuration(toml: toml)
    }

    private static func timetable(_ members: [String: StrictJSON]) throws(EnvelopeRefusal) -> FleetBody {
        guard members.count == 2, case .text(let csv) = members["csv"],
            case .text(let hash) = members["sha256"]
        else { throw invalid("the body of timetable is not {\"csv\":\"…\",\"sha256\":\"…\"}") }
        guard SHA256.hex(Array(csv.utf8)) == hash else {
            throw invalid("the SHA-256 of the timetable is not the one that the body names")
        }
        return .timetable(csv: csv)
    }

    private static func hijri(_ members: [String: StrictJSON]) throws(EnvelopeRefusal) -> FleetBody {
        guard members.count == 1, case .object(let texts) = members["pins"], !texts.isEmpty else {
            throw invalid("the body of hijri is not {\"pins\":{\"1448-09\":\"2027-02-08\"}}")
        }
        var pins: [String: CivilDate] = [:]
        for (month, value) in texts {
            guard HijriMonth(month) != nil, case .text(let text) = value, let date = date(text) else {
                throw invalid("a pin of hijri is not a month and a date such as \"1448-09\":\"2027-02-08\"")
            }
            pins[month] = date
        }
        return .hijri(pins: pins)
    }

    private static func date(_ text: String) -> CivilDate? {
        guard text.utf8.count == 10, let instant = InstantText.parse(text + "T00:00:00Z") else { return nil }
        return CivilDate(dayNumber: Int(instant.unixSeconds / 86_400))
    }

    private static func exceptions(_ members: [String: StrictJSON]) throws(EnvelopeRefusal) -> FleetBody {
        guard members.count == 1, case .list(let list) = members["exceptions"], !list.isEmpty else {
            throw invalid("the body of exception is not {\"exceptions\":[…]}")
        }
        var exceptions: [Exception] = []
        var named: Set<String> = []
        for element in list {
            guard case .object(let fields) = element,
                Set(fields.keys).isSubset(of: ["date", "prayer", "adhan", "iqama"]),
                case .text(let day) = fields["date"], let date = date(day),
                case .text(let name) = fields["prayer"], let prayer = Prayer(rawValue: name)
            else {
                throw invalid(
                    "an exception has a \"date\" and a \"prayer\", and \"adhan\" or \"iqama\" besides")
            }
            let adhan = try optionalText(fields["adhan"])
            let iqama = try optionalText(fields["iqama"])
            guard adhan != nil || iqama != nil else {
                throw invalid("an exception has neither \"adhan\" nor \"iqama\"")
            }
            guard named.insert("\(date) \(prayer.rawValue)").inserted else {
                throw invalid("two exceptions are for \(prayer.rawValue) on \(date)")
            }
            exceptions.append(Exception(date: date, prayer: prayer, adhan: adhan, iqama: iqama))
        }
        return .exceptions(exceptions)
    }

    private static func optionalText(_ json: StrictJSON?) throws(EnvelopeRefusal) -> String? {
        switch json {
        case nil, .null: return nil
        case .text(let text): return text
        default: throw invalid("\"adhan\" and \"iqama\" of an exception are texts")
        }
    }

    private static func command(_ members: [String: StrictJSON]) throws(EnvelopeRefusal) -> FleetBody {
        guard case .text(let verb) = members["verb"] else { throw invalid("the command has no \"verb\"") }
        if verb == "mute" {
            guard members.count == 2, case .text(let text) = members["duration"],
                let seconds = DurationText.parse(text), seconds > 0
            else { throw invalid("the command mute needs a \"duration\" such as \"2h\"") }
            return .command(.mute(seconds: seconds))
        }
        let commands: [String: Command] = [
            "unmute": .unmute, "stop": .stop, "enable": .enable, "disable": .disable,
        ]
        guard let command = commands[verb] else {
            throw invalid("the command is not one of mute, unmute, stop, enable and disable")
        }
        guard members.count == 1 else { throw invalid("the command \(verb) has no other key than \"verb\"") }
        return .command(command)
    }

    private static func keys(_ members: [String: StrictJSON]) throws(EnvelopeRefusal) -> FleetBody {
        guard members.count == 2, case .text(let signing) = members["signing"],
            case .text(let recovery) = members["recovery"], let signing = FleetKey(signing),
            let recovery = FleetKey(recovery)
        else {
            throw invalid("the body of keys is not {\"signing\":\"ed25519:…\",\"recovery\":\"ed25519:…\"}")
        }
        guard signing != recovery else { throw invalid("signing key and recovery key are the same") }
        return .keys(signing: signing, recovery: recovery)
    }

    private static func revert(_ members: [String: StrictJSON]) throws(EnvelopeRefusal) -> FleetBody {
        guard members.count == 1, case .text(let word) = members["kind"],
            let kind = FleetKind(rawValue: word), kind.canBeReverted
        else {
            throw invalid(
                "the body of revert is not {\"kind\":\"…\"} of configuration, timetable, hijri or exception"
            )
        }
        return .revert(kind)
    }
}

/// The parts of a configuration that a fleet may not change.
package enum FleetTOML {
    /// Rights, debugging and membership are decided by the root of the box.
    static let reservedTables = ["control", "debug", "fleet"]

    /// Kinds of devices that only play. ALSA has others, which write files.
    private static let deviceKinds: Set<Substring> = [
        "default", "sysdefault", "hw", "plughw", "dmix", "hdmi", "iec958", "front", "surround21",
        "surround40",
        "surround41", "surround50", "surround51", "surround71", "pulse", "pipewire", "null",
    ]

    /// Whether a fleet may name a device that neither this box's files name nor its machine lists. The trial shows whether the
    /// device exists.
    package static func mayName(device: String) -> Bool {
        let parts = device.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let isPlain = parts.dropFirst().allSatisfy { argument in
            argument.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_=,.-".contains($0)) }
        }
        return deviceKinds.contains(parts[0]) && isPlain
    }

    static func hold(_ toml: String) throws(EnvelopeRefusal) {
        let document = TOMLDocument(Array(toml.utf8))
        guard document.faults.isEmpty else {
            throw FleetBody.invalid("the TOML of the configuration is not valid")
        }
        for (index, node) in document.nodes.enumerated() {
            if node.parent == nil, case .key(let key) = node.part, reservedTables.contains(key) {
                throw FleetBody.invalid("a fleet may not change [\(key)]")
            }
            if case .text(let text) = node.value, text.hasPrefix("/") {
                let key = document.path(of: index)?.joined(separator: ".") ?? "a list"
                throw FleetBody.invalid(
                    "a fleet may not name an absolute path, as \(PlainText.visible(key)) does")
            }
        }
    }
}
