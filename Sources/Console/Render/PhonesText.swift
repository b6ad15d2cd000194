package import Protocol
package import Texts

/// Paired phones for people.
package enum PhonesText {
    package static func list(_ reply: PhonesReply, _ style: Style) -> String {
        guard !reply.phones.isEmpty else {
            return "no phone is paired; pair one with \"adhanctl remote pair\"\n"
        }
        var table = TextTable([.left, .left, .left, .left, .left])
        table.add(["ID", "NAME", "ROLE", "PAIRED", "LAST USED"].map { .init($0, .faint) })
        for phone in reply.phones {
            table.add([
                .init(phone.id), .init(phone.name), .init(phone.role), .init(day(phone.paired)),
                .init(day(phone.seen)),
            ])
        }
        return table.rendered(style)
    }

    /// `Kitchen phone (household)`
    package static func name(_ phone: PhonesReply.Phone) -> String {
        "\(PlainText.visible(phone.name)) (\(phone.role))"
    }

    /// The phone that a command names: by its id, or by a unique name.
    package static func named(_ word: String, in phones: [PhonesReply.Phone]) -> PhonesReply.Phone? {
        if let phone = phones.first(where: { $0.id == word }) { return phone }
        let named = phones.filter { $0.name == word }
        return named.count == 1 ? named[0] : nil
    }

    /// The phone that was paired since: a new one, or an earlier one with a new name, role or day.
    package static func arrived(
        since before: [PhonesReply.Phone], in phones: [PhonesReply.Phone]
    ) -> PhonesReply.Phone? {
        phones.first { phone in
            guard let known = before.first(where: { $0.id == phone.id }) else { return true }
            return known.name != phone.name || known.role != phone.role || known.paired != phone.paired
        }
    }

    private static func day(_ text: String) -> String { text.isEmpty ? "-" : text }
}
