/// One of several screens that a box serves, each at `?view=NAME`: its differences from the rest of the file.
package struct View: Sendable, Equatable {
    package var name = ""
    /// The values by the keys' names, `theme` or `prayer.style`.
    package var values: [String: ConfigValue] = [:]

    package init(_ name: String = "", _ values: [String: ConfigValue] = [:]) {
        self.name = name
        self.values = values
    }

    /// The name of the file's settings outside of every view.
    package static let wall = "wall"
    /// The view for other machines that request none.
    package static let phone = View(
        "phone",
        [
            "night.enabled": .flag(false),
            "prayer.style": .text(DisplaySettings.PrayerStyle.board.rawValue),
            "screen.diagonal": .number(0), "screen.distance": .number(0), "screen.margin": .number(2),
            "screen.scroll": .flag(true), "screen.shift": .number(0),
        ])

    /// The most views of one file.
    package static let most = 8

    static let keys: [ConfigKey<View>] =
        [
            .text(
                "name", .text(.other(nameKind)), \.name,
                "shown at ?view=hall; phone is what other machines see without a name")
        ]
        + DisplayConfig.keysOfViews.map { name, key in
            key.stored(
                as: name, in: \.values, of: DisplayConfig(),
                isShown: ["languages", "theme", "hide", "prayer.style"].contains(name))
        }

    private static let nameKind = TextKind.Other(
        allowed: "a name of 1 to 32 letters a to z, digits and \"-\", other than \"\(wall)\""
    ) { isName($0) && $0 != wall ? nil : TextKind.Fault() }

    /// The kind of a view's name, `wall` included.
    static let anyName = TextKind.Other(
        allowed: "a view's name: 1 to 32 letters a to z, digits and \"-\""
    ) { isName($0) ? nil : TextKind.Fault() }

    private static func isName(_ text: String) -> Bool {
        let isWord = text.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
        return isWord && (1...32).contains(text.utf8.count)
    }
}

/// The parts of the home screen that can be hidden.
package enum HomeScreenPart: String, Sendable, Codable, CaseIterable {
    case dates, sunrise, jumua, fasts, notes, ticker, slides, proof
}

extension DisplayConfig {
    /// The names of all views.
    package var viewNames: [String] {
        ([View.wall, View.phone.name] + views.map(\.name)).reduce(into: []) {
            if !$0.contains($1) { $0.append($1) }
        }
    }

    /// The settings of one view; `nil` where there is none of that name.
    package func seen(as name: String) -> DisplayConfig? {
        guard viewNames.contains(name) else { return nil }
        var config = self
        // Its own keys override the built-in ones.
        for values in [name == View.phone.name ? View.phone.values : [:]]
            + views.filter({ $0.name == name }).map(\.values)
        {
            for (name, key) in Self.keysOfViews {
                if let value = values[name] { key.set(&config, value) }
            }
        }
        config.page.view = name
        return config
    }

    /// Contradictions between the views.
    var complaintsOfViews: [SchemaComplaint] {
        let names = views.map(\.name)
        var complaints: [SchemaComplaint] = []
        if views.count > View.most {
            complaints.append(
                SchemaComplaint(["view"], "there are \(views.count) views, allowed are \(View.most)"))
        }
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            complaints.append(SchemaComplaint(["view"], "there are two views \"\(twice)\""))
        }
        if let wrong = names.first(where: { seen(as: $0).map { ![12, 24].contains($0.page.clock) } ?? false })
        {
            complaints.append(SchemaComplaint(["view"], "clock of the view \"\(wrong)\" must be 24 or 12"))
        }
        if !viewNames.contains(displayView) {
            complaints.append(
                SchemaComplaint(
                    ["screen", "view"],
                    "there is no view \"\(displayView)\" for this machine's display; there are: "
                        + viewNames.joined(separator: ", ")))
        }
        return complaints
    }
}
