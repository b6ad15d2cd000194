package import Languages
package import PrayerEngine
import Protocol
package import Texts

/// `/state.json` and the event `state`: everything that the page needs for two days. Instants are RFC 3339; every list is in the
/// order of its `from`, and what holds at an instant is the last entry that is not later.
package struct StateDocument: Codable, Sendable, Equatable {
    package struct SceneEntry: Codable, Sendable, Equatable {
        package let from: String
        package let scene: String
        @Nullable package var prayer: String?
        package let reason: String
        package let slot: Int
        package let eid: Bool
        /// The instant that is counted to, or since.
        @Nullable package var target: String?
        /// Whether a fast is broken with this adhan; left out elsewhere.
        package var iftar: Bool?
        /// Whether the call could not be heard; left out elsewhere.
        package var unheard: Bool?
    }

    /// How far local clocks are from UTC, in seconds.
    package struct OffsetEntry: Codable, Sendable, Equatable {
        package let from: String
        package let seconds: Int
    }

    package struct DayEntry: Codable, Sendable, Equatable {
        package let from: String
        package let date: String
        package let weekday: Int
        /// Year, month and day.
        @Nullable package var hijri: [Int]?
    }

    package struct CardEntry: Codable, Sendable, Equatable {
        package let from: String
        package let date: String
        package let at: String
        @Nullable package var iqama: String?
        package let jumua: Bool
        package let enabled: Bool
    }

    package struct NextEntry: Codable, Sendable, Equatable {
        package let from: String
        package let at: String
        package let kind: String
        @Nullable package var prayer: String?
        package let slot: Int
    }

    package struct FridayEntry: Codable, Sendable, Equatable {
        package struct Slot: Codable, Sendable, Equatable {
            package let slot: Int
            @Nullable package var adhan: String?
            @Nullable package var khutba: String?
            @Nullable package var iqama: String?
        }

        package let from: String
        package let date: String
        package let slots: [Slot]
    }

    package struct FastEntry: Codable, Sendable, Equatable {
        package let from: String
        package let date: String
        @Nullable package var imsak: String?
        @Nullable package var iftar: String?
    }

    package struct NoteEntry: Codable, Sendable, Equatable {
        package let kind: String
        package let from: String
        package let until: String
        @Nullable package var prayer: String?
        package let date: String
        package let at: String
        /// The later prayers of the same feast.
        package let later: [String]
    }

    package struct AnnouncementEntry: Codable, Sendable, Equatable {
        package let from: String
        package let until: String
        package let text: String
        package let show: [Announcement.Place]
        package let seconds: Int
    }

    /// A code that a telephone's camera reads.
    package struct DonationEntry: Codable, Sendable, Equatable {
        package let text: String
        /// Modules of a side, without the quiet zone.
        package let size: Int
        /// Row by row, `1` where it is dark.
        package let modules: String

        package init(text: String, size: Int, modules: String) {
            self.text = text
            self.size = size
            self.modules = modules
        }
    }

    package struct AlertEntry: Codable, Sendable, Equatable {
        package let kind: String
        @Nullable package var prayer: String?
        @Nullable package var at: String?
        @Nullable package var date: String?
        @Nullable package var text: String?
    }

    package struct ProofEntry: Codable, Sendable, Equatable {
        package let prayer: String
        package let at: String
        package let seconds: Int
    }

    package struct SlideEntry: Codable, Sendable, Equatable {
        /// A path below `/slides/`, or a text.
        @Nullable package var image: String?
        @Nullable package var text: String?
        /// Of the image's file.
        package var version: String?
        /// The first and the last day on which it is shown, where its name or its first line says so.
        package var from: String?
        package var until: String?

        package init(
            image: String? = nil, text: String? = nil, version: String? = nil,
            dates: SlideDates = SlideDates()
        ) {
            self.image = image
            self.text = text
            self.version = version
            from = dates.from?.description
            until = dates.until?.description
        }
    }

    /// Empty for the network.
    package let version: String
    /// Of the page's own files: a page that was made of others loads itself again.
    package var build: String?
    package let now: String
    package let place: String
    /// The names of the method and of the calendar in force, `isna  ·  Umm al-Qura`; left out where an older adhand does not say.
    package var basis: String?
    package let scenes: [SceneEntry]
    /// Alerts and the notes that hold now, as sentences of the display's first language.
    package let notices: [String]
    package let offsets: [OffsetEntry]
    package let days: [DayEntry]
    package let cards: [String: [CardEntry]]
    package let next: [NextEntry]
    package let fridays: [FridayEntry]
    package let fasts: [FastEntry]
    package let notes: [NoteEntry]
    package let announcements: [AnnouncementEntry]
    package let alerts: [AlertEntry]
    @Nullable package var proof: ProofEntry?
    package let slides: [SlideEntry]
    package var donation: DonationEntry?
    package private(set) var page: PageSettings
    /// By the screen's shape.
    package var letters: [String: LetterSizes]?
    /// Set while adhand has not answered for the first time: there is a clock, and nothing else is known.
    package var waiting: Bool?
    /// Whether dates are written as in the United States; left out elsewhere.
    package var monthFirst: Bool?
    /// Every view that there is; left out for the network.
    package var views: [String]?
    /// Whether `?now=` and the like are obeyed.
    package let preview: Bool
}

/// One state that is sent: to which audience, and of which view.
package struct Told: Sendable, Hashable {
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

/// Everything that a state is made of.
package struct DisplayInputs: Sendable {
    package var schedule: Schedule
    package var facts: DisplayFacts
    package var alerts: [Alert]
    package var proof: Proof?
    package var place: String
    /// How times and Hijri dates are reckoned, by the names alone.
    package var basis: String?
    package var slides: [StateDocument.SlideEntry]
    package var donation: StateDocument.DonationEntry?

    package init(
        schedule: Schedule, facts: DisplayFacts, alerts: [Alert] = [], proof: Proof? = nil,
        place: String = "", basis: String? = nil,
        slides: [StateDocument.SlideEntry] = []
    ) {
        self.schedule = schedule
        self.facts = facts
        self.alerts = alerts
        self.proof = proof
        self.place = place
        self.basis = basis
        self.slides = slides
    }
}

extension StateDocument {
    package init(
        _ inputs: DisplayInputs, _ settings: DisplaySettings, _ page: PageSettings, language: Language,
        now: Instant, for audience: Audience = .machine, preview: Bool = false
    ) {
        let zone = inputs.schedule.zone
        func text(_ instant: Instant) -> String { InstantText.rfc3339(instant, in: zone, milliseconds: true) }
        let programme = ScreenSchedule(inputs.schedule, settings, inputs.facts, now: now)
        let sentences = NoticeText(language, in: zone, now: now)
        let shown = audience == .machine ? inputs.alerts : inputs.alerts.compactMap(\.forVisitors)
        version = audience == .machine ? adhandVersion : ""
        self.now = text(now)
        place = inputs.place
        basis = inputs.basis
        let fastDays = HomeScreen.fasts(inputs.schedule)
        scenes = programme.scenes.map {
            SceneEntry(
                from: text($0.from), scene: $0.kind.rawValue, prayer: $0.prayer?.rawValue, reason: $0.reason,
                slot: $0.slot, eid: $0.isEid, target: $0.target.map(text),
                iftar: $0.kind == .adhan && $0.prayer == .maghrib
                    && fastDays.contains(zone.civilDate(of: $0.from)) ? true : nil,
                unheard: $0.isUnheard ? true : nil)
        }
        notices =
            shown.map(sentences.sentence)
            + programme.notes.filter { $0.from <= now }.map(sentences.sentence)
        offsets = Self.offsets(zone, from: now, until: now + ScreenSchedule.hours * 3600).map {
            OffsetEntry(from: text($0), seconds: zone.offset(at: $0))
        }
        let board = programme.board
        days = board.days.map {
            DayEntry(
                from: text($0.from), date: $0.date.description, weekday: $0.date.weekday,
                hijri: $0.hijri.map { [$0.year, $0.month, $0.day] })
        }
        cards = board.cards.mapValues {
            $0.map {
                CardEntry(
                    from: text($0.from), date: $0.date.description, at: text($0.at),
                    iqama: $0.iqama.map(text),
                    jumua: $0.isJumua, enabled: $0.isEnabled)
            }
        }
        next = board.next.map {
            NextEntry(
                from: text($0.from), at: text($0.at), kind: $0.kind.rawValue, prayer: $0.prayer?.rawValue,
                slot: $0.slot)
        }
        fridays = board.fridays.map {
            FridayEntry(
                from: text($0.from), date: $0.date.description,
                slots: $0.slots.map {
                    .init(
                        slot: $0.slot, adhan: $0.adhan.map(text), khutba: $0.khutba.map(text),
                        iqama: $0.iqama.map(text))
                })
        }
        fasts = board.fasts.map {
            FastEntry(
                from: text($0.from), date: $0.date.description, imsak: $0.imsak.map(text),
                iftar: $0.iftar.map(text))
        }
        notes = programme.notes.map {
            NoteEntry(
                kind: $0.kind.rawValue, from: text($0.from), until: text($0.until),
                prayer: $0.prayer?.rawValue,
                date: $0.date.description, at: text($0.at), later: $0.later.map(text))
        }
        announcements = programme.announcements.map {
            AnnouncementEntry(
                from: text($0.from), until: text($0.until), text: $0.announcement.text,
                show: $0.announcement.show, seconds: $0.announcement.seconds)
        }
        alerts = shown.map {
            AlertEntry(
                kind: $0.kind.rawValue, prayer: $0.prayer?.rawValue, at: $0.at.map(text),
                date: $0.date?.description, text: $0.text)
        }
        proof = inputs.proof.map {
            ProofEntry(prayer: $0.prayer.rawValue, at: text($0.at), seconds: Int($0.seconds.rounded()))
        }
        slides = inputs.slides
        donation = inputs.donation
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

    /// The instants from which an offset holds: now, and every change of the clock until `end`.
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
