/// Changes for a box that leaves its fleet.
extension ConfigChange {
    /// Takes the box out of its fleet by removing every key of `[fleet]`.
    package init(
        leavingFleet main: [UInt8]?, file: String, dropIns: [ConfigSource]
    ) throws(ConfigRefusal) {
        let sources = [ConfigSource(file: file, text: main ?? [])] + dropIns
        let keys = try Self.load(sources, hint: "fix it first").settings.map(\.key).filter {
            $0.hasPrefix("fleet.")
        }
        guard !keys.isEmpty else {
            throw ConfigRefusal(.word, "the configuration names no fleet, so there is none to leave")
        }
        try self.init(unsetting: keys, in: main, file: file, dropIns: dropIns)
    }

    /// The drop-ins with keys of a fleet, without these keys, and what was removed. A comment remains as a sign that the loss is
    /// intended.
    package static func leavingFleet(_ dropIns: [ConfigSource]) -> (texts: [ConfigSource], steps: [Step]) {
        var (texts, steps): ([ConfigSource], [Step]) = ([], [])
        for source in dropIns {
            let keys = ((try? ConfigLoader.load([source]))?.settings ?? []).filter {
                $0.key.hasPrefix("fleet.")
            }
            guard !keys.isEmpty else { continue }
            var edit = ConfigEdit(Array("# This box has left its fleet.\n".utf8) + source.text)
            for setting in keys {
                edit.remove(setting.key.split(separator: ".").map(String.init))
                steps.append(Step(key: setting.key, value: "", before: setting.value, instead: "default"))
            }
            texts.append(ConfigSource(file: source.file, text: edit.bytes))
        }
        return (texts, steps)
    }
}
