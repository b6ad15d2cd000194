package import Texts

/// The names of the card's files.
package enum CardNames {
    /// Bytes of the largest file of a name. Nobody writes a larger one for a box.
    package static func mostBytes(_ name: String) -> Int {
        switch name {
        case _ where ImagerFile(rawValue: name) != nil: ImagerFile.mostBytes
        case "wifi.txt", "authorized_keys", "box.txt", "fleet.toml", CardPairing.fileName: 64 << 10
        case "adhand.toml", "display.toml": 256 << 10
        case _ where name.hasPrefix("timetable."): 16 << 20
        default: 400 << 20
        }
    }

    package static let timetables = ["timetable.csv", "timetable.json", "timetable.zip"]
    private static let texts =
        [
            "adhand.toml", "display.toml", "fleet.toml", "wifi.txt", "box.txt", CardPairing.fileName,
            "authorized_keys",
        ] + timetables
        + ImagerFile.allCases.map(\.rawValue)

    /// Files that computers leave in every folder, and notes of people: neither is a recording.
    package static func isOfAComputer(_ name: String) -> Bool {
        let small = name.lowercased()
        return small.hasPrefix(".") || small.hasSuffix(".txt") || small.dropFirst() == "recycle.bin"
            || ["thumbs.db", "desktop.ini", "system volume information"].contains(small)
    }

    /// A recording's name, from its path below `sounds`: "Our Adhan (Makkah).mp3" is "our-adhan-makkah"; of a folder's
    /// files, adhan.mp3 is the folder's.
    package static func sound(_ path: String) -> String {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if let file = parts.popLast() {
            parts.append(file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file)
        }
        let names = parts.map(word)
        let name = names.joined(separator: "/")
        return name.hasSuffix("/adhan") ? String(name.dropLast(6)) : name
    }

    /// Letters, digits and "_"; other characters become a dash.
    private static func word(_ text: String) -> String {
        var word = ""
        for scalar in text.unicodeScalars {
            let isKept =
                scalar == "_" || scalar.properties.isAlphabetic
                || scalar.properties.generalCategory == .decimalNumber
                || [.nonspacingMark, .spacingMark].contains(scalar.properties.generalCategory)
            if isKept {
                word += scalar.isASCII ? String(scalar).lowercased() : String(scalar)
            } else if word.last != "-" {
                word += "-"
            }
        }
        let start = word.drop { $0 == "-" || $0 == "_" }
        return String(
            start[..<(start.lastIndex { $0 != "-" }.map { start.index(after: $0) } ?? start.startIndex)])
    }

    /// The sound and, of a folder's file, its prayer.
    package static func place(of known: String) throws(CardRefusal) -> (sound: String, prayer: Prayer?) {
        let parts = known.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let sound = parts.first, !sound.isEmpty else {
            throw CardRefusal("its name has neither a letter nor a digit, and adhand.toml could not name it")
        }
        guard parts.count > 1 else { return (sound, nil) }
        guard parts.count == 2, let prayer = Prayer(rawValue: parts[1]) else {
            throw CardRefusal(
                "in a folder of a sound there are fajr.mp3, dhuhr.mp3, asr.mp3, maghrib.mp3, isha.mp3, jumua.mp3 and adhan.mp3"
            )
        }
        return (sound, prayer)
    }

    /// The reason why a file that was meant for the box is not read; `nil` where it is read or belongs to others. On a
    /// Raspberry Pi the firmware's files are beside it.
    package static func notRead(_ name: String, isFolder: Bool) -> String? {
        let small = name.lowercased()
        if texts.contains(small) {
            return isFolder ? ": sounds is to be a folder, and the others are to be files." : nil
        }
        if small == "sounds" {
            return isFolder ? nil : ": sounds is to be a folder, and the others are to be files."
        }
        if let meant = texts.first(where: { small.hasPrefix($0 + ".") }) {
            let known = small.lastIndex(of: ".").map { String(small[..<$0]) } ?? meant
            return
                ". Windows hides the end of a name: the file is to be called \(known), and nothing after it."
        }
        func ends(_ endings: String...) -> Bool { endings.contains { small.hasSuffix("." + $0) } }
        func begins(_ starts: String...) -> Bool { starts.contains(where: small.hasPrefix) }
        if ends("mp3", "wav", "m4a", "ogg", "opus", "flac", "aac", "wma") {
            return ": a recording goes into the folder \"sounds\"."
        }
        if begins("timetable") || ends("csv", "tsv", "xls", "xlsx", "ods") {
            return ": a timetable is to be saved as CSV, and called timetable.csv."
        }
        if begins("wifi", "wi-fi", "wlan") {
            return ": the wireless network is to be in a plain text called wifi.txt."
        }
        if begins("adhand") { return ": the configuration is to be in a plain text called adhand.toml." }
        if begins("display"), ends("toml", "txt") {
            return ": the screen's settings are to be in a plain text called display.toml."
        }
        if begins("authorized") || ends("pub") {
            return ": public SSH keys are to be in a plain text called authorized_keys, without an end."
        }
        guard isFolder, begins("sound", "adhan", "recording") || ["audio", "music"].contains(small) else {
            return nil
        }
        return ": recordings go into a folder called \"sounds\"."
    }

    /// The reason for a file in `sounds` that is too deep or too large.
    package static let notASound =
        ": a recording lies in sounds or in a folder there, and has less than 400 MB."
}
