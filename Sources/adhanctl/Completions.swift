import ArgumentParser
import PrayerEngine
import Protocol
import Settings
import Texts

/// The words that a shell offers when Tab is pressed.
extension CompletionKind {
    static let prayers = CompletionKind.list(Prayer.allCases.map(\.rawValue))
    static let prayersOrNext = CompletionKind.list(Prayer.allCases.map(\.rawValue) + ["next"])
    /// All events that `explain` accepts.
    static let events = CompletionKind.list(
        Prayer.allCases.map(\.rawValue)
            + DayEvent.allCases.map(\.rawValue).filter { Prayer(rawValue: $0) == nil })
    static let methods = CompletionKind.list(
        MethodsDocument().methods.map(\.name) + [CalculationSettings.custom])
    static let prayersAndDays = CompletionKind.list(
        Prayer.allCases.map(\.rawValue) + ["today", "tomorrow"] + Weekday.names)
    static let dates = CompletionKind.list(["today", "tomorrow", "yesterday"])
    static let adjustments = CompletionKind.list(
        [DayEvent.fajr, .sunrise, .dhuhr, .asr, .maghrib, .isha].map { $0.rawValue + "=" })
    /// tzdata's own list of zones; without it, nothing is offered.
    static let zones = CompletionKind.shellCommand(
        "awk '!/^#/ { print $3 }' /usr/share/zoneinfo/zone.tab 2>/dev/null")
    /// The names from `sound list`, without colons, which zsh would read as the end of the value.
    static let sounds = CompletionKind.shellCommand(
        #"adhanctl sound list --json 2>/dev/null | grep -o '"name"."[^"]*"' | cut -d '"' -f 4"#)
    static let configurationKeys = CompletionKind.list(ConfigChange.keys)
    static let configurations = CompletionKind.file(extensions: ["toml"])

    static func names<Choice: CaseIterable & RawRepresentable<String>>(of choice: Choice.Type)
        -> CompletionKind
    {
        .list(choice.allCases.map(\.rawValue))
    }
}
