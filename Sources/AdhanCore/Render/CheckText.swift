/// `adhanctl check` for people.
package enum CheckText {
    package static func render(_ document: CheckDocument, _ style: Style) -> String {
        let place = document.location
        let how = document.calculation
        var text = "\(document.file): " + style("valid", .good) + "\n"
        text += "\(PlaceText.describe(place.name, place.latitude, place.longitude)), \(place.timezone)\n"
        if place.approximate {
            let advice =
                PlaceText.approximation + " Set latitude and longitude under [location]."
            text += Wrapping.lines(advice, indent: 0).map { style($0, .caution) + "\n" }.joined()
        }
        text += "\(how.method), Asr \(how.asr), high latitude \(how.highLatitude)\n"
        return text + dropIns(of: document.file, files: document.files, settings: document.settings)
    }

    /// What drop-ins set, and over whom; nothing where there are none.
    package static func dropIns(of main: String, files: [String], settings: [ConfigSetting]) -> String {
        var text = ""
        for file in files where file != main {
            text += "drop-in \(file):\n"
            let won = settings.filter { $0.file == file }
            if won.isEmpty { text += "  sets nothing that counts\n" }
            for setting in won {
                let over = setting.overridden.map { "\(name($0.file)):\($0.line)" }.joined(separator: ", ")
                text +=
                    "  \(setting.key) = \(setting.value)" + (over.isEmpty ? "" : "  (over \(over))") + "\n"
            }
        }
        return text
    }

    private static func name(_ file: String) -> Substring {
        file.split(separator: "/").last ?? file[...]
    }
}
