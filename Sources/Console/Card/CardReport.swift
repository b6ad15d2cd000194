package import BoxCard
package import Protocol
import Texts

/// adhand-report.txt: the effect of each file on the card.
package struct CardReport: Sendable {
    /// The facts about the box itself.
    package enum Standing: Sendable {
        /// No place is set.
        case unplaced
        case noClock
        /// adhand does not answer.
        case silent
        case running(status: StatusDocument, problems: [String], times: TimesDocument?)
    }

    /// The box's name on its network.
    package var hostname: String?
    /// Faults of the card itself.
    package var damage: Damage?
    /// Whether the configuration was changed on the box since it was imported.
    package var isChangedOnBox = false
    package var standing = Standing.unplaced
    package var upgrades: CardUpgrades?
    package var records: [CardRecord] = []
    package var networks: [String] = []
    /// The phone page; `nil` where it is off.
    package var phonePage: PhonePage?
    /// Name and key of the box's own network.
    package var hotspotName: String?
    package var hotspotKey: String?
    package var hotspotIsOff = false
    /// `phone = off`: no code is accepted, and the box does not start its own network.
    package var phoneIsOff = false
    /// Whether there is no radio, or it cannot make a network.
    package var hotspotIsImpossible = false
    /// Files on the card that are not read, and why.
    package var strays: [(name: String, why: String)] = []

    package struct PhonePage: Sendable {
        /// The box's addresses.
        package let numbers: [String]
        package let port: Int
        /// The set-up's answer; `nil` where it does not answer.
        package let setUp: SetUpReply?

        package init(numbers: [String], port: Int, setUp: SetUpReply?) {
            (self.numbers, self.port, self.setUp) = (numbers, port, setUp)
        }
    }

    /// The state of the partition for settings; `mended` and `remade` are the codes that the initramfs leaves.
    package enum Damage: String, Sendable {
        case inMemory, mended, remade

        /// The initramfs of a card is never replaced, and older ones have two phrases for `remade`.
        package init?(code: String) {
            self.init(rawValue: code.hasPrefix("made ") ? Self.remade.rawValue : code)
        }
    }

    package init() {}

    /// The most imported files that are listed; the rest are counted.
    private static let mostSounds = 40

    /// The report about the box itself, which comes first since the list of files may be long.
    package var text: String {
        var lines = ["What adhand made of this card", ""] + ofTheBox + [""]
        let files = records.filter { !$0.isSound }
        lines += files.filter { !$0.isLong }.flatMap(\.lines)
        if !networks.isEmpty {
            lines.append(Self.entry("Wireless network", networks.map { "\"\($0)\"" }.joined(separator: ", ")))
        }
        lines += strays.prefix(500).map { "\($0.name) is not read\($0.why)" }
        // Files that cannot be imported come first.
        let sounds = records.filter(\.isSound)
        lines += sounds.filter { $0.outcome != .taken }.flatMap(\.lines)
        let taken = sounds.filter { $0.outcome == .taken }
        lines += taken.prefix(Self.mostSounds).flatMap(\.lines)
        if taken.count > Self.mostSounds {
            lines.append(Self.entry("sounds", "\(taken.count - Self.mostSounds) more taken over"))
        }
        lines += files.filter(\.isLong).flatMap(\.lines)
        return lines.joined(separator: "\n") + "\n"
    }

    static func entry(_ name: String, _ text: String) -> String {
        name + String(repeating: " ", count: max(0, 24 - name.utf8.count)) + " " + text
    }

    private var ofTheBox: [String] {
        var lines = hostname.map { ["This box is \($0), on its network \($0).local."] } ?? []
        if let damage {
            lines.append("PROBLEM: the part of the card for settings \(damage.text) Use another card.")
        }
        if isChangedOnBox {
            lines.append("Since adhand.toml was taken over, the configuration was changed on the box itself.")
        }
        lines += waysIn + (upgrades?.lines ?? [])
        switch standing {
        case .unplaced:
            lines += [
                "The box does not know where it is, and calls nothing. Open adhand.toml on this card with any editor, take away the \"#\"",
                "before what is yours, save it, and start the box again.",
            ]
            if let how = setUpByPhone { lines += how }
        case .noClock:
            lines.append(
                "PROBLEM: the time is not known, so nothing is called. Connect the box to the network, or fit a clock with a battery."
            )
        case .silent: lines.append("PROBLEM: adhand does not run.")
        case .running(let status, let problems, let times):
            let place = status.location
            lines += (problems + Self.problems(of: status)).map { "PROBLEM: \($0)" }
            // Old zone files stay right until a country changes its clocks.
            if let warning = status.zoneWarning, !warning.isOutdated {
                lines.append("NOTE: \(warning.message)")
            }
            lines += [
                "Place        \(place.name) (\(place.latitude), \(place.longitude))",
                "Time zone    \(place.timezone)",
                "Method       \(status.calculation.method), Asr \(status.calculation.asr)", "",
            ]
            if let times {
                lines += TimesTable.body(times).split(separator: "\n", omittingEmptySubsequences: false).map(
                    String.init)
                while lines.last?.isEmpty == true { lines.removeLast() }
            }
        }
        return lines
    }

    /// The addresses of the phone page, and the box's own network.
    private var waysIn: [String] {
        var lines: [String] = []
        if let phonePage {
            let names = hostname.map { ["\($0).local"] } ?? []
            let pages = (names + phonePage.numbers).map { "http://\($0):\(phonePage.port)" }
            lines.append("Phone page   " + pages.joined(separator: ", "))
        }
        if let hotspotKey, let hotspotName {
            let code = "The key \(hotspotKey) is a code for the phone page"
            let text =
                if phoneIsOff {
                    "off, as box.txt says"
                } else if hotspotIsOff {
                    "off, as box.txt says. \(code)"
                } else if hotspotIsImpossible {
                    "no hotspot with this radio; use a cable or the card. \(code)"
                } else {
                    "\(hotspotName), key \(hotspotKey), page http://\(Hotspot.address)"
                }
            lines.append("Hotspot      " + text)
        }
        return lines
    }

    private var setUpByPhone: [String]? {
        guard let setUp = phonePage?.setUp else { return nil }
        switch setUp.state {
        case .closed: return nil
        case .claimed:
            return ["The phone \"\(setUp.by ?? "")\" has claimed the box, and can name the place."]
        case .open:
            return [
                "Or open the phone page on a phone in the same network. The code is on the box's screen; without one it is the key of the",
                "hotspot, or a word of 8 characters or more that you write into pair.txt on this card.",
            ]
        }
    }

    /// Problems that the running adhand reports: its files, its zone, a timetable or a time set by hand of another place.
    private static func problems(of status: StatusDocument) -> [String] {
        [
            status.configurationProblem?.message, status.zoneProblem?.message,
            status.zoneWarning.flatMap { $0.isOutdated ? $0.message : nil },
            status.exceptionProblem?.message, status.stateLoss?.message, status.timetable?.problem,
            status.timetable.flatMap { $0.mismatch == nil ? nil : $0.warning },
        ].compactMap(\.self)
    }

    // MARK: The file

    /// The constant size of the file. It is overwritten in place, so pulling the card meanwhile damages only the text, never the
    /// list of files.
    package static let size = 16_384

    /// The whole file: visible characters only, lines that fit, and empty ones to fill it.
    package var file: [UInt8] {
        var bytes: [UInt8] = []
        let room = Self.size - 64
        let visible = Self.visible(text)
        for line in visible.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            guard bytes.count + line.utf8.count + 2 <= room else {
                bytes += Array("and more, for which there is no room here\r\n".utf8)
                break
            }
            bytes += Array(line.utf8) + Self.lineEnd
        }
        while bytes.count < Self.size { bytes += Self.lineEnd }
        return Array(bytes.prefix(Self.size))
    }

    private static let lineEnd: [UInt8] = [0x0D, 0x0A]

    /// The text without characters that move a cursor, change the writing direction, or are invisible.
    package static func visible(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\n" || !PlainText.isHidden(scalar.value) && scalar != "\u{FFFD}" {
                result.append(scalar)
            } else if scalar == "\t" {
                result.append(" ")
            }
        }
        return String(result)
    }
}

extension CardReport.Damage {
    fileprivate var text: String {
        switch self {
        case .inMemory: "cannot be used: nothing is remembered beyond a restart."
        case .mended: "was damaged, and is mended as well as can be: look at what is set."
        case .remade: "was damaged, and is made again: what was set on the box itself is gone."
        }
    }
}

extension CardRecord {
    var lines: [String] { [CardReport.entry(name, outcome.text)] + details.map { "    \($0)" } }
}
