/// Why a table is refused: one sentence, and the position.
package struct TimetableError: Error, Sendable, Equatable {
    package var file: String
    /// The line, counted from 1; nil when the mistake concerns the whole file.
    package var line: Int?
    /// The cell's text in the file.
    package var cell: String?
    /// The problem and the probable intention, without the position.
    package var reason: String

    package init(_ reason: String, file: String, line: Int? = nil, cell: String? = nil) {
        self.reason = reason
        self.file = file
        self.line = line
        self.cell = cell
    }

    /// `"times.csv", line 12, "25:10": …`
    package var message: String {
        var place = "\"\(file)\""
        if let line { place += ", line \(line)" }
        if let cell { place += ", \"\(Self.excerpt(cell))\"" }
        return "\(place): \(reason)"
    }

    /// A cell of any length and content, shortened to one line.
    package static func excerpt(_ cell: String) -> String {
        let plain = String(
            String.UnicodeScalarView(
                cell.unicodeScalars.prefix(60).map { $0.value < 0x20 || $0.value == 0x7F ? "\u{FFFD}" : $0 }))
        return plain.unicodeScalars.count < cell.unicodeScalars.count ? plain + "…" : plain
    }
}

/// All known mistakes of a strict table.
package struct TimetableErrors: Error, Sendable, Equatable {
    package let mistakes: [TimetableError]

    package init(_ mistakes: [TimetableError]) { self.mistakes = mistakes }

    package var message: String { mistakes.map(\.message).joined(separator: "\n") }
}
