import Foundation
import Testing

@testable import ScreenPlan

@Suite("How large letters are")
struct LetterSizesTests {
    private func page(_ diagonal: Double, _ distance: Double, margin: Double = 3) -> PageSettings {
        var page = PageSettings()
        (page.diagonal, page.distance, page.margin) = (diagonal, distance, margin)
        return page
    }

    @Test("Twelve metres before 55 inches, each part has the millimetres that it needs")
    func goal() throws {
        let legibility = try #require(Legibility(page(55, 12)))
        #expect(legibility.layout == .next && legibility.tooSmall.isEmpty)
        for reach in legibility.parts {
            #expect(reach.millimetres >= (reach.part == .labels ? 48 : 60), "\(reach)")
            #expect(reach.metres >= 12, "\(reach)")
        }
    }

    @Test(
        "What is left out is left out before letters are too small, and nothing before that",
        arguments: ScreenShape.allCases)
    func chosen(_ shape: ScreenShape) {
        for diagonal in stride(from: 20.0, through: 100, by: 5) {
            var last = -1
            for distance in stride(from: 1.0, through: 25, by: 0.5) {
                let page = page(diagonal, distance)
                let sizes = LetterSizes.chosen(shape, page)
                let all = LetterSizes.all(shape, .iqama)
                let index = all.firstIndex(of: sizes) ?? -1
                #expect(index >= last, "from farther away there is never more")
                last = index
                for larger in all[..<index] {
                    #expect(
                        LetterSizes.Part.allCases.contains {
                            larger.metres($0, shape, diagonal: diagonal) < distance
                        }, "\(larger.layout) would have been readable at \(distance) m")
                }
            }
            #expect(LetterSizes.chosen(shape, page(diagonal, 0)).layout == .full)
        }
    }

    @Test("Each layout has larger letters than the one before, and an iqama that is not the smaller one")
    func order() {
        for shape in ScreenShape.allCases {
            let all = LetterSizes.all(shape, .iqama)
            #expect(all.allSatisfy { $0.iqama >= $0.time })
            for (one, next) in zip(all, all.dropFirst()) {
                #expect(
                    min(one.name, one.label, one.time, one.iqama)
                        < min(next.name, next.label, next.time, next.iqama))
            }
            let adhan = LetterSizes.all(shape, .adhan)[0]
            #expect(adhan.time > adhan.iqama)
        }
    }

    @Test("A wide margin makes letters smaller, and says so")
    func margin() throws {
        let usual = try #require(Legibility(page(55, 0)))
        let wide = try #require(Legibility(page(55, 0, margin: 10)))
        #expect(wide.parts[0].millimetres < usual.parts[0].millimetres * 0.86)
        #expect(Legibility(page(0, 10)) == nil)
    }

    @Test("A screen that is too far away says which parts, and from where they can be read")
    func tooSmall() throws {
        let far = try #require(Legibility(page(32, 15)))
        #expect(far.layout == .next && !far.tooSmall.isEmpty)
        #expect(Legibility.text([far.parts[2]]) == "times \(far.parts[2].metres) m")
    }

    /// Of a table that render.py has measured: no line of it may promise more than what the page is reported, or less than is needed.
    @Test("The documented cap heights are those of the layout that is chosen")
    func documented() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/DISPLAY.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| 43\"") || $0.hasPrefix("| 55\"") }
        #expect(rows.count == 9)
        for row in rows {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            var settings = PageSettings()
            settings.diagonal = try #require(Double(cells[0].dropLast()))
            settings.distance = Double(cells[1].prefix { $0.isNumber }) ?? 0
            let sizes = LetterSizes.chosen(.wide, settings)
            #expect(cells[2] == "`\(sizes.layout.rawValue)`", "\(row)")
            for (cell, part) in zip(cells[3...], LetterSizes.Part.allCases) {
                let measured = try #require(Double(cell.prefix { $0.isNumber }))
                let stated = sizes.millimetres(part, .wide, diagonal: settings.diagonal)
                #expect(measured <= stated + 0.5, "\(part) of \(row)")
                let isReached = sizes.metres(part, .wide, diagonal: settings.diagonal) >= settings.distance
                let needed = part.millimetresPerMetre * settings.distance
                #expect(!isReached || measured >= needed - 0.5, "\(part) of \(row)")
            }
        }
    }
}
