import TOML

/// Reports a text that is not TOML in one sentence, with the probable intention.
extension ConfigText {
    func error(_ fault: TOMLError) -> ConfigError {
        let key: String? = if case .duplicate = fault.kind { fault.path.map(Self.dotted) } else { nil }
        return error(at: fault.offset, key: key, sentence(fault))
    }

    private func sentence(_ fault: TOMLError) -> String {
        let found = character(at: fault.offset)
        switch fault.kind {
        case .notUTF8(let byte):
            return "a byte that is not UTF-8 (0x\(Self.hex(UInt32(byte), 2))); save the file as UTF-8"
        case .controlCharacter(0):
            return "a NUL byte, which TOML does not allow; is it a text file?"
        case .controlCharacter(let code):
            return "a control character (U+\(Self.hex(code, 4))), which TOML does not allow; remove it"
        case .loneCarriageReturn:
            return "a carriage return alone; save the file with the line ends of Unix or Windows"
        case .noKey: return noKey(found)
        case .noEquals: return noEquals(fault, found)
        case .noValue:
            return "a value is missing" + (rule(fault).map { "; \($0.key) must be \($0.rule.allowed)" } ?? "")
        case .unknownValue: return unknownValue(fault, found)
        case .leadingZero: return "a number has no zeros in front" + guess(fault)
        case .tooLarge: return "the number is too large to be read"
        case .badDate: return "there is no such date or time" + guess(fault)
        case .unclosedText:
            return "the quotation mark that ends the text is missing" + guess(fault)
        case .unknownEscape:
            return "a backslash before a character that it does not go with; write two of them, "
                + "or put the text between single quotes (')"
        case .unexpected: return unexpected(fault, found)
        case .emptyHeader:
            return
                "a table's name is missing after \"[\"; it begins with a letter, a digit, \"-\" or \"_\", as in [adhan]"
        case .unclosedHeader:
            return
                "the bracket that ends the table's header is missing; write [\(Self.dotted(fault.path ?? []))]"
        case .unclosedList(let start):
            return "the bracket that ends the list of line \(line(of: start)) is missing"
        case .noComma: return "a comma is missing before \(found?.text ?? "the end of the file")"
        case .unclosedInlineTable:
            return "the brace that ends the table is missing; a table in braces stands on one line"
        case .trailingComma: return "a comma before \"}\", which TOML does not allow; remove it"
        case .duplicate(let first):
            let name = Self.dotted(fault.path ?? [])
            return "\(name) is set twice; it is already on line \(line(of: first)), remove one of them"
        case .tooDeep:
            return "nested more than \(TOMLDocument.deepest) levels deep; a configuration has 4"
        }
    }

    private func noKey(_ found: FoundCharacter?) -> String {
        switch found {
        case nil: "a key is missing"
        case .blank?: insteadOf(found)
        case .character("=")?: "a key is missing before \"=\""
        case .character("/")?, .character(";")?: "a comment begins with \"#\", not \(found?.text ?? "")"
        case .character?:
            "no key begins with \(found?.text ?? ""); keys are made of the letters a to z, digits, \"-\" and \"_\""
        }
    }

    private func noEquals(_ fault: TOMLError, _ found: FoundCharacter?) -> String {
        switch found {
        case nil: "\"=\" and a value are missing after the key"
        case .blank?: insteadOf(found)
        case .character(":")?: "\"=\" stands between a key and its value, not \":\"" + guess(fault)
        case .character?: "\"=\" is missing between the key and its value" + guess(fault)
        }
    }

    private func insteadOf(_ blank: FoundCharacter?) -> String { "\(blank?.text ?? ""); write a plain one" }

    private func unknownValue(_ fault: TOMLError, _ found: FoundCharacter?) -> String {
        switch found {
        case .blank?: return insteadOf(found)
        case .character(let scalar)? where Self.otherQuotes.contains(Character(scalar)):
            return "text must be in straight quotes (\"), not \(found?.text ?? "")" + guess(fault)
        case .character?, nil: break
        }
        if let (key, rule) = rule(fault), !rule.isWritten {
            return "this is not a valid value; \(key) must be \(rule.allowed)" + guess(fault)
        }
        return "this is not a valid value; text must be in straight quotes (\")" + guess(fault)
    }

    private func unexpected(_ fault: TOMLError, _ found: FoundCharacter?) -> String {
        guard let start = fault.valueOffset else {
            return
                "\(found?.text ?? "nothing") does not belong behind a table's header; the next key stands on its own line"
        }
        let isNumber = bytes[start..<fault.offset].contains { (0x30...0x39).contains($0) }
        if found == .character(","), isNumber, let meant = guess(rest(from: start), fault) {
            return "a decimal number is written with a point, not with a comma" + meant
        }
        return "\(found?.text ?? "nothing") does not belong behind the value" + guess(fault)
    }

    // MARK: - The probable meaning

    private func rule(_ fault: TOMLError) -> (key: String, rule: ValueRule)? {
        guard let path = fault.path, let rule = index.rule(at: path) else { return nil }
        return (path.joined(separator: "."), rule)
    }

    /// Most mistakes are a value without its quotes, or with more than TOML allows: this explains how to write it.
    private func guess(_ fault: TOMLError) -> String {
        fault.valueOffset.flatMap { guess(rest(from: $0), fault) } ?? ""
    }

    private func guess(_ rest: String, _ fault: TOMLError) -> String? {
        guard let rule = rule(fault)?.rule, let name = fault.path?.last else { return nil }
        let written = Self.parse(rest, isList: rule.isList)
        if case .text(let text) = written, text.contains("\"") { return nil }
        guard let meant = (try? rule.check(written))?.concise.toml ?? rule.hint(for: written) else {
            return nil
        }
        return "; did you mean \(name) = \(meant)?"
    }

    /// The rest of the line, without a comment.
    private func rest(from offset: Int) -> String {
        String(
            decoding: bytes[offset...].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "#") },
            as: UTF8.self)
    }

    private static func parse(_ text: String, isList: Bool) -> WrittenValue {
        let trimmed = strip(text, of: [])
        let isBracketed = trimmed.hasPrefix("[") && trimmed.hasSuffix("]")
        guard isBracketed || isList && trimmed.contains(",") else { return .text(strip(text, of: anyQuotes)) }
        let inner = isBracketed ? trimmed.dropFirst().dropLast() : trimmed[...]
        let elements = inner.split(whereSeparator: { $0 == "," || $0 == ";" })
        return .list(elements.map { .text(strip(String($0), of: anyQuotes)) })
    }

    /// The value without surrounding marks, and with a point for a decimal comma.
    private static func strip(_ text: String, of marks: Set<Character>) -> String {
        var text = text[...]
        while let first = text.first, first.isWhitespace || marks.contains(first) { text.removeFirst() }
        while let last = text.last, last.isWhitespace || marks.contains(last) { text.removeLast() }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let isDecimal = parts.count == 2 && Double(parts[0]) != nil && UInt(parts[1]) != nil
        return isDecimal ? "\(parts[0]).\(parts[1])" : String(text)
    }

    private static let otherQuotes = Set("“”„‘’‚«»`´")
    private static let anyQuotes = otherQuotes.union("\"'")

    // MARK: - Words

    /// A character where something else was expected.
    private enum FoundCharacter: Equatable {
        /// A character that looks like a space but is not.
        case blank(Unicode.Scalar)
        case character(Unicode.Scalar)

        /// The character in quotation marks, or its name where it is invisible.
        var text: String {
            switch self {
            case .blank(let scalar):
                "a blank that looks like a space and is none (U+\(ConfigText.hex(scalar.value, 4)))"
            case .character("\""): "a quotation mark"
            case .character(let scalar): "\"\(scalar)\""
            }
        }
    }

    /// The character at `offset`; `nil` at the end of a line.
    private func character(at offset: Int) -> FoundCharacter? {
        let rest = String(decoding: bytes[min(offset, bytes.count)...].prefix(8), as: UTF8.self)
        guard let scalar = rest.unicodeScalars.first, scalar != "\n", scalar != "\r" else { return nil }
        let isBlank = scalar.properties.isWhitespace || scalar.properties.generalCategory == .format
        return isBlank && scalar != " " && scalar != "\t" ? .blank(scalar) : .character(scalar)
    }

    private static func dotted(_ path: [String]) -> String {
        path.map(TOMLEscapes.key).joined(separator: ".")
    }

    private static func hex(_ value: UInt32, _ width: Int) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
