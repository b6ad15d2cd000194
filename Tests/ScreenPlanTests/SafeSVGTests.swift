import Testing

@testable import ScreenPlan

@Suite("A mosque's logo as a drawing")
struct SafeSVGTests {
    private static let begin =
        "<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 10 10\">"

    @Test(
        "What only draws is shown",
        arguments: [
            "<path d=\"M0 0h9\" fill=\"#c00\"/>",
            "<defs><linearGradient id=\"a\"><stop/></linearGradient></defs><rect fill=\"url(#a)\" width=\"9\" height=\"9\"/>",
            "<use href=\"#a\"/><use xlink:href='#a'/>", "<style>.a{fill:red;clip-path:url('#b')}</style>",
            "<title>Mosque on the hill</title>",
        ])
    func safe(_ body: String) {
        #expect(SafeSVG.isSafe(Array((Self.begin + body + "</svg>").utf8)))
    }

    @Test(
        "What could run, load or grow is refused",
        arguments: [
            "<script>alert(1)</script>", "<SCRIPT href=\"a.js\"/>", "<svg:script/>",
            "<g onload=\"alert(1)\"/>",
            "<g\nONCLICK = 'x'/>", "<use href=\"http://example.org/a.svg#b\"/>",
            "<use xlink:href = \"other.svg\"/>",
            "<a href=\"javascript:alert(1)\"/>", "<a href=\"&#106;avascript:x\"/>", "<image href=\"a.png\"/>",
            "<foreignObject/>", "<rect fill=\"url(http://example.org/a)\"/>",
            "<rect style=\"fill:URL( 'a.svg#b')\"/>",
            "<style>@import 'a.css'</style>", "<style>@\\69mport 'a.css'</style>",
            "<set attributeName=\"href\" to=\"x\"/>",
        ])
    func unsafe(_ body: String) {
        #expect(!SafeSVG.isSafe(Array((Self.begin + body + "</svg>").utf8)))
    }

    @Test("So are entities, other encodings, what is too large and what is no drawing")
    func forms() {
        let drawing = Self.begin + "</svg>"
        #expect(SafeSVG.isSafe(Array(drawing.utf8)))
        #expect(!SafeSVG.isSafe(Array(("<!DOCTYPE svg [<!ENTITY a \"b\">]>" + drawing).utf8)))
        #expect(!SafeSVG.isSafe(Array(("<?xml-stylesheet href=\"#a\"?>" + drawing).utf8)))
        #expect(!SafeSVG.isSafe(drawing.utf8.flatMap { [$0, 0] }))
        #expect(!SafeSVG.isSafe([0xFF, 0xFE] + Array(drawing.utf8)))
        #expect(!SafeSVG.isSafe(Array((drawing + String(repeating: " ", count: SafeSVG.mostBytes)).utf8)))
        #expect(!SafeSVG.isSafe(Array("<html></html>".utf8)))
    }
}
