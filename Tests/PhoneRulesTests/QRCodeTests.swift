import Foundation
import PhoneRules
import QR
import Testing

@Suite("QR codes")
struct QRCodeTests {
    /// Rows as hexadecimal numbers, made by another encoder (libqrencode 4.1.1).
    static let known: [(text: String, rows: String)] = [
        (
            "adhan",
            """
            1fdc7f 104541 175a5d 174a5d 174f5d 105f41 1fd57f 500 146c25 b8ae9 1ce7bd 91aea b57fb 1805 1fd44d \
            10451a 174449 174ec0 1757b7 1042d8 1fd7c9
            """
        ),
        (
            "http://192.168.1.5:8790/r/pair#00112233445566778899aabbccddeeff",
            """
            1fcd05d17f 1040460241 175db3975d 1755bf0b5d 175442205d 105a844641 1fd555557f 1f602100 17c085fc7c \
            b2eb00922 950857f2f 153550e0d9 3431d7a77 188acaf482 1fdd689669 14b03cd6c0 a6ff08cf7 142b25d102 \
            11557e8767 f31e79419 1d5ebf4b74 1aa302340a 1a79254679 1630b215fb 5dba5fef7 1a2bb08900 17c80dba87 \
            11b2d4e01a 16529c6bf6 138ab51e 1fc7388d5d 10540ee31b 175a309fff 1754a5585e 17563e9289 104523e379 \
            1fd27f4837
            """
        ),
        (
            "http://box.local:8790/r/pair?" + String(repeating: "0123456789abcdef", count: 7),
            """
            1fc7ee8fe917f 1045ad5107741 175bd8d3b435d 175680a48b25d 175003fcf985d 105badc787441 1fd555555557f \
            1b6b45de300 17cb2f7ee977c 16378001ca0e0 966f72e27c0f 159d3009d04bb 1d55caf043184 163e289043272 \
            1cf3263f8dd0f 163634a2528d9 ae8df1a215e4 1c17c0abea2c2 669cd7415c29 121230a17ced3 ccef95a0f547 \
            3224af25a858 1fcbbff055f3 1f11cc45de113 115a6bd621d5f 71a20477011a 13fa257e8fff9 1baf329bf0599 \
            45f847ccfa54 1fad939c6ab20 1962f132957e7 712a35f7201b 117d13488d2b6 d2a8c38c8182 2657ae015fd9 \
            17a0289dbcc01 1af2d5e28b2d7 69e0695e8a28 8f8d9088567f e0474f55a981 1c707bfe613ff 1208c45331a \
            1fcb5e568fd51 105732c7f831a 175f627c0bbf7 1757e8ee7abfd 17517296a64c8 10423c9ff2149 1fd5279045a87
            """
        ),
        (
            String(repeating: "y", count: 200),
            """
            1fd365155555e7f 1041f06ddddda41 175f02689888e5d 174c65ba8aaaa5d 1748641fd55525d 1052b02c4dddc41 \
            1fd55555555557f 1ba9c7777500 146306c7d555425 1904a3a6aaaaaa7 3cf0f162222125 1834a5a777757a \
            a5376335555452 1984233eaaaaaa7 7431feb2222125 4073a7f7777578 e5b464d5555452 1a841026aaaaaa7 \
            4717962222125 5ab125bf77757a fcb49c19555452 1ab51966eaaaaa7 6a1a96e222125 1d8c1d5b477757a \
            7db45c14555452 1a8516669aaaaa7 19fa909fc2221f5 151f5e5c777751a 15899cd5555752 1f14c26c6aaab17 \
            1ffb4097e2221f5 13aebe9df7777da 1c4819dc9555682 824c286aaaa8a4 195bd0516222054 17963e45f7777d8 \
            18481bcf9555683 8202127aaaa8a7 18d7c25e6222055 1016179ff7777da 19cf104c9555682 9a02a66aaaa8a7 \
            9d0cc516222055 81e1f9dc7777da 9ea1b4cf555682 9aa2966aaaa8a7 14d10151e222055 1f2e9c9db7777da \
            6a0f4fd5557f2 1909646aaab17 1fd331d56222355 104d1c94777751a 174acf37d5555f2 1749e93f6aaab74 \
            1753a1a96222157 104d2c3ab7776a8 1fde9f061555621
            """
        ),
    ]

    @Test("Codes of versions 1, 4, 8 and 10 are those of another encoder", arguments: 0..<4)
    func matrices(_ index: Int) throws {
        let (text, rows) = Self.known[index]
        let code = try #require(QRCode(text))
        let lines = (0..<code.size).map { row in
            String((0..<code.size).reduce(UInt64(0)) { $0 << 1 | (code[row, $1] ? 1 : 0) }, radix: 16)
        }
        #expect(lines == rows.split(separator: " ").map(String.init))
    }

    @Test("213 bytes have room, 214 do not, and each length has the smallest code")
    func capacity() {
        let sizes = [
            14: 21, 15: 25, 26: 25, 27: 29, 42: 29, 43: 33, 62: 33, 63: 37, 106: 41, 107: 45, 180: 53,
            181: 57, 213: 57,
        ]
        for (count, size) in sizes {
            #expect(QRCode(String(repeating: "a", count: count))?.size == size, "\(count)")
        }
        #expect(QRCode(String(repeating: "a", count: 214)) == nil && QRCode("")?.size == 21)
        #expect(QRCode(String(repeating: "ع", count: 107)) == nil)
    }

    @Test("A terminal gets two rows in a line, with a quiet zone on every side")
    func text() throws {
        let lines = try #require(QRCode("adhan")).text().split(separator: "\n")
        #expect(lines.count == 15 && lines.allSatisfy { $0.count == 29 })
        #expect(lines[0].allSatisfy { $0 == "█" } && lines[2].hasPrefix("████ ▄▄▄▄▄ "))
        let inverted = try #require(QRCode("adhan")).text(isInverted: true).split(separator: "\n")
        #expect(inverted[0].allSatisfy { $0 == " " } && inverted[2].hasPrefix("    █▀▀▀▀▀█"))
    }

    @Test("The picture has the code's dark modules, a quiet zone and its name")
    func picture() throws {
        let code = try #require(QRCode("adhan"))
        let svg = code.svg(label: "a \"code\"").fragment
        #expect(svg.contains("viewBox=\"0 0 29 29\"") && svg.contains("aria-label=\"a &quot;code&quot;\""))
        let runs = svg.matches(of: /M(\d+) (\d+)h(\d+)/).map {
            (Int($0.1) ?? 0, Int($0.2) ?? 0, Int($0.3) ?? 0)
        }
        let dark = code.modules.count { $0 }
        #expect(runs.reduce(0) { $0 + $1.2 } == dark)
        #expect(
            runs.allSatisfy { (4..<25).contains($0.0) && (4..<25).contains($0.1) && code[$0.1 - 4, $0.0 - 4] }
        )
    }

    /// `zbarimg` reads them: Tests/remote/codes.sh
    @Test(
        "Codes of every length are kept where somebody asks for them",
        .enabled(if: ProcessInfo.processInfo.environment["QR_CODES"] != nil))
    func keep() throws {
        let folder = URL(filePath: ProcessInfo.processInfo.environment["QR_CODES"] ?? "")
        for count in 1...213 {
            let text = String((0..<count).map { Character(UnicodeScalar(UInt8(33 + ($0 * 7 + count) % 90))) })
            let code = try #require(QRCode(text))
            let side = code.size + 8
            var picture = "P1\n\(side * 4) \(side * 4)\n"
            for row in 0..<(side * 4) {
                let line = (0..<(side * 4)).map { column in
                    let (y, x) = (row / 4 - 4, column / 4 - 4)
                    let isInside = (0..<code.size).contains(y) && (0..<code.size).contains(x)
                    return isInside && code[y, x] ? "1" : "0"
                }
                picture += line.joined(separator: " ") + "\n"
            }
            try Data(picture.utf8).write(to: folder.appending(path: "\(count).pbm"))
            try Data(text.utf8).write(to: folder.appending(path: "\(count).txt"))
        }
    }
}
