import ScreenPlan
import Testing

struct PictureHeadTests {
    private func head(_ bytes: [UInt8]) -> PictureHead? {
        PictureHead { offset, count in Array(bytes.dropFirst(offset).prefix(count)) }
    }

    private static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        + [0, 0, 0x07, 0x80, 0, 0, 0x04, 0x38, 8, 2, 0, 0, 0]

    /// A camera's: a comment of many bytes, tables, then the size.
    private static let jpeg: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE1, 0x03, 0xEA] + [UInt8](repeating: 0xFF, count: 1000)
        + [0xFF, 0xFF, 0xC4, 0, 4, 1, 2, 0xFF, 0xC2, 0, 17, 8, 0x04, 0x38, 0x07, 0x80, 3]

    private static func webp(_ kind: String, _ rest: [UInt8]) -> [UInt8] {
        let size: [UInt8] = [0, 0, 0, 0]
        return [Array("RIFF".utf8), size, Array("WEBP".utf8), Array(kind.utf8), size, rest].flatMap { $0 }
    }

    @Test(
        "The head of each kind of picture gives its type and size",
        arguments: [
            (png, "image/png"), (jpeg, "image/jpeg"),
            (Array("GIF89a".utf8) + [0x80, 7, 0x38, 4, 0, 0], "image/gif"),
            (webp("VP8X", [0, 0, 0, 0, 0x7F, 7, 0, 0x37, 4, 0]), "image/webp"),
            (webp("VP8 ", [0, 0, 0, 0x9D, 1, 0x2A, 0x80, 0x47, 0x38, 0x44]), "image/webp"),
            (webp("VP8L", [0x2F, 0x7F, 0xC7, 0x0D, 0x01, 0, 0, 0, 0, 0]), "image/webp"),
        ])
    func everyKindSaysHowLargeItIs(_ bytes: [UInt8], _ type: String) throws {
        let found = try #require(head(bytes))
        #expect(found.type == type && found.width == 1920 && found.height == 1080, "\(found)")
        #expect(found.isShowable)
    }

    @Test("A file that is no picture, or one that is too large, is not shown")
    func whatIsNoPictureOrTooLargeIsNotShown() {
        #expect(head([]) == nil)
        #expect(head(Array("<svg onload=alert(1)>".utf8)) == nil)
        #expect(head(Array(Self.png.prefix(20))) == nil)
        // Segments that lead beyond the end, or nowhere.
        #expect(head([0xFF, 0xD8, 0xFF, 0xE1, 0xFF, 0xFF]) == nil)
        #expect(head([0xFF, 0xD8] + [UInt8](repeating: 0xFF, count: 4000)) == nil)
        #expect(head([0xFF, 0xD8, 0xFF, 0xDA, 0, 8, 0, 0, 0, 0, 0, 0]) == nil)
        var bomb = Self.png
        bomb.replaceSubrange(16..<24, with: [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30])
        #expect(head(bomb)?.isShowable == false)
        var none = Self.png
        none.replaceSubrange(16..<20, with: [0, 0, 0, 0])
        #expect(head(none)?.isShowable == false)
        var negative = Self.png
        negative.replaceSubrange(16..<24, with: [UInt8](repeating: 0xFF, count: 8))
        #expect(head(negative)?.isShowable == false)
    }
}
