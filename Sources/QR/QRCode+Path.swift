extension QRCode {
    /// The light modules around the code that the standard requires.
    package static let quietZone = 4

    /// The modules in a row, including the quiet zone on both sides.
    package var side: Int { size + 2 * Self.quietZone }

    /// The dark modules as an SVG path: a module is one unit wide, and the path starts inside the quiet zone.
    package var svgPath: String {
        var path = ""
        for row in 0..<size {
            var column = 0
            while column < size {
                guard self[row, column] else {
                    column += 1
                    continue
                }
                let start = column
                while column < size, self[row, column] { column += 1 }
                path +=
                    "M\(start + Self.quietZone) \(row + Self.quietZone)h\(column - start)v1h-\(column - start)z"
            }
        }
        return path
    }
}
