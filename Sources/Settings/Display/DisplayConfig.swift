import Texts

/// `/etc/adhand/display.toml`: the behaviour and appearance of the screen.
package struct DisplayConfig: Sendable, Equatable {
    package var display = DisplaySettings()
    package var page = PageSettings()
    /// The directory of pictures and texts shown in turn; `nil` for none.
    package var slides: String?
    /// The directory of the announcements' pictures.
    package static let acceptedPictures = "/var/lib/adhand-slides"
    package var pictureFolder = acceptedPictures
    package var donation = Donation()
    /// A picture behind the home screen; `nil` for none.
    package var background: String?
    /// The mosque's own sign in the header; `nil` for none.
    package var logo: String?
    package var screenAtNight = ScreenAtNight.on
    /// Names of the machine by which browsers may address it, besides its own.
    package var hostNames: [String] = []
    /// Other screens that this box serves.
    package var views: [View] = []
    /// The view on this machine's own display.
    package var displayView = View.wall

    package enum ScreenAtNight: String, Sendable, CaseIterable {
        /// The screen stays on, with a dim clock.
        case on
        /// The screen is switched off, by the television's HDMI-CEC.
        case cec
    }

    /// A QR code for donations, and the text under it.
    package struct Donation: Sendable, Equatable {
        package var text: String?
        package var url: String?
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
            .section(
                .init(
                    path: ["donate"], meaning: "a code for telephones, drawn among the slides", keys: donate)),
            .section(.init(path: ["touch"], meaning: "on this machine's own display", keys: touch)),
            .section(.init(path: ["network"], meaning: "other machines that look", keys: network)),
            .section(.init(path: [], keys: announcements)),
            .section(.init(path: [], keys: viewTables)),
        ],
        check: { config, _ in
            var complaints: [SchemaComplaint] = []
            if ![12, 24].contains(config.page.clock) {
                complaints.append(SchemaComplaint(["clock"], "clock must be 24 or 12"))
            }
            if config.display.announcements.count > ScreenAnnouncement.most {
                complaints.append(
                    SchemaComplaint(
                        ["announcement"],
                        "there are \(config.display.announcements.count) announcements, allowed are \(ScreenAnnouncement.most)"
                    ))
            }
            complaints += config.complaintsOfViews
            if config.donation.text != nil, config.donation.url == nil {
                complaints.append(
                    SchemaComplaint(
                        ["donate", "text"], "donate.text stands under a code; donate.url is missing"))
            }
            return complaints
        })

    package typealias Key = ConfigKey<DisplayConfig>

    /// Settings that a view may change: the appearance of its screen, but not what the box receives or serves.
    package static let keysOfViews: [(name: String, key: Key)] =
        [
            ([], top), (["scenes"], scenes), (["prayer"], prayer), (["night"], night), (["screen"], screen),
            (["slides"], slideKeys),
        ]
        .flatMap { table, keys in keys.map { ((table + [$0.name]).joined(separator: "."), $0) } }
        .filter {
            !["logo", "night.screen", "screen.background", "screen.view", "slides.folder"].contains($0.0)
        }

    private static let top: [Key] = [
        .texts(
            "languages", .texts(.other(LanguageCode.kind), orOne: true), \.page.languages,
            "the screen's own first; a second one stands beside it"),
        .choice("digits", \.page.digits, "\"latin\", \"arabic\", \"persian\" or \"bengali\""),
        .integer("clock", 12...24, "hours", \.page.clock, "24 or 12"),
        .flag("seconds", \.page.seconds, "on the clock"),
        .flag("arabic-names", \.page.arabicNames, "the prayers' names in Arabic beside the local ones"),
        .choice("theme", \.page.theme, "\"night\", \"day\", \"green\" or \"plain\""),
        text("title", \.page.title, "beside the bismillah", example: "Our mosque"),
        .optionalText(
            "logo", .text(.other(picture)), \.logo, example: "/srv/logo.svg",
            "beside the title: a PNG, or an SVG that only draws"),
        text("ticker", \.page.ticker, "runs along the foot of the board", example: "Lesson after maghrib"),
        .choice("emphasis", \.page.emphasis, "\"iqama\" or \"adhan\": which of the two is larger"),
        .flag("proof", \.page.proof, "what was really heard last"),
        Key(
            name: "hide", rule: .texts(.other(part), orOne: true), meaning: "parts that are left out",
            example: .texts(["sunrise", "ticker"])
        ) {
            $0.page.hide.isEmpty ? nil : .texts($0.page.hide.map(\.rawValue))
        } set: { config, value in
            if case .texts(let names) = value { config.page.hide = names.compactMap(HomeScreenPart.init) }
        },
        .choice("hijri-turns", \.display.hijriTurn, "\"maghrib\" or \"midnight\""),
        .flag("forbidden-times", \.display.forbiddenTimes, "say when no voluntary prayer is offered"),
        .integer(
            "notice-days", 0...30, "days", \.display.noticeDays, "how early a changed iqama is announced"),
    ]

    private static let scenes: [Key] = [
        .duration("approaching", 0...3600, \.display.scenes.approachingSeconds, "before an adhan"),
        .duration("adhan", 10...1200, \.display.scenes.adhanSeconds, "where its sound does not say"),
        .flag("adhan-words", \.page.adhanWords, "the words of the call while it is called"),
        .duration("dua", 0...900, \.display.scenes.duaSeconds, "after the adhan"),
        .duration("iqama", 0...600, \.display.scenes.iqamaSeconds, "to straighten the rows"),
        .duration("adhkar", 0...3600, \.display.scenes.adhkarSeconds, "after the prayer"),
        .duration(
            "adhkar-each", 5...300, \.page.adhkarSeconds,
            "how long a part of it stays; what is said 33 times, twice as long"),
        .flag("translation", \.page.translation, "under the supplication and the adhkar, in English"),
        .duration(
            "khutba", 60...10_800, \.display.scenes.khutbaSeconds, "where its prayer has no time of its own"),
    ]

    private static let prayer: [Key] =
        [
            .choice(
                "style", \.display.scenes.prayerStyle,
                "\"auto\" (clock with an iqama, board without one), \"black\", \"clock\", \"times\" or \"board\""
            ),
            .duration(
                "length", 0...10_800, \.display.scenes.otherPrayerSeconds,
                "from the iqama, or without one from the end of the dua"),
        ]
        + Prayer.allCases.map { prayer in
            Key(
                name: prayer.rawValue, rule: .duration(seconds: 0...10_800),
                meaning: "otherwise than the others",
                example: .duration(seconds: 900)
            ) {
                $0.display.scenes.prayerSeconds[prayer].map { .duration(seconds: $0) }
            } set: { config, value in
                if case .duration(let seconds) = value {
                    config.display.scenes.prayerSeconds[prayer] = seconds
                }
            }
        } + [.duration("eid", 0...10_800, \.display.scenes.eidPrayerSeconds, "the prayer of a feast")]

    private static let night: [Key] = [
        .flag("enabled", \.display.scenes.night, "false: the board all night"),
        .duration("after-isha", 0...43_200, \.display.scenes.nightAfterIshaSeconds, "or after tarawih"),
        .duration("before-fajr", 0...43_200, \.display.scenes.nightBeforeFajrSeconds, "when it ends"),
        number("brightness", 5...100, "percent", \.page.nightBrightness, "at night and during prayers"),
        .choice("screen", \.screenAtNight, "\"on\", or \"cec\" to have the television sleep (adhan-kiosk)"),
    ]

    private static let screen: [Key] = [
        number("diagonal", 0...400, "inches", \.page.diagonal, "0: unknown"),
        number("distance", 0...100, "metres", \.page.distance, "to whoever is farthest away; 0: unknown"),
        number("margin", 0...10, "percent", \.page.margin, "what the frame hides at each edge"),
        number("shift", 0...2, "percent", \.page.shift, "the content wanders, against burn-in; 0: not"),
        .flag(
            "scroll", \.page.scroll,
            "the page scrolls and follows the browser's zoom: for telephones and desks"),
        .optionalText(
            "background", .text(.other(picture)), \.background, example: "/srv/mosque.jpg",
            "a picture behind the board"),
        .text(
            "view", .text(.other(View.anyName)), \.displayView,
            "what this machine's own display shows (adhan-kiosk): wall, phone or a [[view]] below"),
    ]

    private static let slideKeys: [Key] = [
        .optionalText(
            "folder", .text(.other(folder)), \.slides, example: "/var/lib/adhan-display",
            "JPEG, PNG, GIF, WebP, and texts (.txt)"),
        .duration("each", 2...600, \.page.slideSeconds, "how long one stays"),
    ]

    private static let announcements: [Key] = [
        .tables(
            "announcement", \.display.announcements, of: ScreenAnnouncement.keys, blank: ScreenAnnouncement(),
            required: ["text", "until"], "what is to be said for a while, any number of times",
            fault: ScreenAnnouncement.fault)
    ]

    private static let viewTables: [Key] = [
        .tables(
            "view", \.views, of: View.keys, blank: View(), required: ["name"],
            "another screen from this box; keys as above, for what it has otherwise")
    ]

    private static let donate: [Key] = [
        .optionalText(
            "text", .text(.other(caption)), \.donation.text, example: "For the new roof", "under the code"),
        .optionalText(
            "url", .text(.other(code)), \.donation.url, example: "https://example.org/donate",
            "what the code says: an address, or the lines of a bank's code"),
    ]

    private static let part = TextKind.Other(
        allowed: "one of " + HomeScreenPart.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "),
        plural: "of these"
    ) { HomeScreenPart(rawValue: $0) == nil ? TextKind.Fault() : nil }

    private static let caption = TextKind.Other(allowed: "a text of at most 120 characters") { text in
        text.count <= 120 ? nil : TextKind.Fault()
    }

    /// The text of the code: the longer it is, the smaller the squares, and the nearer one has to stand.
    private static let code = TextKind.Other(
        allowed: "an address or a text of 1 to 300 bytes", hasLines: true
    ) { text in
        (1...300).contains(text.utf8.count) ? nil : TextKind.Fault()
    }

    private static let touch: [Key] = [
        .flag(
            "enabled", \.page.touch,
            "a tap opens mute, stop and the prayers' switches, for whoever stands there")
    ]

    private static let network: [Key] = [
        .optionalTexts(
            "names", .texts(.hostName("screen.example.org"), orOne: true), \.hostNames,
            example: ["screen.example.org"],
            "by which browsers call this machine, beside its own name and addresses")
    ]

    private static let folder = TextKind.Other(allowed: "a folder's absolute path") { text in
        text.hasPrefix("/") && text.utf8.count < 4096 ? nil : TextKind.Fault()
    }

    private static let picture = TextKind.Other(allowed: "a picture's absolute path") { text in
        text.hasPrefix("/") && text.utf8.count < 4096 ? nil : TextKind.Fault()
    }

    private static let line = TextKind.Other(
        allowed: "a text of at most \(ScreenAnnouncement.longestText) characters"
    ) { text in
        text.count <= ScreenAnnouncement.longestText ? nil : TextKind.Fault()
    }

    /// A text that is empty when omitted.
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
