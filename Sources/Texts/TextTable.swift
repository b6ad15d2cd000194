/// A table of aligned columns, two spaces apart, without trailing spaces.
package struct TextTable {
    package enum Alignment {
        case left, right
    }

    package struct Cell: ExpressibleByStringInterpolation {
        package let text: String
        let tone: Style.Tone

        package init(_ text: String, _ tone: Style.Tone = .plain) {
            self.text = PlainText.visible(text)
            self.tone = tone
        }

        package init(stringLiteral value: String) {
            self.init(value)
        }
    }

    private let alignments: [Alignment]
    private let indent: Int
    private var rows: [[Cell]] = []

    /// Makes an empty table; a row may have fewer cells than there are columns.
    package init(_ alignments: [Alignment], indent: Int = 0) {
        self.alignments = alignments
        self.indent = indent
    }

    package mutating func add(_ row: [Cell]) {
        rows.append(row)
    }

    /// The rows, each with a newline.
    package func rendered(_ style: Style) -> String {
        let widths = alignments.indices.map { column in
            rows.map { column < $0.count ? $0[column].text.count : 0 }.max() ?? 0
        }
        var text = ""
        for row in rows {
            text += String(repeating: " ", count: indent)
            let last = row.lastIndex { !$0.text.isEmpty } ?? -1
            for (column, cell) in row.enumerated() where column <= last {
                let padding = String(repeating: " ", count: widths[column] - cell.text.count)
                if column > 0 { text += "  " }
                switch alignments[column] {
                case .right: text += padding + style(cell.text, cell.tone)
                case .left: text += style(cell.text, cell.tone) + (column < last ? padding : "")
                }
            }
            text += "\n"
        }
        return text
    }
}

/// Wraps long sentences.
package enum Wrapping {
    /// The width of a terminal of the usual 80 columns.
    package static let width = 79

    /// Breaks at spaces so that no line, with its indent, is wider than ``width``; a longer word has a line of its own.
    package static func lines(_ text: String, indent: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, indent + line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " " + word
        }
        return lines + [line]
    }
}
