import Testing

@testable import Recording

@Suite("Kinds of files") struct FileKindTests {
    static let heads: [([UInt8], String?)] = [
        (Array("fLaC\0\0".utf8), "a FLAC file"),
        ([0, 0, 0, 32] + Array("ftypM4A ".utf8), "an MP4/M4A (AAC) file"),
        (Array("caff\0\u{1}".utf8), "a Core Audio file"), ([0x0B, 0x77, 1, 2], "an AC-3 file"),
        (Array("MThd\0\0".utf8), "a MIDI file"), (Array("<html><body>".utf8), "a web page"),
        (Array("<!DOCTYPE html>".utf8), "a web page"),
        (Array("plain words\r\n\tand more\n".utf8), "a text file"),
        (Array("أذان الفجر".utf8), "a text file"), (Array("أذان".utf8.dropLast()), "a text file"),
        ([], nil), ([0xFF, 0xFB, 0x90, 0x64], nil), (Array("TAG".utf8) + [0, 0xFF], nil),
        ([0x41, 0x00], nil),
        (Array("caf\u{E9} ".unicodeScalars.map { UInt8($0.value) }) + [0xFF, 0xFB], nil),
    ]

    @Test("The first bytes tell what is certainly no MP3", arguments: heads.indices)
    func kinds(index: Int) {
        let (head, kind) = Self.heads[index]
        #expect(FileKind.foreign(head) == kind)
    }

    @Test("What holds no sound is distinguished from what a converter can use")
    func soundless() {
        for kind in ["a text file", "a web page", "a PDF document", "a JPEG picture", "a MIDI file"] {
            #expect(FileKind.isSoundless(kind))
        }
        for kind in ["a FLAC file", "an Ogg Vorbis file", "an MP4/M4A (AAC) file", "a Matroska/WebM file"] {
            #expect(!FileKind.isSoundless(kind))
        }
    }
}
