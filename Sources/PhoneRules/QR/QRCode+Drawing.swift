package import QR

extension QRCode {
    /// A picture with fixed colours, because cameras need dark modules on a light background.
    /// - Parameter label: a description for screen readers.
    package func svg(label: String) -> HTML {
        .element(
            "svg",
            [
                ("class", "qr"), ("viewBox", "0 0 \(side) \(side)"), ("role", "img"), ("aria-label", label),
                ("shape-rendering", "crispEdges"),
            ],
            [
                .element("rect", [("width", "\(side)"), ("height", "\(side)"), ("fill", "#fff")], []),
                .element("path", [("d", svgPath), ("fill", "#000")], []),
            ])
    }

    /// Lines for a terminal with two rows of modules each. Blocks are the light modules, for terminals with a dark background;
    /// `isInverted` is for a light background.
    package func text(isInverted: Bool = false) -> String {
        let range = -Self.quietZone..<(size + Self.quietZone)
        func isLight(_ row: Int, _ column: Int) -> Bool {
            let isInside = (0..<size).contains(row) && (0..<size).contains(column)
            return (isInside && self[row, column]) == isInverted
        }
        var lines = ""
        for row in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            for column in range {
                // The number of rows is odd, so the last line has only an upper row.
                let lower = row + 1 < range.upperBound && isLight(row + 1, column)
                switch (isLight(row, column), lower) {
                case (true, true): lines += "█"
                case (true, false): lines += "▀"
                case (false, true): lines += "▄"
                case (false, false): lines += " "
                }
            }
            lines += "\n"
        }
        return lines
    }
}
