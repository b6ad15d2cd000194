/// The decoration of text: colours on a terminal, none in a pipe.
package struct Style: Sendable, Equatable {
    /// Whether colours may be used.
    package let colour: Bool

    package static let plain = Style(colour: false)
    package static let coloured = Style(colour: true)

    package init(colour: Bool) {
        self.colour = colour
    }

    /// The meaning of a piece of text for its reader; the colours follow from that.
    package enum Tone: Sendable {
        case plain, heading, faint, good, caution, alarm
        /// Dark on light, whatever the terminal's own colours are, for cameras.
        case paper

        /// Select Graphic Rendition parameters (ECMA-48, 8.3.117). Only the eight basic colours, which follow the terminal's own
        /// light or dark scheme.
        fileprivate var parameter: String? {
            switch self {
            case .plain: nil
            case .heading: "1"
            case .faint: "2"
            case .good: "32"
            case .caution: "33"
            case .alarm: "31"
            case .paper: "30;47"
            }
        }
    }

    package func callAsFunction(_ text: String, _ tone: Tone) -> String {
        guard colour, let parameter = tone.parameter, !text.isEmpty else { return text }
        return "\u{1B}[\(parameter)m\(text)\u{1B}[0m"
    }

    /// All sequences that a decorated text may contain.
    package static let decorations: [String.UnicodeScalarView] =
        (["0"] + [Tone.heading, .faint, .good, .caution, .alarm, .paper].compactMap(\.parameter))
        .map { "\u{1B}[\($0)m".unicodeScalars }
}
