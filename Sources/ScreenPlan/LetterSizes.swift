/// The shapes of screens; the page determines its own.
package enum ScreenShape: String, Sendable, Codable, CaseIterable {
    /// 16:9 and the like.
    case wide
    /// 4:3 and the like.
    case square
    /// Upright, 9:16.
    case tall

    /// Millimetres of one unit of the page's sizes, for each inch of the diagonal. The page scales with its height, an upright
    /// one with its width; see `measure` in display.js.
    var millimetresPerInch: Double {
        switch self {
        case .wide: 25.4 * 9 / 337.0.squareRoot() / 100
        case .square: 25.4 * 3 / 5 / 100
        case .tall: 25.4 * 9 / 337.0.squareRoot() / 75
        }
    }
}

/// The sizes of the board's parts, and the parts that are left out for them: font sizes in units of the page.
package struct LetterSizes: Sendable, Codable, Equatable {
    /// The layouts from the most detailed one to the one that is readable from the farthest place.
    package enum Layout: String, Sendable, Codable, CaseIterable {
        /// Everything.
        case full
        /// A table of the five prayers, without seconds, second names, sunrise and bismillah.
        case rows
        /// The next prayer alone, with its iqama.
        case next
    }

    package enum Part: String, Sendable, Codable, CaseIterable {
        case clock, names, times, iqama, labels

        /// Millimetres of cap height that each metre of distance needs.
        package var millimetresPerMetre: Double { self == .labels ? 4 : 5 }
    }

    package let layout: Layout
    package let clock: Double
    package let name: Double
    package let label: Double
    package let time: Double
    package let iqama: Double

    /// The height of a capital letter, and of a digit, in a font of size 1.
    package static let capHeight = 0.7

    private init(
        _ layout: Layout, clock: Double, name: Double, label: Double, time: Double, iqama: Double
    ) {
        self.layout = layout
        self.clock = clock
        self.name = name
        self.label = label
        self.time = time
        self.iqama = iqama
    }

    /// The layouts for one shape, the most detailed one first.
    package static func all(_ shape: ScreenShape, _ emphasis: Emphasis) -> [LetterSizes] {
        let isIqama = emphasis == .iqama
        switch shape {
        case .wide:
            return [
                LetterSizes(
                    .full, clock: 20, name: 4.2, label: 3.2, time: isIqama ? 6.2 : 7,
                    iqama: isIqama ? 7 : 5.4),
                LetterSizes(.rows, clock: 9.6, name: 9.6, label: 7.7, time: 9.6, iqama: 9.6),
                LetterSizes(.next, clock: 16, name: 16, label: 12.8, time: 18, iqama: 18),
            ]
        case .square:
            return [
                LetterSizes(
                    .full, clock: 15, name: 4, label: 2.8, time: isIqama ? 6 : 6.8,
                    iqama: isIqama ? 6.6 : 5.2),
                LetterSizes(.next, clock: 14, name: 14, label: 11.2, time: 16, iqama: 16),
            ]
        case .tall:
            return [
                LetterSizes(
                    .full, clock: 14, name: 4.6, label: 2.8, time: isIqama ? 6.6 : 7,
                    iqama: isIqama ? 7 : 5.4),
                LetterSizes(.next, clock: 15, name: 11, label: 8.8, time: 16, iqama: 16),
            ]
        }
    }

    /// The most detailed layout that can be read from the configured distance. If none can, the one with the largest letters;
    /// without a distance, the most detailed.
    package static func chosen(_ shape: ScreenShape, _ page: PageSettings) -> LetterSizes {
        let all = all(shape, page.emphasis)
        guard page.diagonal > 0, page.distance > 0 else { return all[0] }
        return all.first { $0.isReadable(shape, diagonal: page.lettersDiagonal, from: page.distance) }
            ?? all[all.count - 1]
    }

    package func size(of part: Part) -> Double {
        switch part {
        case .clock: clock
        case .names: name
        case .times: time
        case .iqama: iqama
        case .labels: label
        }
    }

    /// Millimetres of a capital letter.
    package func millimetres(_ part: Part, _ shape: ScreenShape, diagonal: Double) -> Double {
        size(of: part) * Self.capHeight * shape.millimetresPerInch * diagonal
    }

    /// Metres from which a part can be read.
    package func metres(_ part: Part, _ shape: ScreenShape, diagonal: Double) -> Double {
        millimetres(part, shape, diagonal: diagonal) / part.millimetresPerMetre
    }

    private func isReadable(_ shape: ScreenShape, diagonal: Double, from distance: Double) -> Bool {
        Part.allCases.allSatisfy { metres($0, shape, diagonal: diagonal) >= distance }
    }
}

/// The distance from which each part of a screen can be read.
package struct Legibility: Sendable, Codable, Equatable {
    package struct Reach: Sendable, Codable, Equatable {
        package let part: LetterSizes.Part
        package let millimetres: Double
        package let metres: Double
    }

    package let shape: ScreenShape
    package let layout: LetterSizes.Layout
    package let distance: Double
    package let parts: [Reach]

    /// Computes the distances; `nil` where the size of the screen is not set.
    package init?(_ page: PageSettings, shape: ScreenShape = .wide) {
        guard page.diagonal > 0 else { return nil }
        let sizes = LetterSizes.chosen(shape, page)
        let diagonal = page.lettersDiagonal
        self.shape = shape
        layout = sizes.layout
        distance = page.distance
        // Round down, so that the text is readable from the stated distance.
        func floored(_ value: Double) -> Double { (value * 10).rounded(.down) / 10 }
        parts = LetterSizes.Part.allCases.map {
            Reach(
                part: $0, millimetres: floored(sizes.millimetres($0, shape, diagonal: diagonal)),
                metres: floored(sizes.metres($0, shape, diagonal: diagonal)))
        }
    }

    /// The parts that cannot be read from the configured distance.
    package var tooSmall: [Reach] { parts.filter { $0.metres + 0.1 <= distance } }

    /// `clock 14.6 m, names 3.0 m, times 4.5 m`
    package static func text(_ parts: [Reach]) -> String {
        parts.map { "\($0.part.rawValue) \($0.metres) m" }.joined(separator: ", ")
    }
}
