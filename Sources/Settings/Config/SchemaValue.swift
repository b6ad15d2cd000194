extension Schema {
    /// The value of a key in some settings: its default where a family's own key has no value of its own.
    func value(at path: [String], in settings: Settings) -> ConfigValue? {
        guard let name = path.last else { return nil }
        let table = Array(path.dropLast())
        for part in parts {
            switch part {
            case .section(let section) where section.path == table:
                if let key = section.keys.first(where: { $0.name == name }) { return key.get(settings) }
            case .family(let family) where table.first == family.name:
                guard let key = family.keys.first(where: { $0.name == name }) else { continue }
                if table.count == 1 { return key.initial }
                if let member = table.last, family.members.contains(member) {
                    return key.get(settings, member)
                }
            default: continue
            }
        }
        return nil
    }
}
