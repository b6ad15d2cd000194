import PrayerEngine
import Protocol
import Settings
import Texts

/// A command that leaves something behind, or undoes that, as it is typed at Queens on Friday 2026-11-20, 12:30.
enum KeptCommand: String, CaseIterable, Sendable {
    case mute, muteFor, muteUntil, muteNext, unmute
    case muteHall, muteHallLonger, unmuteHall
    case disableAsr, enableAsr, disableDhuhr, enableDhuhr, disableJumua, enableJumua
    case skipAsr, unskipAsr
    /// Both name the same prayer of a Friday.
    case skipDhuhr, unskipJumua
    case exceptAdhan, exceptIqama, removeException
    case sighted, complete, removePin
    case publish, withdraw
    case play, stop
    case reload

    /// Those that leave something behind.
    static let leaving = allCases.filter { $0.undo != nil }

    var undo: KeptCommand? {
        switch self {
        case .mute, .muteFor, .muteUntil, .muteNext: .unmute
        case .muteHall, .muteHallLonger: .unmuteHall
        case .disableAsr: .enableAsr
        case .disableDhuhr: .enableDhuhr
        case .disableJumua: .enableJumua
        case .skipAsr: .unskipAsr
        case .skipDhuhr: .unskipJumua
        case .exceptAdhan, .exceptIqama: .removeException
        case .sighted, .complete: .removePin
        case .publish: .withdraw
        case .play: .stop
        case .unmute, .unmuteHall, .enableAsr, .enableDhuhr, .enableJumua, .unskipAsr, .unskipJumua,
            .removeException, .removePin, .withdraw, .stop, .reload:
            nil
        }
    }

    static let friday = "2026-11-20"
    /// The 29th of Jumada al-Akhirah 1448.
    private static let evening = "2026-12-09"

    /// `nil` of the timetable, which is not in the request.
    var request: ControlRequest? {
        switch self {
        case .mute: .mute(MuteParameters())
        case .muteFor: .mute(MuteParameters(duration: "2h"))
        case .muteUntil: .mute(MuteParameters(until: "isha"))
        case .muteNext: .mute(MuteParameters(next: true))
        case .unmute: .unmute
        case .muteHall: .muteOutput(MuteOutputParameters(output: "hall", duration: "1h"))
        case .muteHallLonger: .muteOutput(MuteOutputParameters(output: "hall", until: "isha"))
        case .unmuteHall: .unmuteOutput("hall")
        case .disableAsr: .disablePrayers(["asr"])
        case .enableAsr: .enablePrayers(["asr"])
        case .disableDhuhr: .disablePrayers(["dhuhr"])
        case .enableDhuhr: .enablePrayers(["dhuhr"])
        case .disableJumua: .disablePrayers(["jumua"])
        case .enableJumua: .enablePrayers(["jumua"])
        case .skipAsr: .skipPrayers(SkipParameters(prayers: ["asr"]))
        case .unskipAsr: .unskipPrayers(SkipParameters(prayers: ["asr"]))
        case .skipDhuhr: .skipPrayers(SkipParameters(prayers: ["dhuhr"], date: "2026-11-27"))
        case .unskipJumua: .unskipPrayers(SkipParameters(prayers: ["jumua"], date: "2026-11-27"))
        case .exceptAdhan:
            .setException(ExceptionParameters(date: Self.friday, prayer: "asr", adhan: "15:00"))
        case .exceptIqama:
            .setException(ExceptionParameters(date: Self.friday, prayer: "asr", iqama: "15:10"))
        case .removeException:
            .removeException(ExceptionNameParameters(date: Self.friday, prayer: "asr"))
        case .sighted: .hijriSighted(date: Self.evening)
        case .complete: .hijriComplete(date: Self.evening)
        case .removePin: .removeHijriPin(month: "1448-07")
        case .publish, .withdraw: nil
        case .play: .testPlay(prayer: "maghrib", seconds: nil)
        case .stop: .stop
        case .reload: .reload()
        }
    }
}

/// All that these commands change, as it can be seen.
struct Standing: Equatable {
    /// `none`, `endless`, the time of its end, or the prayer.
    var mute = "none"
    var isMuted = false
    var obstacle: MuteObstacle?
    /// `none`, or the time of its end.
    var hall = "none"
    var off: Set<Prayer> = []
    var skips: [String] = []
    /// The adhan and the iqama that were set.
    var exception = "none"
    /// The time of Asr today, and how it stands.
    var asr = ""
    var next = ""
    var month = "none"
    var isPlaying = false
}

/// The meaning of the commands, in the words of their manual: every one concerns its own thing, and the last word on it holds.
struct ReferenceStanding {
    let usualAsr: String
    let isha: String
    private var mute = "none"
    private var hall = "none"
    private var switches: [Prayer: Bool] = [:]
    private var skipped: Set<Prayer> = []
    private var exception = "none"
    private var month = "none"
    private var isPublished = false
    private var isPlaying = false

    init(usualAsr: String, isha: String) { (self.usualAsr, self.isha) = (usualAsr, isha) }

    var standing: Standing {
        var standing = Standing(mute: mute, isMuted: mute != "none", hall: hall)
        standing.off = Set(Prayer.allCases.filter { !isOn($0) })
        standing.skips = [(Prayer.asr, "20"), (.jumua, "27")].filter { skipped.contains($0.0) }
            .map { "\($0.0.rawValue) 2026-11-\($0.1)" }
        standing.exception = exception
        let at = exception.hasPrefix("15:00") ? "15:00" : isPublished ? "14:45" : usualAsr
        standing.asr = "\(at) " + (!isOn(.asr) ? "disabled" : skipped.contains(.asr) ? "skipped" : "upcoming")
        standing.next = nextCall
        if mute == "asr", nextCall != "asr" {
            standing.isMuted = false
            standing.obstacle = isOn(.asr) ? .skipped : .disabled
        }
        (standing.month, standing.isPlaying) = (month, isPlaying)
        return standing
    }

    private var nextCall: String { isOn(.asr) && !skipped.contains(.asr) ? "asr" : "maghrib" }

    /// Jumu'ah follows Dhuhr while nothing is switches of it.
    private func isOn(_ prayer: Prayer) -> Bool {
        switches[prayer] ?? (prayer == .jumua ? switches[.dhuhr] : nil) ?? true
    }

    private mutating func set(_ prayer: Prayer, _ isEnabled: Bool) {
        switches[prayer] = isEnabled
        // To switch on is to say no more than the file does, except of Jumu'ah while Dhuhr is off.
        if switches[.dhuhr] == true { switches[.dhuhr] = nil }
        if switches[.asr] == true { switches[.asr] = nil }
        if switches[.jumua] == true, switches[.dhuhr] == nil { switches[.jumua] = nil }
    }

    private mutating func remove(_ prayer: Prayer) -> Bool { skipped.remove(prayer) == nil }

    mutating func restart() { isPlaying = false }

    /// - Returns: whether it is refused.
    mutating func apply(_ command: KeptCommand) -> Bool {
        switch command {
        case .mute, .muteFor, .muteUntil:
            mute = command == .mute ? "endless" : command == .muteFor ? "14:30" : isha
            isPlaying = false
        case .muteNext: mute = nextCall
        case .unmute: mute = "none"
        case .muteHall: hall = "13:30"
        case .muteHallLonger: hall = isha
        case .unmuteHall: hall = "none"
        case .disableAsr: set(.asr, false)
        case .enableAsr: set(.asr, true)
        case .disableDhuhr: set(.dhuhr, false)
        case .enableDhuhr: set(.dhuhr, true)
        case .disableJumua: set(.jumua, false)
        case .enableJumua: set(.jumua, true)
        case .skipAsr: skipped.insert(.asr)
        case .unskipAsr: return remove(.asr)
        case .skipDhuhr: skipped.insert(.jumua)
        case .unskipJumua: return remove(.jumua)
        case .exceptAdhan: exception = "15:00 -"
        case .exceptIqama: exception = "- 15:10"
        case .removeException:
            defer { exception = "none" }
            return exception == "none"
        case .sighted: month = "2026-12-10"
        case .complete: month = "2026-12-11"
        case .removePin:
            defer { month = "none" }
            return month == "none"
        case .publish: isPublished = true
        case .withdraw: isPublished = false
        case .play:
            defer { isPlaying = true }
            return isPlaying
        case .stop:
            defer { isPlaying = false }
            return !isPlaying
        case .reload: break
        }
        return false
    }
}
