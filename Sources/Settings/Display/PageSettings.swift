/// The appearance of the page.
package struct PageSettings: Codable, Sendable, Equatable {
    package enum Digits: String, Codable, Sendable, CaseIterable {
        case latin, arabic, persian, bengali
    }

    /// A set of colours of the page's style sheet.
    package enum Theme: String, Codable, Sendable, CaseIterable {
        case night, day, green, plain
    }

    /// Languages of `Resources/display/languages`; the first is the display's main one, a second one is shown beside it.
    package var languages = ["en"]
    package var digits = Digits.latin
    /// The hours of the clock: 24 or 12.
    package var clock = 24
    package var seconds = true
    package var theme = Theme.night
    /// Whether the prayers' names are shown in Arabic beside the local ones.
    package var arabicNames = true
    package var prayerStyle = DisplaySettings.PrayerStyle.auto
    package var adhanWords = true
    /// Seconds for each part of the remembrance after a prayer; parts said thirty-three times take twice as long.
    package var adhkarSeconds = 20.0
    /// Whether the translations of the supplication and the remembrance are shown under them.
    package var translation = false
    /// Percent of the screen that stays free at each edge.
    package var margin = 3.0
    /// Percent of the screen's shorter side by which the content moves to each side, against burn-in: together as much as a
    /// stroke of the clock is thick.
    package var shift = 1.4
    /// The diagonal in inches, and metres to the farthest reader; 0 where it is not set.
    package var diagonal = 0.0
    package var distance = 0.0
    /// Which of the adhan and the iqama is larger.
    package var emphasis = Emphasis.iqama
    /// The view: one of the screens that this box serves.
    package var view = View.wall
    /// Parts that are hidden.
    package var hide: [HomeScreenPart] = []
    /// Whether it scrolls and follows the browser's zoom, instead of filling the window.
    package var scroll = false
    package var slideSeconds = 12.0
    package var ticker = ""
    package var title = ""
    /// Percent of the brightness at night.
    package var nightBrightness = 35.0
    package var proof = true
    /// Whether a tap opens the sheet of changes.
    package var touch = false
    /// Whether there is a picture behind the home screen.
    package var background = false
    /// The version of that picture's file.
    package var backgroundVersion: String?
    /// The version of the logo's file; omitted where there is none.
    package var logo: String?

    package init() {}

    /// The diagonal (inches) of a screen with the usual margin on which the letters would be as large as on this one.
    package var lettersDiagonal: Double { diagonal * min(1, (98 - 2 * margin) / 92) }
}

/// The larger of the adhan and the iqama on the home screen.
package enum Emphasis: String, Sendable, Codable, CaseIterable {
    case iqama, adhan
}
