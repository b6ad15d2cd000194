import PrayerEngine
package import Protocol
package import Texts

/// The lists of ``StateDocument``, entry by entry. A kind is a plain string, because a reader may be older than the server.
extension StateDocument {
    package struct SceneEntry: Codable, Sendable, Equatable {
        package let from: String
        package let scene: String
        @Nullable package var prayer: String?
        package let reason: String
        package let slot: Int
        package let eid: Bool
        /// The instant to which, or since which, the screen counts.
        @Nullable package var target: String?
        /// Whether a fast is broken with this adhan; omitted otherwise.
        package var iftar: Bool?
        /// Whether the call could not be heard; omitted otherwise.
        package var unheard: Bool?
        /// Whether the page looks as in the scene `home`; omitted otherwise.
        package var board: Bool?

        init(_ scene: Scene, isFastDay: Bool, text: (Instant) -> String) {
            (from, self.scene, reason) = (text(scene.from), scene.kind.rawValue, scene.reason)
            (slot, eid) = (scene.slot, scene.isEid)
            prayer = scene.prayer?.rawValue
            target = scene.target.map(text)
            iftar = isFastDay && scene.kind == .adhan && scene.prayer == .maghrib ? true : nil
            unheard = scene.isUnheard ? true : nil
            board = scene.keepsBoard ? true : nil
        }
    }

    /// The offset of local clocks from UTC, in seconds.
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
        /// Whether `at` is a khutba; omitted otherwise.
        package var khutba: Bool?
    }

    package struct NextEntry: Codable, Sendable, Equatable {
        package let from: String
        package let at: String
        package let kind: String
        @Nullable package var prayer: String?
        package let slot: Int
    }

    package struct FridayEntry: Sendable, Equatable {
        package let from: String
        package let date: String
        package let slots: [TimesDocument.FridayTimes]
    }

    package struct FastEntry: Codable, Sendable, Equatable {
        package let from: String
        package let date: String
        @Nullable package var imsak: String?
        @Nullable package var iftar: String?
    }

    package struct BannerEntry: Codable, Sendable, Equatable {
        package let kind: String
        package let from: String
        package let until: String
        @Nullable package var prayer: String?
        package let date: String
        package let at: String
        /// The later prayers of the same feast.
        package let later: [String]

        init(_ banner: Banner, text: (Instant) -> String) {
            (kind, date) = (banner.kind.rawValue, banner.date.description)
            (from, until, at) = (text(banner.from), text(banner.until), text(banner.at))
            later = banner.later.map(text)
            prayer = banner.prayer?.rawValue
        }
    }

    package struct AnnouncementEntry: Codable, Sendable, Equatable {
        package let from: String
        package let until: String
        package let text: String
        package let show: [ScreenAnnouncement.Place]
        package let seconds: Int
        /// The path below `/slides/`; omitted where there is none.
        package var picture: String?
    }

    /// A code that a telephone's camera reads.
    package struct DonationEntry: Codable, Sendable, Equatable {
        package let text: String
        /// The text in the code. A telephone cannot photograph its own screen, so its page shows the text as well.
        package let url: String
        /// Modules of a side, without the quiet zone.
        package let size: Int
        /// The modules row by row; `1` is dark.
        package let modules: String

        package init(text: String, url: String, size: Int, modules: String) {
            self.text = text
            self.url = url
            self.size = size
            self.modules = modules
        }
    }

    package struct SetUpEntry: Codable, Sendable, Equatable {
        /// The languages, in which the texts are shown side by side.
        package let languages: [String]
    }

    package struct AlertEntry: Codable, Sendable, Equatable {
        package let kind: String
        @Nullable package var prayer: String?
        @Nullable package var at: String?
        @Nullable package var date: String?
        @Nullable package var text: String?

        init(_ alert: Alert, text: (Instant) -> String) {
            kind = alert.kind.rawValue
            prayer = alert.prayer?.rawValue
            at = alert.at.map(text)
            date = alert.date?.description
            self.text = alert.text
        }
    }

    package struct LastPlayed: Codable, Sendable, Equatable {
        package let prayer: String
        package let at: String
        package let seconds: Int
        /// The names of the outputs where it was heard; omitted without configured outputs.
        package var outputs: [String]?
    }

    package struct SlideEntry: Codable, Sendable, Equatable {
        /// A path below `/slides/`, or a text.
        @Nullable package var image: String?
        @Nullable package var text: String?
        /// The version of the image's file.
        package var version: String?
        /// The first and the last day on which it is shown, if its name or its first line states them.
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
}

extension StateDocument.FridayEntry: Codable {
    private enum Key: String, CodingKey { case from, date, slots }
    /// The page reads as `iqama` what the control socket has as `prayer`.
    private enum SlotKey: String, CodingKey {
        case slot, adhan, khutba
        case prayer = "iqama"
    }

    package init(from decoder: any Decoder) throws {
        let entry = try decoder.container(keyedBy: Key.self)
        var list = try entry.nestedUnkeyedContainer(forKey: .slots)
        var slots: [TimesDocument.FridayTimes] = []
        while !list.isAtEnd {
            let slot = try list.nestedContainer(keyedBy: SlotKey.self)
            let time = { key in try slot.decodeIfPresent(String.self, forKey: key) }
            slots.append(
                .init(
                    slot: try slot.decode(Int.self, forKey: .slot), adhan: try time(.adhan),
                    khutba: try time(.khutba), prayer: try time(.prayer)))
        }
        self.init(
            from: try entry.decode(String.self, forKey: .from),
            date: try entry.decode(String.self, forKey: .date), slots: slots)
    }

    package func encode(to encoder: any Encoder) throws {
        var entry = encoder.container(keyedBy: Key.self)
        try entry.encode(from, forKey: .from)
        try entry.encode(date, forKey: .date)
        var list = entry.nestedUnkeyedContainer(forKey: .slots)
        for slot in slots {
            var one = list.nestedContainer(keyedBy: SlotKey.self)
            try one.encode(slot.slot, forKey: .slot)
            for (key, time) in [(.adhan, slot.adhan), (.khutba, slot.khutba), (.prayer, slot.prayer)]
                as [(SlotKey, String?)]
            {
                try one.encode(time, forKey: key)
            }
        }
    }
}
