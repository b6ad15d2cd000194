package import Protocol
package import Texts

/// `adhanctl sound add` and `sound list` for people.
package enum SoundText {
    /// - Parameters:
    ///   - prayer: for whom alone it was added.
    ///   - configuration: the file that names sounds.
    ///   - inUse: whether the configuration has the name already.
    package static func added(
        _ sound: AddedSoundDocument, for prayer: Prayer?, configuration: String, inUse: Bool, _ style: Style
    ) -> String {
        let loudness = sound.loudnessLufs.map { "\(decibels($0)) LUFS, " } ?? ""
        let whom = prayer.map { " for \($0.title)" } ?? ""
        var lines = [
            style("added \"\(sound.name)\"\(whom)", .good) + ": \(sound.file)",
            "\(length(sound.durationSeconds)), \(format(sound.rate, sound.channels)), \(loudness)"
                + "true peak \(decibels(sound.truePeakDb)) dBTP; \(manner(sound))",
        ]
        let manner = prayer.map { " --prayer \($0.rawValue)" } ?? ""
        lines.append("To hear it: adhanctl sound play \(sound.name)\(manner)")
        let sudo = configuration.hasPrefix("/etc/") ? "sudo " : ""
        if inUse {
            lines.append("\(configuration) names it already: the next announcement plays it.")
        } else {
            lines += [
                "To have it called: \(sudo)adhanctl sound use \(sound.name)\(manner)"
            ]
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func manner(_ sound: AddedSoundDocument) -> String {
        let gain = "played at \(signed(sound.gainDb)) dB"
        guard let loudness = sound.loudnessLufs else { return gain }
        let heard = loudness + sound.gainDb
        return "\(gain), which brings it to \(decibels(heard)) LUFS"
            + (heard < -18.1 ? "; its peaks allow no more" : "")
    }

    package static func list(_ document: SoundsDocument, _ style: Style) -> String {
        guard !document.sounds.isEmpty else { return "there are no sounds\n" }
        var text = ""
        for sound in document.sounds {
            let users = sound.usedBy.isEmpty ? "" : ", used by " + sound.usedBy.joined(separator: ", ")
            let head = "\(PlainText.visible(sound.name)) (\(sound.origin.rawValue))"
            text += style(head, .heading)
            // Every prayer may name the sound for itself.
            let rest = Wrapping.lines(head + users, indent: 0)
            text += rest[0].dropFirst(head.count) + "\n"
            text += rest.dropFirst().map { "  \($0)\n" }.joined()
            var table = TextTable([.left, .right, .left, .right, .right], indent: 2)
            for file in sound.files {
                let whom = file.prayer?.title ?? "every prayer"
                if let problem = file.problem {
                    table.add([.init(whom), .init(""), .init(problem, .alarm)])
                    continue
                }
                guard file.durationSeconds != nil else {
                    table.add([.init(whom), .init(""), .init("not measured", .faint)])
                    continue
                }
                table.add([
                    .init(whom), .init(length(file.durationSeconds ?? 0)),
                    .init(format(file.rate ?? 0, file.channels ?? 0)),
                    .init(file.loudnessLufs.map { "\(decibels($0)) LUFS" } ?? "too short"),
                    .init("\(signed(file.gainDb ?? 0)) dB"),
                ])
            }
            text += table.rendered(style)
        }
        return text
    }

    /// `8.7 s`, `3 min 34 s`
    package static func length(_ seconds: Double) -> String {
        if seconds < 59.95 { return "\(NumberText.decimals(seconds, 1)) s" }
        let whole = Int(min(seconds, 1e9).rounded())
        return "\(whole / 60) min \(whole % 60) s"
    }

    private static func format(_ rate: Int, _ channels: Int) -> String {
        "\(rate) Hz \(channels == 1 ? "mono" : "stereo")"
    }

    private static func decibels(_ value: Double) -> String { NumberText.decimals(value, 1) }

    private static func signed(_ value: Double) -> String { (value < 0 ? "" : "+") + decibels(value) }
}
