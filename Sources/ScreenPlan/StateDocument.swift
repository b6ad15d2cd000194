package import Languages
package import PrayerEngine
import Protocol
package import Texts

/// `/state.json` and the event `state`: everything that the page needs for two days. Instants are RFC 3339; every list is in the
/// order of its `from`, and the entry for an instant is the last one that is not later.
package struct StateDocument: Codable, Sendable, Equatable {
    /// Empty for the network.
    package let version: String
    /// The version of the page's files: a page made of other files loads itself again.
    package var build: String?
    package let now: String
    package let place: String
    /// The names of the method and of the calendar in force, `Muslim World League  ·  Umm al-Qura`; omitted where an older adhand
    /// does not report them.
    package var basis: String?
    package let scenes: [SceneEntry]
    /// The present alerts and notes, as sentences of the display's first language.
    package let notices: [String]
    package let offsets: [OffsetEntry]
    package let days: [DayEntry]
    package let cards: [String: [CardEntry]]
    package let next: [NextEntry]
    package let fridays: [FridayEntry]
    package let fasts: [FastEntry]
    /// Banners, which the page knows as notes.
    package let notes: [BannerEntry]
    package let announcements: [AnnouncementEntry]
    package let alerts: [AlertEntry]
    @Nullable package var proof: LastPlayed?
    package let slides: [SlideEntry]
    package var donation: DonationEntry?
    /// The set-up of a box by phone; omitted otherwise. Codes and keys belong to the touch helper, and are never here.
    package private(set) var setUp: SetUpEntry?
    package private(set) var page: PageSettings
    /// The letter sizes by the screen's shape.
    package var letters: [String: LetterSizes]?
    /// Set while adhand has not answered for the first time: there is a clock, and nothing else is known.
    package var waiting: Bool?
    /// Whether dates are written as in the United States; omitted otherwise.
    package var monthFirst: Bool?
    /// All views; omitted for the network.
    package var views: [String]?
    /// The view on this machine's own display; omitted for the network.
    package var displayView: String?
    /// Whether `?now=` and similar parameters are honoured.
    package let preview: Bool
}

/// One variant of the state: for one audience and one view.
package struct StateVariant: Sendable, Hashable {
    package let audience: Audience
    package let view: String

    package init(_ audience: Audience, _ view: String) {
        self.audience = audience
        self.view = view
    }
}

/// The audience: people in front of this machine, or over the network.
package enum Audience: Sendable, Hashable {
    case machine, network
}

/// The inputs from which a state is made.
package struct DisplayInputs: Sendable {
    package var schedule: Schedule
    package var facts: DisplayFacts
    package var alerts: [Alert]
    package var lastPlayed: StateDocument.LastPlayed?
    package var place: String
    /// The calculation of times and Hijri dates, by the names alone.
    package var basis: String?
    package var slides: [StateDocument.SlideEntry]
    /// The pictures of announcements that exist.
    package var pictures: Set<String>
    package var donation: StateDocument.DonationEntry?
    /// Whether this is a box without a place, which is set up by phone.
    package var isBeingSetUp = false

    package init(
        schedule: Schedule, facts: DisplayFacts, alerts: [Alert] = [],
        lastPlayed: StateDocument.LastPlayed? = nil, place: String = "", basis: String? = nil,
        slides: [StateDocument.SlideEntry] = [], pictures: Set<String> = []
    ) {
        self.schedule = schedule
        self.facts = facts
        self.alerts = alerts
        self.lastPlayed = lastPlayed
        self.place = place
        self.basis = basis
        self.slides = slides
        self.pictures = pictures
    }
}

extension StateDocument {
    package init(
        _ inputs: DisplayInputs, _ settings: DisplaySettings, _ page: PageSettings, language: Language,
        now: Instant, for audience: Audience = .machine, preview: Bool = false
    ) {
        let zone = inputs.schedule.zone
        let text = inputs.schedule.text
        let screens = ScreenSchedule(
            inputs.schedule, settings, inputs.facts, now: now, isBeingSetUp: inputs.isBeingSetUp)
        let sentences = NoticeText(language, in: zone, now: now)
        var shown = audience == .machine ? inputs.alerts : inputs.alerts.compactMap(\.forVisitors)
        // The scene already shows it, and a clock that is not set is normal before there is a network.
        if inputs.isBeingSetUp { shown.removeAll { [.noPlace, .clock].contains($0.kind) } }
        version = audience == .machine ? adhandVersion : ""
        self.now = text(now)
        place = inputs.place
        basis = inputs.basis
        let fastDays = HomeScreen.fasts(inputs.schedule)
        scenes = screens.scenes.map {
            SceneEntry($0, isFastDay: fastDays.contains(zone.civilDate(of: $0.from)), text: text)
        }
        notices =
            shown.map(sentences.sentence)
            + screens.banners.filter { $0.from <= now }.map(sentences.sentence)
        offsets = Self.offsets(zone, from: now, until: now + ScreenSchedule.hours * 3600).map {
            OffsetEntry(from: text($0), seconds: zone.offset(at: $0))
        }
        let home = screens.home
        (days, cards, next) = (home.days, home.cards, home.next)
        (fridays, fasts) = (home.fridays, home.fasts)
        notes = screens.banners.map { BannerEntry($0, text: text) }
        announcements = screens.announcements.map {
            AnnouncementEntry(
                from: text($0.from), until: text($0.until), text: $0.announcement.text,
                show: $0.announcement.show, seconds: $0.announcement.seconds,
                picture: $0.announcement.picture.flatMap { inputs.pictures.contains($0) ? $0 : nil })
        }
        alerts = shown.map { AlertEntry($0, text: text) }
        proof = inputs.lastPlayed
        slides = inputs.slides
        donation = inputs.donation
        if inputs.isBeingSetUp {
            setUp = SetUpEntry(languages: ZoneLanguage.setUp(zone: zone.name, configured: page.languages))
        }
        self.page = page
        self.page.prayerStyle = settings.scenes.prayerStyle
        if audience == .network { self.page.touch = false }
        letters = Dictionary(
            uniqueKeysWithValues: ScreenShape.allCases.map { ($0.rawValue, LetterSizes.chosen($0, page)) })
        self.preview = preview
        monthFirst = zone.monthStandsFirst ? true : nil
    }

    /// The page's content at an instant, for a page that received this.
    package func scene(at instant: Instant) -> SceneEntry? {
        scenes.last { InstantText.parse($0.from).map { $0 <= instant } ?? false }
    }

    /// The instants from which an offset applies: now, and every change of the clock until `end`.
    private static func offsets(_ zone: Zone, from start: Instant, until end: Instant) -> [Instant] {
        var instants = [start]
        while let change = zone.nextTransition(after: instants[instants.count - 1]), change < end,
            instants.count < 8
        {
            instants.append(change)
        }
        return instants
    }
}
