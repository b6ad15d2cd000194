/// A field of a form that cannot be used: 422. The page shows the field with its words as typed.
package struct FieldRefusal: Error, Sendable, Equatable {
    package enum Code: String, Sendable, Codable, CaseIterable {
        case missing, format, unknown
        /// Longer, earlier or more than this phone may say.
        case range
    }

    package let field: String
    package let code: Code

    init(_ field: String, _ code: Code) {
        self.field = field
        self.code = code
    }
}
