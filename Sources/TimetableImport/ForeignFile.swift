/// Recognises, by their first bytes, files with timetables that adhand cannot read; has advice for each.
enum ForeignFile {
    static func refusal(of file: ImportFile) -> ImportRefusal? {
        let head = file.bytes.prefix(64)
        for (start, offset, words) in known where head.dropFirst(offset).starts(with: start) {
            return ImportRefusal(words, file: file.name)
        }
        let text = Array(head.drop { $0 <= 0x20 || $0 >= 0x80 })
        let isMarkup = ["<!doc", "<html", "<?xml", "<table"].contains { word in
            text.count >= word.utf8.count
                && String(decoding: text.prefix(word.utf8.count), as: UTF8.self).lowercased() == word
        }
        return isMarkup ? ImportRefusal(webPage, file: file.name) : nil
    }

    /// The refusal of a workbook or a document, which are zip archives recognised by their entries.
    static func refusal(ofArchive names: [String], file: String) -> ImportRefusal? {
        func has(_ start: String) -> Bool { names.contains { $0.hasPrefix(start) } }
        if has("xl/") || has("content.xml") || has("Index/") { return ImportRefusal(workbook, file: file) }
        return has("word/") ? ImportRefusal(document, file: file) : nil
    }

    private static let workbook =
        "this is a spreadsheet's own file; open it, save its sheet as CSV, and import that"
    private static let document =
        "this is a text document; copy its table into a spreadsheet, save that as CSV, and import it"
    private static let webPage =
        "this is a web page, not a table; look on it for a CSV or JSON file, or copy its table into a spreadsheet and save that as CSV"
    private static let picture =
        "this is a picture, out of which no times are read; ask whoever made it for the table as CSV"
    private static let packed = "it is packed; unpack it first, or pack it as zip"

    private static let known: [(start: [UInt8], offset: Int, words: String)] = [
        (
            Array("%PDF".utf8), 0,
            "this is a PDF, out of which no times are read; ask whoever made it for the table as CSV, or copy it into a spreadsheet"
        ),
        ([0xD0, 0xCF, 0x11, 0xE0], 0, workbook),
        (Array("{\\rtf".utf8), 0, document),
        ([0x89, 0x50, 0x4E, 0x47], 0, picture), ([0xFF, 0xD8, 0xFF], 0, picture),
        (Array("GIF8".utf8), 0, picture), (Array("WEBP".utf8), 8, picture), (Array("ftyp".utf8), 4, picture),
        ([0x1F, 0x8B], 0, packed), (Array("Rar!".utf8), 0, packed), ([0x37, 0x7A, 0xBC, 0xAF], 0, packed),
    ]
}
