/// The page's looks.
package struct PageSettings: Codable, Sendable, Equatable {
    package enum Digits: String, Codable, Sendable, CaseIterable {
        case latin, arabic, persian, bengali
    }

    /// A set of colours of the page's style sheet.
    package enum Theme: String, Codable, Sendable, CaseIterable {
        case night, day, green, plain
    }

    /// Of `Resources/display/languages`; the first is the display's own, a second one stands beside it.
    package var languages = ["en"]
    package var digits = Digits.latin
    /// Hours of the clock: 24 or 12.
    package var clock = 24
    package var seconds = true
    package var theme = Theme.night
    /// The prayers' names in Arabic beside the local ones.
    package var arabicNames = true
    package var prayerStyle = DisplaySettings.PrayerStyle.auto
    package var adhanWords = true
    /// The time for which each part of the remembrance after a prayer stays; those said thirty-three times, twice as long.
    package var adhkarSeconds = 20.0
    /// The meaning of the supplication and the remembrance, under them.
    package var translation = false
    /// Percent of the screen that stays free at each edge.
    package var margin = 3.0
    /// Percent of the screen's shorter side by which the content wanders to each side, against burn-in: together as
    /// much as a stroke of the clock is thick.
    package var shift = 1.4
    /// Inches across, and metres to the farthest reader; 0 where it is not set.
    package var diagonal = 0.0
    package var distance = 0.0
    /// Which of the adhan and the iqama is larger.
    package var emphasis = Emphasis.iqama
    /// Which of the screens that are shown from this box it is.
    package var view = View.wall
    /// Parts that are left out.
    package var hide: [HomeScreenPart] = []
    /// Whether it scrolls and follows the browser's zoom, instead of filling the window.
    package var scroll = false
    package var slideSeconds = 12.0
    package var ticker = ""
    package var title = ""
    /// Percent of the brightness that is left at night.
    package var nightBrightness = 35.0
    package var proof = true
    /// Whether a tap opens the sheet of changes.
    package var touch = false
    /// Whether there is a picture behind the board.
    package var background = false
    /// Of that picture's file.
    package var backgroundVersion: String?
    /// Of the logo's file; left out where there is none.
    package var logo: String?

    package init() {}

    /// The diagonal (inches) of a screen with the usual margin on which the letters would be as large as on this one.
    package var lettersDiagonal: Double { diagonal * min(1, (98 - 2 * margin) / 92) }
}

/// Which of the adhan and the iqama is larger on the board.
package enum Emphasis: String, Sendable, Codable, CaseIterable {
    case iqama, adhan
}
