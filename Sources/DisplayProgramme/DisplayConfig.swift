package import AdhanCore
import Languages

/// `/etc/adhand/display.toml`: how the screen behaves and looks.
package struct DisplayConfig: Sendable, Equatable {
    package var display = DisplaySettings()
    package var page = PageSettings()
    /// Pictures and texts that are shown in turn; `nil` for none.
    package var slides: String?
    /// A picture behind the board; `nil` for none.
    package var background: String?
    package var screenAtNight = ScreenAtNight.on
    /// Names of the machine by which browsers may call it, beside its own.
    package var hostNames: [String] = []

    package enum ScreenAtNight: String, Sendable, CaseIterable {
        /// On, with a dim clock.
        case on
        /// Off, by the television's HDMI-CEC.
        case cec
    }

    package init() {}

    package static let systemFile = "/etc/adhand/display.toml"

    package static let schema = Schema<DisplayConfig>(
        initial: DisplayConfig(),
        parts: [
            .section(.init(path: [], keys: top)),
            .section(
                .init(path: ["scenes"], meaning: "how long each is shown; \"0s\": not at all", keys: scenes)),
            .section(.init(path: ["prayer"], meaning: "while people pray", keys: prayer)),
            .section(.init(path: ["night"], meaning: "when only a dim clock is shown", keys: night)),
            .section(.init(path: ["screen"], keys: screen)),
            .section(.init(path: ["slides"], keys: slideKeys)),
            .section(.init(path: ["touch"], meaning: "on this machine's own display", keys: touch)),
            .section(.init(path: ["network"], meaning: "other machines that look", keys: network)),
        ],
        judge: { config, _ in
            [12, 24].contains(config.page.clock)
                ? [] : [SchemaComplaint(["clock"], "clock must be 24 or 12")]
        })

    package typealias Key = ConfigKey<DisplayConfig>

    private static let top: [Key] = [
        .texts(
            "languages", .texts(.other(Language.codeKind), orOne: true), \.page.languages,
            "the screen's own first; a second one stands beside it"),
        .choice("digits", \.page.digits, "\"latin\", \"arabic\", \"persian\" or \"bengali\""),
        .integer("clock", 12...24, "hours", \.page.clock, "24 or 12"),
        .flag("seconds", \.page.seconds, "on the clock"),
        .flag("arabic-names", \.page.arabicNames, "the prayers' names in Arabic beside the local ones"),
        .choice("theme", \.page.theme, "\"night\", \"day\", \"green\" or \"plain\""),
        text("title", \.page.title, "beside the bismillah", example: "Our mosque"),
        text("ticker", \.page.ticker, "runs along the foot of the board", example: "Lesson after maghrib"),
        .flag("proof", \.page.proof, "what was really heard last"),
        .choice("hijri-turns", \.display.hijriTurn, "\"maghrib\" or \"midnight\""),
        .flag("forbidden-times", \.display.forbiddenTimes, "say when no voluntary prayer is offered"),
        .integer(
            "notice-days", 0...30, "days", \.display.noticeDays, "how early a changed iqama is announced"),
    ]

    private static let scenes: [Key] = [
        .duration("approaching", 0...3600, \.display.scenes.approaching, "before an adhan"),
        .duration("adhan", 10...1200, \.display.scenes.adhan, "where its sound does not say"),
        .flag("adhan-words", \.page.adhanWords, "the words of the call while it is called"),
        .duration("dua", 0...900, \.display.scenes.dua, "after the adhan"),
        .duration("iqama", 0...600, \.display.scenes.iqama, "to straighten the rows"),
        .duration("adhkar", 0...3600, \.display.scenes.adhkar, "after the prayer"),
        .duration("khutba", 60...10_800, \.display.scenes.khutba, "where its prayer has no time of its own"),
    ]

    private static let prayer: [Key] =
        [
            .choice("style", \.page.prayerStyle, "\"black\", \"clock\" or \"times\""),
            .duration(
                "length", 0...10_800, \.display.scenes.prayerOtherwise,
                "from the iqama, or without one from the end of the dua"),
        ]
        + Prayer.allCases.map { prayer in
            Key(
                name: prayer.rawValue, rule: .duration(0...10_800), meaning: "otherwise than the others",
                example: .duration(900)
            ) {
                $0.display.scenes.prayer[prayer].map { .duration($0) }
            } set: { config, value in
                if case .duration(let seconds) = value { config.display.scenes.prayer[prayer] = seconds }
            }
        } + [.duration("eid", 0...10_800, \.display.scenes.eidPrayer, "the prayer of a feast")]

    private static let night: [Key] = [
        .flag("enabled", \.display.scenes.night, "false: the board all night"),
        .duration("after-isha", 0...43_200, \.display.scenes.nightAfterIsha, "or after tarawih"),
        .duration("before-fajr", 0...43_200, \.display.scenes.nightBeforeFajr, "when it ends"),
        number("brightness", 5...100, "percent", \.page.nightBrightness, "at night and during prayers"),
        .choice("screen", \.screenAtNight, "\"on\", or \"cec\" to have the television sleep (adhan-kiosk)"),
    ]

    private static let screen: [Key] = [
        number("diagonal", 0...400, "inches", \.page.diagonal, "0: unknown"),
        number("distance", 0...100, "metres", \.page.distance, "to whoever is farthest away; 0: unknown"),
        number("margin", 0...10, "percent", \.page.margin, "what the frame hides at each edge"),
        number("shift", 0...2, "percent", \.page.shift, "the content wanders, against burn-in; 0: not"),
        .optionalText(
            "background", .text(.other(picture)), \.background, example: "/srv/mosque.jpg",
            "a picture behind the board"),
    ]

    private static let slideKeys: [Key] = [
        .optionalText(
            "folder", .text(.other(folder)), \.slides, example: "/var/lib/adhan-display",
            "JPEG, PNG, GIF, WebP, and texts (.txt)"),
        .duration("each", 2...600, \.page.slideSeconds, "how long one stays"),
    ]

    private static let touch: [Key] = [
        .flag(
            "enabled", \.page.touch,
            "a tap opens mute, stop and the prayers' switches, for whoever stands there")
    ]

    private static let network: [Key] = [
        .optionalTexts(
            "names", .texts(.other(hostName), orOne: true), \.hostNames, example: ["screen.example.org"],
            "by which browsers call this machine, beside its own name and addresses")
    ]

    private static let hostName = TextKind.Other(
        allowed: "a host's name such as \"screen.example.org\"", plural: "names"
    ) { text in
        let letters = text.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        return letters && (1...253).contains(text.utf8.count) ? nil : TextKind.Fault()
    }

    private static let folder = TextKind.Other(allowed: "a folder's absolute path") { text in
        text.hasPrefix("/") && text.utf8.count < 4096 ? nil : TextKind.Fault()
    }

    private static let picture = TextKind.Other(allowed: "a picture's absolute path") { text in
        text.hasPrefix("/") && text.utf8.count < 4096 ? nil : TextKind.Fault()
    }

    private static let line = TextKind.Other(allowed: "a text of at most 500 characters") { text in
        text.count <= 500 ? nil : TextKind.Fault()
    }

    /// A text that is empty when left out.
    private static func text(
        _ name: String, _ place: Key.Place<String>, _ meaning: String, example: String
    ) -> Key {
        Key(name: name, rule: .text(.other(line)), meaning: meaning, example: .text(example)) {
            $0[keyPath: place].isEmpty ? nil : .text($0[keyPath: place])
        } set: { config, value in
            if case .text(let text) = value { config[keyPath: place] = text }
        }
    }

    private static func number(
        _ name: String, _ range: ClosedRange<Double>, _ unit: String, _ place: Key.Place<Double>,
        _ meaning: String
    ) -> Key {
        .number(name, range, unit, example: 0, meaning) {
            $0[keyPath: place]
        } set: { config, value in
            config[keyPath: place] = value
        }
    }
}
