package import Protocol
internal import Texts

/// `/r/week`: the coming days, and times set by hand.
package struct WeekFacts: Sendable, Equatable {
    package struct Time: Sendable, Equatable {
        package let prayer: String
        package let adhan: String?
        package let iqama: String?
        package let isException: Bool

        package init(prayer: String, adhan: String?, iqama: String?, isException: Bool = false) {
            self.prayer = prayer
            self.adhan = adhan
            self.iqama = iqama
            self.isException = isException
        }
    }

    package struct Day: Sendable, Equatable {
        package let date: String
        package let times: [Time]

        package init(date: String, times: [Time]) {
            self.date = date
            self.times = times
        }
    }

    package let days: [Day]
    package let exceptions: [ExceptionsReply.Entry]
    /// The keys below `iqama`; `nil` if adhand does not report them.
    package let settings: SettingsFacts?
    /// The rows of `iqama.change`.
    package let changes: [RowFacts]
    /// Changes of exceptions that can be undone, newest first.
    package var hand: [HandChanges.Change] = []
    /// Whether no place is set yet, so that the days would belong to a meaningless place.
    package var awaitsPlace = false

    package init(
        days: [Day], exceptions: [ExceptionsReply.Entry], settings: SettingsFacts? = nil,
        changes: [RowFacts] = []
    ) {
        self.days = days
        self.exceptions = exceptions
        (self.settings, self.changes) = (settings, changes)
    }

    package init(
        _ times: TimesDocument, _ exceptions: ExceptionsReply, settings: SettingsFacts? = nil,
        changes: [RowFacts] = []
    ) {
        (self.settings, self.changes) = (settings, changes)
        days = times.days.prefix(7).map { day in
            Day(
                date: day.date,
                times: (day.prayers ?? ["fajr", "dhuhr", "asr", "maghrib", "isha"]).map { prayer in
                    let event = prayer == "jumua" ? "dhuhr" : prayer
                    let slot = prayer == "jumua" ? day.jumua?.first : nil
                    let adhan = slot?.adhan ?? day.events[event]?.wrappedValue
                    let iqama = slot?.prayer ?? day.iqama?[event]
                    // An exception for an iqama alone does not move the event.
                    let isSet = exceptions.exceptions.contains {
                        $0.date == day.date && [prayer, event].contains($0.prayer)
                    }
                    return Time(
                        prayer: prayer, adhan: adhan.map(LocalText.minute),
                        iqama: iqama.map(LocalText.minute),
                        isException: isSet)
                })
        }
        self.exceptions = exceptions.exceptions
    }
}
