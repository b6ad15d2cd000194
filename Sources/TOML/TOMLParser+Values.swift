/// Reads values: lists, tables in braces, and values on one line. Strings, numbers and dates have files of their own.
extension TOMLParser {
    mutating func readValue(of node: Int, depth: Int) throws(TOMLError) {
        let start = offset
        do throws(TOMLError) {
            try enter(depth: depth, at: offset)
            switch peek {
            case Self.openBracket: try readList(of: node, depth: depth)
            case Self.openBrace: try readInlineTable(of: node, depth: depth)
            case Self.quote, Self.apostrophe: set(node, .text(try readText()), from: start)
            default: set(node, try readScalar(), from: start)
            }
        } catch {
            set(node, .invalid, from: start)
            var fault = error
            // Blame the innermost key; for a list's element, the list's key.
            if fault.path == nil, let path = path(of: node) {
                fault.path = path
                fault.valueOffset = start
            }
            throw fault
        }
    }

    private mutating func readList(of node: Int, depth: Int) throws(TOMLError) {
        let start = offset
        offset += 1
        var elements: [Int] = []
        while true {
            try skipBlank()
            if consume(Self.closeBracket) { break }
            guard peek != nil else { throw TOMLError(.unclosedList(start: start), at: offset) }
            let element = addElement(to: node, at: offset, .invalid, .value)
            elements.append(element)
            try readValue(of: element, depth: depth + 1)
            let end = offset
            try skipBlank()
            if consume(Self.comma) { continue }
            if consume(Self.closeBracket) { break }
            // Text on a later line belongs to something else.
            let isLater = bytes[end..<offset].contains(Self.newline)
            let isOpen = peek == nil || isLater
            throw isOpen
                ? TOMLError(.unclosedList(start: start), at: end) : TOMLError(.noComma, at: offset)
        }
        set(node, .list(elements), from: start)
    }

    private mutating func readInlineTable(of node: Int, depth: Int) throws(TOMLError) {
        let start = offset
        offset += 1
        set(node, .table, from: start)
        skipSpace()
        var isFirst = true
        while !consume(Self.closeBrace) {
            if !isFirst {
                guard consume(Self.comma) else {
                    let isOpen = peek.map {
                        $0 == Self.newline || $0 == Self.carriageReturn || $0 == Self.hash
                    }
                    throw TOMLError(isOpen ?? true ? .unclosedInlineTable : .noComma, at: offset)
                }
                skipSpace()
                if peek == Self.closeBrace { throw TOMLError(.trailingComma, at: offset) }
            }
            if peek.map({ $0 == Self.newline || $0 == Self.carriageReturn }) ?? true {
                throw TOMLError(.unclosedInlineTable, at: offset)
            }
            try readPair(in: node, depth: depth, isInline: true)
            skipSpace()
            isFirst = false
        }
        set(node, .table, from: start)
        set(node, .inlineTable)
    }

    /// Reads a number, a boolean or a date.
    private mutating func readScalar() throws(TOMLError) -> TOMLDocument.Value {
        let start = offset
        while let byte = peek, Self.isScalar(byte) { offset += 1 }
        if looksLikeTimeAfterSpace(from: start) {
            offset += 1
            while let byte = peek, Self.isScalar(byte) { offset += 1 }
        }
        guard offset > start else {
            let isEmpty =
                peek.map { $0 == Self.newline || $0 == Self.carriageReturn || $0 == Self.hash } ?? true
            throw TOMLError(isEmpty ? .noValue : .unknownValue, at: start)
        }
        let word = bytes[start..<offset]
        do throws(TOMLError.ScalarError) {
            return try TOMLScalar.read(Array(word))
        } catch {
            throw TOMLError(error.kind, at: start)
        }
    }

    /// Whether a time follows a date after a space, the only space inside a value: `1979-05-27 07:32:00`.
    private func looksLikeTimeAfterSpace(from start: Int) -> Bool {
        guard offset - start == 10, peek == Self.space, bytes[start + 4] == Self.minus else { return false }
        let rest = bytes[(offset + 1)...].prefix(3)
        return rest.count == 3 && rest.dropLast().allSatisfy(Self.isDigit)
            && rest.last == UInt8(ascii: ":")
    }
}
