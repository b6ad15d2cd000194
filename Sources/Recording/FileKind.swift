/// Recognises, from its first bytes, a file that is certainly not MP3, whatever its name is.
///
/// Signatures are those of the formats' own specifications; only kinds that people really rename to `.mp3` are listed.
package enum FileKind {
    private static let signatures: [(offset: Int, bytes: [UInt8], kind: String)] = [
        (0, Array("fLaC".utf8), "a FLAC file"),
        (4, Array("ftyp".utf8), "an MP4/M4A (AAC) file"),
        (0, Array("FORM".utf8), "an AIFF file"),
        (0, [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], "a Windows Media (WMA) file"),
        (0, [0x1A, 0x45, 0xDF, 0xA3], "a Matroska/WebM file"),
        (0, Array("wvpk".utf8), "a WavPack file"),
        (0, Array("MAC ".utf8), "a Monkey's Audio file"),
        (0, Array("#!AMR".utf8), "an AMR file"),
        (0, Array(".snd".utf8), "a Sun AU file"),
        (0, Array("caff".utf8), "a Core Audio file"),
        (0, [0x0B, 0x77], "an AC-3 file"),
        (0, Array("MThd".utf8), "a MIDI file"),
        (0, Array("%PDF".utf8), "a PDF document"),
        (0, Array("PK\u{3}\u{4}".utf8), "a ZIP archive"),
        (0, [0x1F, 0x8B], "a gzip archive"),
        (0, [0xFF, 0xD8, 0xFF], "a JPEG picture"),
        (0, [0x89, 0x50, 0x4E, 0x47], "a PNG picture"),
        (0, Array("<!DO".utf8), "a web page"), (0, Array("<!do".utf8), "a web page"),
        (0, Array("<htm".utf8), "a web page"), (0, Array("<HTM".utf8), "a web page"),
    ]

    /// - Parameter head: the first bytes of the file (after any ID3v2 tag); a few hundred at most are examined.
    /// - Returns: the kind of file, with its article, or nil where it may be MP3.
    package static func foreign(_ head: [UInt8]) -> String? {
        if starts(head, 0, Array("OggS".utf8)) { return ogg(head) }
        if starts(head, 0, Array("RIFF".utf8)) { return riff(head) }
        for entry in signatures where starts(head, entry.offset, entry.bytes) { return entry.kind }
        if isADTS(head) { return "an AAC (ADTS) file" }
        return isText(head) ? "a text file" : nil
    }

    /// Whether a kind that `foreign` returns contains no sound at all, so that no converter makes MP3 of it.
    package static func isSoundless(_ kind: String) -> Bool { soundless.contains(kind) }

    private static let soundless: Set = [
        "a MIDI file", "a PDF document", "a ZIP archive", "a gzip archive", "a JPEG picture", "a PNG picture",
        "a web page", "a text file", "a RIFF file that is not audio",
    ]

    /// Whether the bytes are UTF-8 without control characters that no text has. An MPEG frame begins with a byte that UTF-8 never
    /// uses.
    private static func isText(_ head: [UInt8]) -> Bool {
        // The head may end in the middle of a character of up to four bytes.
        let whole = (0...3).lazy.compactMap { String(validating: head.dropLast($0), as: UTF8.self) }.first
        guard let whole, !whole.isEmpty else { return false }
        return whole.utf8.allSatisfy { $0 >= 0x20 || 0x09...0x0D ~= $0 }
    }

    private static func starts(_ head: [UInt8], _ offset: Int, _ bytes: [UInt8]) -> Bool {
        head.count >= offset + bytes.count && head[offset..<offset + bytes.count].elementsEqual(bytes)
    }

    /// The kind of an Ogg file. Its first page has one segment here: header 27 bytes, segment table 1 byte, then the codec's own
    /// magic.
    private static func ogg(_ head: [UInt8]) -> String {
        if starts(head, 28, Array("OpusHead".utf8)) { return "an Ogg Opus file" }
        if starts(head, 29, Array("vorbis".utf8)) { return "an Ogg Vorbis file" }
        if starts(head, 29, Array("FLAC".utf8)) { return "an Ogg FLAC file" }
        return "an Ogg file"
    }

    /// The kind of a RIFF file. It may contain MP3 frames (format tag 0x0055); then libmpg123 finds them. Any other is a WAV or
    /// no audio.
    private static func riff(_ head: [UInt8]) -> String? {
        guard starts(head, 8, Array("WAVE".utf8)) else { return "a RIFF file that is not audio" }
        guard starts(head, 12, Array("fmt ".utf8)), head.count >= 22 else { return "a WAV file" }
        let tag = Int(head[20]) | Int(head[21]) << 8
        return tag == 0x55 ? nil : "a WAV file"
    }

    /// Whether the file is ADTS, which shares MPEG audio's sync word but has layer bits 00, which no MPEG layer uses. A second
    /// header at the first one's length makes it certain.
    private static func isADTS(_ head: [UInt8]) -> Bool {
        guard head.count >= 7, head[0] == 0xFF, head[1] & 0xF6 == 0xF0 else { return false }
        let length = Int(head[3] & 0x03) << 11 | Int(head[4]) << 3 | Int(head[5]) >> 5
        guard length >= 7 else { return false }
        guard head.count > length + 1 else { return true }
        return head[length] == 0xFF && head[length + 1] & 0xF6 == 0xF0
    }
}
