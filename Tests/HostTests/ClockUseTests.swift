import Foundation
import Testing

/// Every place outside the pure modules that looks at the wall clock or receives the time, and why a wrong clock does no harm there.
/// A clock may be years ahead or behind: by a battery that died, by a typing mistake, before a network is there. Nothing that
/// somebody made or decided may be deleted, or count as over for good, because such a clock said so.
struct ClockUseTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// How often a file asks for the time or is given it, and the reason.
    private static let known: [String: (uses: Int, reason: String)] = [
        "adhand/WallTimers.swift": (
            1, "a timer that fired before its time is armed again; nothing is kept"
        ),
        "adhand/OpenFile.swift": (
            1, "the name of a file that is set aside; one that is there keeps its name"
        ),
        "adhand/Daemon.swift": (
            3, "the time of an event; what it means is decided by DaemonState, which the simulator watches"
        ),
        "adhand/StateStore.swift": (
            3, "the name of a file that is set aside"
        ),
        "adhand/SettingsStore.swift": (
            1, "the name of a file that is set aside"
        ),
        "adhand/Daemon+Disk.swift": (
            1, "the name of a file that is set aside"
        ),
        "adhand/InputsReader.swift": (
            2, "when a configuration was kept, for a sentence; today's times, for a warning"
        ),
        "adhand/Journal.swift": (
            1, "the time of a line that is written"
        ),
        "adhand/Daemon+History.swift": (
            2, "which days are asked for; reading alone"
        ),
        "adhand/HistoryReader.swift": (
            3, "which days are asked for; reading alone"
        ),
        "adhand/HistoryFile.swift": (
            2, "lines age by the newest of them, and only while the clock is kept right (HistoryAge)"
        ),
        "adhand/ConfigChecker.swift": (
            1, "today's times, for a warning"
        ),
        "adhand/ClockWatch.swift": (
            3, "differences to the clock that nobody sets; nothing is kept"
        ),
        "adhand/Start.swift": (
            2, "the time of the start; DaemonState decides whether to believe it (ClockTrust)"
        ),
        "adhan-companion/Run/CompanionLoop.swift": (
            4, "what is due is said or not by the log as it is; nothing of the log expires"
        ),
        "adhan-companion/Person.swift": (
            2, "which day is today, to show; marks are kept by their day"
        ),
        "adhan-companion/PlaceTimes.swift": (
            7, "whether kept times reach as far as today: others are asked for, and they stay until then"
        ),
        "LogStore/LogHistory.swift": (
            2, "the time of a change, to show; what is undone is identified by its number"
        ),
        "LogStore/LogStore.swift": (
            4, "the same, handed on"
        ),
        "DisplayFeed/DaemonAnswers.swift": (
            2, "what a screen shows now; nothing is kept"
        ),
        "adhan-bridge/Bridge.swift": (
            1, "how long until an instant of the agenda; nothing is kept"
        ),
        "adhan-bridge/Bridge+Alerts.swift": (
            3, "dates in messages; how long something lasts is measured by the clock that nobody sets"
        ),
        "adhan-bridge/Bridge+MQTT.swift": (
            2, "which instants of the agenda have come; a leap begins with the present"
        ),
        "adhan-bridge/Commands.swift": (
            1, "the date of a test message"
        ),
        "adhan-bridge/Delivery.swift": (
            1, "the date of a mail"
        ),
        "adhan-remote/PairingCall.swift": (
            1, "the end of a pairing window, to show; windows last by the clock that nobody sets"
        ),
    ]

    /// Those that keep anything on disk, or decide for those that do.
    private static let modules = [
        "adhand", "adhan-companion", "adhan-remote", "adhan-bridge", "Host", "LogStore", "DisplayFeed",
    ]

    @Test func everyLookAtTheClockHasAReasonWhyAWrongOneDoesNoHarm() throws {
        let look = /WallClock\.now\(\)|\bnow: Instant\b/
        var found: [String: Int] = [:]
        for module in Self.modules {
            let folder = Self.root.appending(path: "Sources/\(module)")
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            for case let file as URL in files?.allObjects ?? [] where file.pathExtension == "swift" {
                let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                let code = lines.filter { !$0.drop(while: { $0 == " " }).hasPrefix("//") }
                let uses = code.reduce(0) { $0 + $1.matches(of: look).count }
                let name = file.path.replacingOccurrences(of: Self.root.path + "/Sources/", with: "")
                if uses > 0 { found[name] = uses }
            }
        }
        #expect(found.count > 12)
        for (file, uses) in found.sorted(by: { $0.key < $1.key }) where uses > Self.known[file]?.uses ?? 0 {
            Issue.record(
                """
                \(file) looks at the wall clock \(uses) times, known are \(Self.known[file]?.uses ?? 0). Does anything go wrong \
                there for good when the clock is ten years ahead for one start? If not, write why into ClockUseTests.
                """)
        }
        for file in Self.known.keys.sorted() where found[file] == nil {
            Issue.record("\(file) no longer looks at the wall clock: take it out of ClockUseTests")
        }
    }
}
