package import Protocol

extension JSONShape {
    /// A value with every field set.
    package var sample: String {
        switch self {
        case .bool: "true"
        case .int: "3"
        case .float: "2.5"
        case .string: "\"x\""
        case .choice(let words): "\"\(words.first ?? "")\""
        case .list(let element): "[\(element.sample)]"
        case .map(let value): "{\"x\":\(value.sample)}"
        case .nullable(let value): value.sample
        case .object(_, let fields):
            "{"
                + fields.sorted { $0.name < $1.name }.map { "\"\($0.name)\":\($0.shape.sample)" }.joined(
                    separator: ",")
                + "}"
        }
    }
}

extension ControlMethod {
    /// Parameters that the method understands: all that it takes, or only those that it needs.
    package func sampleParameters(onlyNeeded: Bool = false) -> String {
        // Without `written` there is nothing to remove.
        let fields = parameters.filter {
            onlyNeeded ? !$0.isOptional : name != "Reload" || $0.name != "removed"
        }
        return JSONShape.object(type: "", fields).sample.replacing("\"x\"", with: "\"/x\"")
    }

    /// A call of the method with all that it takes.
    package var sampleCall: String {
        "{\"method\":\"\(ControlError.interface).\(name)\",\"parameters\":\(sampleParameters()),\"more\":true}"
    }
}
