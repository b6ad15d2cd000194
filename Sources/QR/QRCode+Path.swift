extension QRCode {
    /// Light modules around the code, as the standard wants them.
    package static let quietZone = 4

    /// Modules in a row, with the quiet zone on both sides.
    package var side: Int { size + 2 * Self.quietZone }

    /// The dark modules as a path of SVG: a module is one unit wide, and the path begins inside the quiet zone.
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
