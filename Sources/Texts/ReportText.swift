/// The form of reports for maintainers.
package enum ReportText {
    /// A heading, and lines under it.
    package static func section(_ title: String, _ lines: [String]) -> String {
        ([title] + lines.map { $0.isEmpty ? "" : "  " + $0 }).joined(separator: "\n") + "\n"
    }
}
