package import Settings
import Texts

extension ControlError {
    /// Translates a refused setting into an error of the interface.
    package init(_ refusal: SettingsRefusal) {
        self =
            switch refusal {
            case .unknown(let key, let near): .unknownSetting(key: key, near: near)
            case .invalid(let key, let value, let reason):
                .settingInvalid(key: key, value: value, reason: reason)
            case .pinned(let key, let file, let line): .settingPinned(key: key, file: file, line: line)
            case .conflict(let key, let change, let by): .settingConflict(key: key, change: change, by: by)
            case .role(let needed): .roleNeeded(needed)
            case .nothing(let reason): .nothingSet(what: reason)
            case .count: .invalidParameter(parameter: "changes")
            case .tooLarge:
                .settingInvalid(
                    key: "", value: "",
                    reason:
                        "all settings together would take more than \(SettingsLayer.longestFile >> 10) KiB")
            }
    }

    static func sentence(quiet window: String, until: String) -> String {
        let end = until.isEmpty ? "" : " until \(LocalText.minute(until)) on \(LocalText.date(until))"
        let what = window == "mute" ? "the output is muted" : "the quiet window \"\(window)\" silences it"
        return "\(what)\(end); \"--despite-quiet\" plays it all the same"
    }

    static func sentence(unknownOutput output: String, _ allowed: [String]) -> String {
        guard !allowed.isEmpty else {
            return
                "there is no output \"\(output)\" to mute alone, as the configuration names none; type \"adhanctl mute\""
        }
        let near = NearestName.of(output, among: allowed).map { "; did you mean \"\($0)\"?" }
        return
            "there is no output \"\(output)\"; the outputs are \(allowed.joined(separator: ", "))\(near ?? "")"
    }

    static func sentence(unknown key: String, near: String?) -> String {
        if let near { return "no command sets \"\(key)\"; did you mean \(near)?" }
        return SettableKey.isKnown(key)
            ? "\(key) is set in the files only, by no command; \"sudo adhanctl set --file\" writes it there"
            : "there is no key \"\(key)\" that a command sets; \"adhanctl settings\" and adhand.toml(5) name them"
    }

    static func sentence(roleNeeded role: SettingRole) -> String {
        switch role {
        case .household, .keeper: "not permitted: this needs the role \"\(role.rawValue)\""
        case .fresh: "not permitted: this needs a code from the room within the last hour (role \"fresh\")"
        }
    }
}
