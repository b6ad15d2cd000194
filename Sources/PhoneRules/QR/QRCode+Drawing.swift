package import QR

extension QRCode {
    /// A picture whose colours do not follow the page's: cameras want dark on light.
    /// - Parameter label: read aloud in place of the picture.
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

    /// Lines for a terminal, two rows of modules in each. Blocks are the light modules, which fits terminals with a dark
    /// background; `isInverted` is for those with a light one.
    package func text(isInverted: Bool = false) -> String {
        let range = -Self.quietZone..<(size + Self.quietZone)
        func isLight(_ row: Int, _ column: Int) -> Bool {
            let isInside = (0..<size).contains(row) && (0..<size).contains(column)
            return (isInside && self[row, column]) == isInverted
        }
        var lines = ""
        for row in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            for column in range {
                // The code has an odd number of rows: below the last one nothing is drawn.
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
