import AdhanCore
import PrayerEngine

/// The places and configurations among which a scenario chooses.
enum Setting {
    static let sites: [Site] = [
        site("Queens", 40.7282, -73.7949, "EST5EDT,M3.2.0,M11.1.0"),
        site("Lord Howe Island", -31.5553, 159.0821, "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"),
        site("Waitangi", -43.9535, -176.5597, "<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45"),
        site("Kathmandu", 27.7172, 85.324, "<+0545>-5:45"),
        site("Oslo", 59.9139, 10.7522, "CET-1CEST,M3.5.0,M10.5.0/3"),
        site("Makkah", 21.4225, 39.8262, "<+03>-3"),
        site("Kiritimati", 1.8721, -157.4278, "<+14>-14"),
        // Somebody who moved and forgot to say where to.
        site("Queens in the zone of Kathmandu", 40.7282, -73.7949, "<+0545>-5:45"),
        site("Oslo in the zone of Queens", 59.9139, 10.7522, "EST5EDT,M3.2.0,M11.1.0"),
    ].compactMap { $0 }

    /// Unix seconds of midnights in UTC: clock changes in New York, Oslo, on Lord Howe Island and the Chathams in 2026, New
    /// Year's Day 2027, 29 February 2028.
    static let oddDays: [Double] = [
        1_772_928_000, 1_793_491_200, 1_774_742_400, 1_792_886_400, 1_775_347_200, 1_791_072_000,
        1_790_467_200, 1_798_761_600, 1_835_395_200,
    ]

    private static func site(_ name: String, _ latitude: Double, _ longitude: Double, _ posix: String)
        -> Site?
    {
        guard let zone = try? Zone(name: name, posix: posix),
            let place = try? Place(latitude: latitude, longitude: longitude, elevation: 0)
        else { return nil }
        return Site(name: name, place: place, approximate: false, zone: zone, calculation: Calculation())
    }

    static let configurations: [Config] = [
        base(),
        base { for prayer in [Prayer.fajr, .dhuhr, .asr] { $0[prayer].reminders = [600, 300] } },
        base { $0[.fajr].enabled = false },
        base {
            $0[.asr].sound = [AdhanSettings.silent]
            $0[.jumua].enabled = false
        },
        base { $0.all { $0.lateGrace = 0 } },
        base {
            $0.all { $0.lateGrace = 1800 }
            $0[.isha].reminders = [5, 3600]
        },
        base {
            $0.preroll = 2
            $0.fadeOut = 5
            for prayer in [Prayer.asr, .isha, .jumua] { $0[prayer].reminders = [1, 60] }
        },
        // Reminders that take over from each other.
        base { for prayer in Prayer.allCases { $0[prayer].reminders = [63, 62, 61, 59] } },
        base {
            $0.preroll = 60
            $0.fadeOut = 0
            $0.all { $0.lateGrace = 21_600 }
            $0[.dhuhr].enabled = false
        },
    ]

    private static func base(_ change: (inout Config) -> Void = { _ in }) -> Config {
        var config = Config.default
        config.debugTriggers = true
        change(&config)
        return config
    }

    static func world(site: Int, configuration: Int) -> World {
        World(
            config: configurations[configuration], configuration: "simulated", site: sites[site], user: 900,
            controlGroup: 901)
    }
}

extension Config {
    fileprivate mutating func all(_ change: (inout AdhanSettings) -> Void) {
        for prayer in Prayer.allCases { change(&self[prayer]) }
    }
}
