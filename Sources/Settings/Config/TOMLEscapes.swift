import Texts

/// The escapes of TOML's basic strings (TOML 1.0.0, "String").
package enum TOMLEscapes {
    /// `text` as a basic string with its quotes.
    package static func quote(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            case _ where PlainText.isHidden(scalar.value):
                let (letter, count) = scalar.value > 0xFFFF ? ("U", 8) : ("u", 4)
                let digits = String(scalar.value, radix: 16)
                result += "\\\(letter)" + String(repeating: "0", count: count - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// `name` as a key in a sentence: bare where TOML allows it, quoted otherwise, shortened when very long.
    package static func key(_ name: String) -> String {
        let name = name.utf8.count > 200 ? name.prefix(57) + "..." : name
        let isBare =
            !name.isEmpty
            && name.unicodeScalars.allSatisfy { scalar in
                ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
                    || scalar == "_" || scalar == "-"
            }
        return isBare ? name : quote(name)
    }
}
