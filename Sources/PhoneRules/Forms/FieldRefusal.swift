/// A field of a form that cannot be used: 422. The page shows the field with the text that was typed.
package struct FieldRefusal: Error, Sendable, Equatable {
    package enum Code: String, Sendable, Codable, CaseIterable {
        case missing, format, unknown
        /// Longer, earlier or larger than this phone may set.
        case range
        /// A day or a time in the past.
        case past
        /// Selected from a list that has changed since.
        case stale
        /// adhand refuses it for the ``FieldRefusal/reason``.
        case refused
    }

    package let field: String
    package let code: Code
    /// A sentence of adhand about a problem that the form cannot detect.
    package let reason: String?

    package init(_ field: String, _ code: Code, reason: String? = nil) {
        self.field = field
        self.code = code
        self.reason = reason
    }

    /// This refusal for the field in which the person typed the value: a key selected from a list, and a list of tables, use
    /// fields of other names.
    package func renamed(for form: Form) -> FieldRefusal {
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
