import Texts

extension SoundFacts.File {
    /// Whether the name is a path, which is not a sound's name and is accepted by no command.
    public var isPath: Bool { name.hasPrefix("/") }

    /// The advice to replace a recording with a better one.
    public var replacement: String {
        isPath ? "cp FILE \(name)" : "adhanctl sound add FILE --name \(name) --replace"
    }

    /// The advice how to listen to it.
    public var trial: String {
        "adhanctl sound play \(name)" + (prayers.first.map { " --prayer \($0.rawValue)" } ?? "")
    }

    /// `there is no sound "madinah"`
    public static func noSuchSound(_ name: String) -> String {
        "there is no \(name.hasPrefix("/") ? "file" : "sound") \"\(name)\""
    }

    /// The command that makes an unusable sound available to adhand, without `sudo`.
    public var fix: String {
        switch outcome {
        case .missing where !isPath: return "adhanctl sound add FILE --name \(name)"
        case .unreadable where isPath:
            let short = AddedName.suggested(by: name).map { " --name \($0.text)" } ?? ""
            return "adhanctl sound add \(name)\(short)"
        default: return "adhanctl sound list"
        }
    }

    /// Its purpose: `Fajr and Isha`, `the iqama`.
    public var users: String {
        let names = PlainText.list(prayers.map(\.title))
        return switch occasion {
        case .adhan, .slot: names
        case .reminder: "the reminders of \(names)"
        case .iqama: "the iqama"
        case .iqamaReminder: "the reminders of the iqama"
        case .khutba: "the khutba"
        case .wake: "waking people in Ramadan"
        case .imsak: "the imsak of Ramadan"
        case .iftar: "the iftar of Ramadan"
        case .takbirat: "the takbirat of the feasts"
        case .call: "calls"
        }
    }
}
