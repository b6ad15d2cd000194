/// CSV as spreadsheets and other programs write it: commas, semicolons or tabs, quoted cells, a byte order mark.
struct DelimitedLines {
    struct Line: Equatable {
        /// Counted from 1.
        let number: Int
        let cells: [String]
    }

    let lines: [Line]

    init(_ text: String) throws(LogRefusal) {
        let bytes = Array(text.utf8)
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        let header = body.prefix { $0 != 0x0A }
        let delimiter = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09].max { a, b in
            header.count { $0 == a } < header.count { $0 == b }
        }
        lines = try Self.read(body, delimiter: delimiter ?? UInt8(ascii: ","))
    }

    private static func read(_ bytes: ArraySlice<UInt8>, delimiter: UInt8) throws(LogRefusal) -> [Line] {
        var lines: [Line] = []
        var cells: [String] = []
        var cell: [UInt8] = []
        var (number, begin, isQuoted) = (1, 1, false)
        var index = bytes.startIndex
        func finish() {
            cells.append(String(decoding: cell, as: UTF8.self).trimmed)
            if cells != [""] { lines.append(Line(number: begin, cells: cells)) }
            cells = []
            cell = []
        }
        while index < bytes.endIndex {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") {
                // Two of them inside quotes are one.
                if isQuoted, index < bytes.endIndex, bytes[index] == byte {
                    cell.append(byte)
                    index += 1
                } else {
                    isQuoted.toggle()
                }
            } else if isQuoted {
                if byte == 0x0A { number += 1 }
                cell.append(byte)
            } else if byte == delimiter {
                cells.append(String(decoding: cell, as: UTF8.self).trimmed)
                cell = []
            } else if byte == 0x0A {
                finish()
                number += 1
                begin = number
            } else if byte != 0x0D {
                cell.append(byte)
            }
        }
        guard !isQuoted else { throw LogRefusal("line \(begin): a quotation mark is not closed") }
        finish()
        return lines
    }
}

extension StringProtocol {
    /// The text without blanks at either end.
    var trimmed: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
        while rest.last?.isWhitespace == true { rest = rest.dropLast() }
        return String(rest)
    }

    /// Only lower-case letters and digits, so that `On-Time`, `on time` and `on_time` are the same word.
    var folded: String { lowercased().filter { $0.isLetter || $0.isNumber } }
}
