import SeededRandom
import Testing

@testable import PictureImport

@Suite("Pictures of people")
struct PictureImportTests {
    private func code(_ bytes: [UInt8]) -> PictureRefusal.Code? {
        do throws(PictureRefusal) {
            _ = try PictureImport.read(bytes)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("A PNG keeps what draws it, and nothing that tells of its maker")
    func png() throws {
        let notes: [(String, [UInt8])] = [
            ("tEXt", Array("Author\0somebody".utf8)), ("eXIf", Sample.exif(orientation: 1)),
            ("acTL", [0, 0, 0, 2]),
        ]
        let picture = try PictureImport.read(
            Sample.png(extra: notes, tail: Array("%PDF-1.7 a second file".utf8)))
        #expect(picture == (try PictureImport.read(Sample.png())))
        #expect(picture.bytes == Sample.png())
        #expect(picture.kind == .png && picture.width == 3 && picture.height == 2)
    }

    @Test("A JPEG keeps what draws it, and nothing that tells of its maker")
    func jpeg() throws {
        let adobe: (UInt8, [UInt8]) = (0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1])
        let notes: [(UInt8, [UInt8])] = [
            (0xE1, Sample.exif(orientation: 1)), (0xFE, Array("a comment".utf8)),
            (0xE2, Array("ICC_PROFILE".utf8)),
            adobe,
        ]
        let tail = Array("ID3".utf8) + [UInt8](repeating: 7, count: 100)
        let picture = try PictureImport.read(Sample.jpeg(notes: notes, tail: tail))
        let plain = try PictureImport.read(Sample.jpeg())
        #expect(picture.kind == .jpeg && picture.width == 16 && picture.height == 8)
        #expect(picture.bytes.count == plain.bytes.count + Sample.segment(adobe.0, adobe.1).count)
        #expect(!Sample.text(picture.bytes).contains("Exif") && !Sample.text(picture.bytes).contains("ID3"))
        #expect(try PictureImport.read(picture.bytes) == picture)
        #expect(try PictureImport.read(Sample.jpeg(frame: 0xC2, scans: 10)).bytes.suffix(2) == [0xFF, 0xD9])
    }

    @Test(
        "A picture that its camera only says to be turned is not taken to lie on its side",
        arguments: [UInt8(2), 3, 6, 8])
    func turned(orientation: UInt8) {
        #expect(code(Sample.jpeg(notes: [(0xE1, Sample.exif(orientation: orientation))])) == .turned)
    }

    @Test("Notes that cannot be read are left behind like others")
    func unreadableNotes() {
        for count in 0..<Sample.exif(orientation: 6).count - 6 {
            let cut = Array(Sample.exif(orientation: 6).prefix(count))
            #expect(code(Sample.jpeg(notes: [(0xE1, cut)])) == nil, "\(count) bytes")
        }
    }

    @Test("A picture that is cut anywhere is refused")
    func cut() {
        for whole in [
            Sample.png(), Sample.png(interlaced: true), Sample.jpeg(), Sample.jpeg(frame: 0xC2, scans: 3),
        ] {
            for count in (whole[0] == 0xFF ? 3 : 9)..<whole.count {
                let found = code(Array(whole.prefix(count)))
                #expect(found == .cut, "\(count) of \(whole.count) bytes: \(String(describing: found))")
            }
        }
    }

    @Test("Each other fault has a code of its own")
    func faults() {
        #expect(code([]) == .notAPicture)
        #expect(code(Array("GIF89a, but not for us".utf8)) == .notAPicture)
        #expect(code(Array("<svg onload='alert(1)'/>".utf8)) == .notAPicture)
        #expect(code([UInt8](repeating: 0xFF, count: PictureImport.mostBytes + 1)) == .tooLarge)
        #expect(code(Sample.png(width: 4097)) == .tooManyPixels)
        #expect(code(Sample.jpeg(height: 4097)) == .tooManyPixels)
        #expect(code(Sample.jpeg(width: 0)) == .damaged)
        #expect(code(Sample.png(rows: [UInt8](repeating: 0, count: 19))) == .cut)
        #expect(code(Sample.png(rows: [UInt8](repeating: 0, count: 1 << 20))) == .damaged)
        #expect(code(Sample.png(extra: [("IHDR", [])])) == .damaged)
        #expect(code(Sample.png(extra: [("NEED", [])])) == .unsupported)
        #expect(code(Sample.jpeg(frame: 0xC9)) == .unsupported)
        #expect(code(Sample.jpeg(scans: 51)) == .unsupported)
        var flipped = Sample.png()
        flipped[flipped.count - 20] ^= 1
        #expect(code(flipped) == .damaged)
    }

    @Test(
        "Nothing that damage makes of a picture ends the program, and what is taken is taken again unchanged")
    func damage() throws {
        var random = SplitMix64(seed: 4)
        let wholes = [
            Sample.png(extra: [("tEXt", [1, 2, 3])]),
            Sample.jpeg(notes: [(0xE1, Sample.exif(orientation: 1))]),
        ]
        var taken = 0
        for _ in 0..<20_000 {
            var bytes = wholes[Int.random(in: 0..<wholes.count, using: &random)]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            guard let picture = try? PictureImport.read(bytes) else { continue }
            taken += 1
            #expect(try PictureImport.read(picture.bytes) == picture)
        }
        #expect(taken > 0)
    }
}

extension Sample {
    static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
