/// A field of a form that cannot be used: 422. The page shows the field with its words as typed.
package struct FieldRefusal: Error, Sendable, Equatable {
    package enum Code: String, Sendable, Codable, CaseIterable {
        case missing, format, unknown
        /// Longer, earlier or more than this phone may say.
        case range
        /// A day or a time that is over.
        case past
        /// Chosen from a list that is another one by now.
        case stale
        /// adhand does not take it, for its ``FieldRefusal/reason``.
        case refused
    }

    package let field: String
    package let code: Code
    /// A sentence of adhand, which knows more than the form.
    package let reason: String?

    package init(_ field: String, _ code: Code, reason: String? = nil) {
        self.field = field
        self.code = code
        self.reason = reason
    }

    /// The same about the field in which a person typed it: a key that was chosen from a list, and a list of tables, have
    /// fields of other names.
    package func shown(in form: Form) -> FieldRefusal {
        guard form[field] == nil else { return self }
        if form["key"] == field { return FieldRefusal("value", code, reason: reason) }
        let own = [
            SettingsChangeSet.iqamaKey: "iqama", SettingsChangeSet.slotKey: "jumua",
            SettingsChangeSet.announcementKey: "text",
        ]
        guard let name = own[field], form[name] != nil else { return self }
        return FieldRefusal(name, code, reason: reason)
    }
}
