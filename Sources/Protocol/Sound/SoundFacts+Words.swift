import Texts

extension SoundFacts.File {
    /// A path is not the name of a sound, and no command takes it for one.
    public var isPath: Bool { name.hasPrefix("/") }

    /// How a recording is replaced by a better one.
    public var replacement: String {
        isPath ? "cp FILE \(name)" : "adhanctl sound add FILE --name \(name) --replace"
    }

    /// How somebody hears it.
    public var trial: String {
        "adhanctl sound play \(name)" + (prayers.first.map { " --prayer \($0.rawValue)" } ?? "")
    }

    /// `there is no sound "madinah"`
    public static func noSuchSound(_ name: String) -> String {
        "there is no \(name.hasPrefix("/") ? "file" : "sound") \"\(name)\""
    }

    /// The command that brings an unusable sound to where adhand finds it, without `sudo`.
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
