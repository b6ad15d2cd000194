import PrayerEngine
public import Settings
import Texts

/// The daemon's refusals: the errors of `org.adhand.Control`, and the standard ones of Varlink.
public enum ControlError: Error, Sendable, Equatable {
    case unknownPrayer(prayer: String)
    case notPermitted(needed: String)
    /// The caller may change things, but acts for a person who may not change this.
    case roleNeeded(SettingRole)
    case invalidTime(value: String, reason: String)
    case soundNotFound(sound: String)
    case soundUnusable(sound: String, reason: String)
    case audioUnavailable(device: String, reason: String)
    case nothingPlaying
    case busy(playing: String)
    /// A quiet window silences the requested sound; `until` is empty for a window that does not end within a year.
    case quiet(window: String, until: String)
    case unknownOutput(output: String, allowed: [String])
    case debugDisabled
    case configurationInvalid(file: String, line: Int, column: Int, reason: String)
    /// The change is in force, but will be lost at the next restart.
    case stateNotSaved(reason: String)
    /// The change is not in force, because it could not be saved first.
    case changeNotSaved(reason: String)
    case historyUnreadable(reason: String)
    case timetableInvalid(reason: String)
    /// The item to be removed does not exist.
    case nothingSet(what: String)
    case unknownSetting(key: String, near: String?)
    case settingInvalid(key: String, value: String, reason: String)
    case settingPinned(key: String, file: String, line: Int)
    /// Another caller has changed it since this caller read it.
    case settingConflict(key: String, change: Int, by: String)
    /// The envelope was refused; a code for programs, and a sentence.
    case envelopeRefused(reason: String, detail: String)

    case interfaceNotFound(interface: String)
    case methodNotFound(method: String)
    case invalidParameter(parameter: String)
    case expectedMore
    /// The daemon returned an error that this program does not know.
    case other(name: String)

    /// Fields of every error; each error uses its own few.
    package struct Parameters: Codable, Sendable, Equatable {
        package var prayer: String?
        package var allowed: [String]?
        package var needed: String?
        package var role: String?
        package var value: String?
        package var reason: String?
        package var sound: String?
        package var device: String?
        package var playing: String?
        package var file: String?
        package var line: Int?
        package var column: Int?
        package var interface: String?
        package var method: String?
        package var parameter: String?
        package var key: String?
        package var near: String?
        package var change: Int?
        package var by: String?
        package var window: String?
        package var output: String?
        package var until: String?
        package var detail: String?
        package var done: Bool?
    }

    /// The name of the Varlink interface, which prefixes methods and errors: `org.adhand.Control.Mute`.
    public static let interface = "org.adhand.Control"

    /// The code for programs: the error's name on the wire.
    public enum Code: String, Sendable, CaseIterable {
        case unknownPrayer = "org.adhand.Control.UnknownPrayer"
        case notPermitted = "org.adhand.Control.NotPermitted"
        case invalidTime = "org.adhand.Control.InvalidTime"
        case soundNotFound = "org.adhand.Control.SoundNotFound"
        case soundUnusable = "org.adhand.Control.SoundUnusable"
        case audioUnavailable = "org.adhand.Control.AudioUnavailable"
        case nothingPlaying = "org.adhand.Control.NothingPlaying"
        case busy = "org.adhand.Control.Busy"
        case quiet = "org.adhand.Control.Quiet"
        case unknownOutput = "org.adhand.Control.UnknownOutput"
        case debugDisabled = "org.adhand.Control.DebugDisabled"
        case configurationInvalid = "org.adhand.Control.ConfigurationInvalid"
        case stateNotSaved = "org.adhand.Control.StateNotSaved"
        case historyUnreadable = "org.adhand.Control.HistoryUnreadable"
        case timetableInvalid = "org.adhand.Control.TimetableInvalid"
        case nothingSet = "org.adhand.Control.NothingSet"
        case unknownSetting = "org.adhand.Control.UnknownSetting"
        case settingInvalid = "org.adhand.Control.SettingInvalid"
        case settingPinned = "org.adhand.Control.SettingPinned"
        case settingConflict = "org.adhand.Control.SettingConflict"
        case envelopeRefused = "org.adhand.Control.EnvelopeRefused"
        case interfaceNotFound = "org.varlink.service.InterfaceNotFound"
        case methodNotFound = "org.varlink.service.MethodNotFound"
        case invalidParameter = "org.varlink.service.InvalidParameter"
        case expectedMore = "org.varlink.service.ExpectedMore"
    }

    /// The code; `nil` for an error that this program does not know.
    public var code: Code? {
        switch self {
        case .unknownPrayer: .unknownPrayer
        case .notPermitted, .roleNeeded: .notPermitted
        case .invalidTime: .invalidTime
        case .soundNotFound: .soundNotFound
        case .soundUnusable: .soundUnusable
        case .audioUnavailable: .audioUnavailable
        case .nothingPlaying: .nothingPlaying
        case .busy: .busy
        case .quiet: .quiet
        case .unknownOutput: .unknownOutput
        case .debugDisabled: .debugDisabled
        case .configurationInvalid: .configurationInvalid
        case .stateNotSaved, .changeNotSaved: .stateNotSaved
        case .historyUnreadable: .historyUnreadable
        case .timetableInvalid: .timetableInvalid
        case .nothingSet: .nothingSet
        case .unknownSetting: .unknownSetting
        case .settingInvalid: .settingInvalid
        case .settingPinned: .settingPinned
        case .settingConflict: .settingConflict
        case .envelopeRefused: .envelopeRefused
        case .interfaceNotFound: .interfaceNotFound
        case .methodNotFound: .methodNotFound
        case .invalidParameter: .invalidParameter
        case .expectedMore: .expectedMore
        case .other: nil
        }
    }

    /// The name on the wire, with its interface; for an unknown error, as the daemon sent it.
    public var name: String {
        if case .other(let name) = self { name } else { code?.rawValue ?? "" }
    }

    package var parameters: Parameters {
        var fields = Parameters()
        switch self {
        case .unknownPrayer(let prayer):
            fields.prayer = prayer
            fields.allowed = Prayer.allCases.map(\.rawValue)
        case .notPermitted(let needed): (fields.needed, fields.role) = (needed, "")
        case .roleNeeded(let role): (fields.needed, fields.role) = ("", role.rawValue)
        case .invalidTime(let value, let reason): (fields.value, fields.reason) = (value, reason)
        case .soundNotFound(let sound): fields.sound = sound
        case .soundUnusable(let sound, let reason): (fields.sound, fields.reason) = (sound, reason)
        case .audioUnavailable(let device, let reason): (fields.device, fields.reason) = (device, reason)
        case .busy(let playing): fields.playing = playing
        case .quiet(let window, let until): (fields.window, fields.until) = (window, until)
        case .unknownOutput(let output, let allowed): (fields.output, fields.allowed) = (output, allowed)
        case .configurationInvalid(let file, let line, let column, let reason):
            (fields.file, fields.line, fields.column, fields.reason) = (file, line, column, reason)
        case .stateNotSaved(let reason): (fields.reason, fields.done) = (reason, true)
        case .changeNotSaved(let reason): (fields.reason, fields.done) = (reason, false)
        case .historyUnreadable(let reason): fields.reason = reason
        case .timetableInvalid(let reason): fields.reason = reason
        case .nothingSet(let what): fields.reason = what
        case .unknownSetting(let key, let near): (fields.key, fields.near) = (key, near)
        case .settingInvalid(let key, let value, let reason):
            (fields.key, fields.value, fields.reason) = (key, value, reason)
        case .settingPinned(let key, let file, let line):
            (fields.key, fields.file, fields.line) = (key, file, line)
        case .settingConflict(let key, let change, let by):
            (fields.key, fields.change, fields.by) = (key, change, by)
        case .envelopeRefused(let reason, let detail): (fields.reason, fields.detail) = (reason, detail)
        case .interfaceNotFound(let interface): fields.interface = interface
        case .methodNotFound(let method): fields.method = method
        case .invalidParameter(let parameter): fields.parameter = parameter
        case .nothingPlaying, .debugDisabled, .expectedMore, .other: break
        }
        return fields
    }

    package init(name: String, parameters fields: Parameters) {
        let reason = fields.reason ?? ""
        self =
            switch Code(rawValue: name) {
            case .unknownPrayer: .unknownPrayer(prayer: fields.prayer ?? "")
            case .notPermitted:
                fields.role.flatMap { SettingRole(rawValue: $0) }.map { .roleNeeded($0) }
                    ?? .notPermitted(needed: fields.needed ?? "")
            case .invalidTime: .invalidTime(value: fields.value ?? "", reason: reason)
            case .soundNotFound: .soundNotFound(sound: fields.sound ?? "")
            case .soundUnusable: .soundUnusable(sound: fields.sound ?? "", reason: reason)
            case .audioUnavailable:
                .audioUnavailable(device: fields.device ?? "", reason: reason)
            case .nothingPlaying: .nothingPlaying
            case .busy: .busy(playing: fields.playing ?? "")
            case .quiet: .quiet(window: fields.window ?? "", until: fields.until ?? "")
            case .unknownOutput:
                .unknownOutput(output: fields.output ?? "", allowed: fields.allowed ?? [])
            case .debugDisabled: .debugDisabled
            case .configurationInvalid:
                .configurationInvalid(
                    file: fields.file ?? "", line: fields.line ?? 0, column: fields.column ?? 0,
                    reason: reason)
            case .stateNotSaved:
                fields.done == false ? .changeNotSaved(reason: reason) : .stateNotSaved(reason: reason)
            case .historyUnreadable: .historyUnreadable(reason: reason)
            case .timetableInvalid: .timetableInvalid(reason: reason)
            case .nothingSet: .nothingSet(what: reason)
            case .unknownSetting: .unknownSetting(key: fields.key ?? "", near: fields.near)
            case .settingInvalid:
                .settingInvalid(key: fields.key ?? "", value: fields.value ?? "", reason: reason)
            case .settingPinned:
                .settingPinned(key: fields.key ?? "", file: fields.file ?? "", line: fields.line ?? 0)
            case .settingConflict:
                .settingConflict(key: fields.key ?? "", change: fields.change ?? 0, by: fields.by ?? "")
            case .envelopeRefused: .envelopeRefused(reason: reason, detail: fields.detail ?? "")
            case .interfaceNotFound:
                .interfaceNotFound(interface: fields.interface ?? "")
            case .methodNotFound: .methodNotFound(method: fields.method ?? "")
            case .invalidParameter: .invalidParameter(parameter: fields.parameter ?? "")
            case .expectedMore: .expectedMore
            case nil: .other(name: name)
            }
    }

    /// One sentence for a person: the refusal, its reason, and the remedy.
    public var sentence: String {
        switch self {
        case .unknownPrayer(let prayer):
            "there is no prayer \"\(prayer)\"; the prayers are \(Prayer.allCases.map(\.rawValue).joined(separator: ", "))"
        case .notPermitted(let needed):
            "not permitted: only root, the daemon's own user and members of the group \"\(needed)\" may change things; "
                + "add yourself with \"sudo usermod -aG \(needed) $USER\" and log in again"
        case .roleNeeded(let role): Self.sentence(roleNeeded: role)
        case .invalidTime(let value, let reason):
            "cannot use the \(CivilDate(value) == nil ? "time" : "date") \"\(value)\": \(reason)"
        case .soundNotFound(let sound):
            "there is no sound \"\(sound)\"; neither the added nor the shipped sounds have it"
        case .soundUnusable(let sound, let reason): "cannot play the sound \"\(sound)\": \(reason)"
        case .audioUnavailable(let device, let reason):
            "cannot play on \"\(device)\": \(reason); check the cable, and the devices in the configuration"
        case .nothingPlaying: "nothing is playing"
        case .busy(let playing):
            "busy: \(playing); try again when it is over, or end it with \"adhanctl stop\""
        case .quiet(let window, let until): Self.sentence(quiet: window, until: until)
        case .unknownOutput(let output, let allowed): Self.sentence(unknownOutput: output, allowed)
        case .debugDisabled:
            "debug triggers are off; set \"triggers = true\" under [debug] in the configuration and reload"
        case .configurationInvalid(let file, let line, let column, let reason):
            "\(file):\(line):\(column): \(reason); the running configuration stays in force"
        case .stateNotSaved(let reason):
            "done, but it will be forgotten at the next restart: \(reason)"
        case .changeNotSaved(let reason): "it has no effect, since it cannot be saved: \(reason)"
        case .historyUnreadable(let reason): "the history cannot be read: \(reason)"
        case .timetableInvalid(let reason): "\(reason); the timetable of before stays in force"
        case .nothingSet(let what): what
        case .unknownSetting(let key, let near): Self.sentence(unknown: key, near: near)
        case .settingInvalid(_, _, let reason): "\(reason); nothing was changed"
        case .settingPinned(let key, let file, let line):
            "\(key) is pinned by \(file), line \(line), so no command can change it; change it in the file"
        case .settingConflict(let key, let change, let by):
            "\(key) was changed meanwhile by \(by) (change \(change)); nothing was changed. Look at it and try again"
        case .envelopeRefused(let reason, let detail): "the envelope has no effect (\(reason)): \(detail)"
        case .interfaceNotFound(let interface): "the daemon has no interface \"\(interface)\""
        case .methodNotFound(let method):
            "the daemon has no method \"\(method)\"; is it older than this adhanctl?"
        case .invalidParameter(let parameter): "the daemon does not accept the parameter \"\(parameter)\""
        case .expectedMore: "this method answers with a stream; call it with \"more\""
        case .other(let name): "the daemon answered with an error this adhanctl does not know: \(name)"
        }
    }
}
