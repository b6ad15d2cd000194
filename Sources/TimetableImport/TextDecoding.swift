import Times

/// Decodes the bytes of a file, whatever program wrote it.
enum TextDecoding {
    static func text(of file: ImportFile) throws(ImportRefusal) -> String {
        let bytes = file.bytes
        guard bytes.count <= PublishedTimetable.mostBytes else {
            throw ImportRefusal(
                "the file is larger than \(PublishedTimetable.mostBytes >> 20) MB; no timetable is",
                file: file.name)
        }
        guard !bytes.isEmpty else { throw ImportRefusal("the file is empty", file: file.name) }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            guard let text = String(validating: bytes.dropFirst(3), as: UTF8.self) else { throw noise(file) }
            return try plain(text, file)
        }
        if bytes.starts(with: [0xFF, 0xFE]) { return try utf16(bytes.dropFirst(2), isLittle: true, file) }
        if bytes.starts(with: [0xFE, 0xFF]) { return try utf16(bytes.dropFirst(2), isLittle: false, file) }
        // UTF-16 without a byte order mark shows itself by zeros: every second byte of digits and commas is zero.
        let head = bytes.prefix(64)
        let zeros = [0, 1].map { side in head.enumerated().count { $0.offset % 2 == side && $0.element == 0 }
        }
        if zeros[1] > head.count / 4, zeros[0] == 0 { return try utf16(bytes[...], isLittle: true, file) }
        if zeros[0] > head.count / 4, zeros[1] == 0 { return try utf16(bytes[...], isLittle: false, file) }
        if let text = String(validating: bytes, as: UTF8.self) { return try plain(text, file) }
        return try plain(windows1252(bytes), file)
    }

    private static func noise(_ file: ImportFile) -> ImportRefusal {
        ImportRefusal(
            "the file is not text; export the table as CSV, or give the JSON that a program offers",
            file: file.name)
    }

    /// Refuses text with bytes that no text contains.
    private static func plain(_ text: String, _ file: ImportFile) throws(ImportRefusal) -> String {
        for byte in text.utf8
        where byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D && byte != 0x0C {
            throw noise(file)
        }
        return text
    }

    private static func utf16(
        _ bytes: ArraySlice<UInt8>, isLittle: Bool, _ file: ImportFile
    ) throws(ImportRefusal) -> String {
        guard bytes.count % 2 == 0 else { throw noise(file) }
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let (a, b) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(isLittle ? b << 8 | a : a << 8 | b)
            index += 2
        }
        guard let text = String(validating: units, as: UTF16.self) else { throw noise(file) }
        return try plain(text, file)
    }

    /// The characters of 0x80 to 0x9F; a hole is a code that the code page leaves open (Unicode's mapping CP1252.TXT).
    private static let upper: [UInt32] = [
        0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
        0x0152,
        0xFFFD, 0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC,
        0x2122,
        0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178,
    ]

    private static func windows1252(_ bytes: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes {
            let value = (0x80...0x9F).contains(byte) ? upper[Int(byte) - 0x80] : UInt32(byte)
            text.append(Unicode.Scalar(value) ?? "\u{FFFD}")
        }
        return String(text)
    }
}
