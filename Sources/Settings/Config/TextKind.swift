import Texts

/// The kinds of text a key can hold.
package enum TextKind: Sendable {
    case zone, label, group, sound, device
    /// A kind that its reader defines.
    case other(Other)

    /// A kind of text that only its reader knows.
    package struct Other: Sendable {
        let allowed: String
        let plural: String
        /// Whether it may have several lines.
        let hasLines: Bool
        /// Whether a list of these texts may be empty.
        let mayBeNone: Bool
        let fault: @Sendable (String) -> Fault?

        /// - Parameters:
        ///   - allowed: completes "KEY must be …".
        ///   - plural: completes "a list of 1 to 16 …".
        ///   - fault: why a text is not of this kind; `nil` when it is.
        package init(
            allowed: String, plural: String = "texts", hasLines: Bool = false, mayBeNone: Bool = false,
            fault: @escaping @Sendable (String) -> Fault?
        ) {
            self.allowed = allowed
            self.plural = plural
            self.hasLines = hasLines
            self.mayBeNone = mayBeNone
            self.fault = fault
        }

        /// A name that distinguishes the programs, relays or destinations of a file.
        package static let name = Other(
            allowed: "a name of a to z, 0 to 9 and -, at most 32", plural: "names"
        ) { text in
            let letters = text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"):
                    true
                default: false
                }
            }
            return letters && (1...32).contains(text.utf8.count) ? nil : Fault()
        }
    }

    /// - Parameter example: an example of such a name.
    package static func hostName(_ example: String) -> TextKind {
        .other(
            Other(allowed: "a host's name such as \(TOMLEscapes.quote(example))", plural: "names") {
                AddressText.isHostName($0) ? nil : Fault()
            })
    }

    var isSound: Bool { if case .sound = self { true } else { false } }

    /// Completes "KEY must be …".
    package var allowed: String {
        switch self {
        case .zone: "a time zone's name such as \"Europe/Berlin\""
        case .label: "a text of 1 to \(Self.longestLabel) characters"
        case .group: "a group's name such as \"adhan\""
        case .sound: "a sound's name, an absolute path or \"silent\""
        case .device: "an ALSA device's name such as \"default\" or \"hw:1,0\""
        case .other(let kind): kind.allowed
        }
    }

    /// Completes "a list of 1 to 16 …".
    var plural: String {
        switch self {
        case .zone: "time zones"
        case .label: "texts"
        case .group: "groups"
        case .sound: "such sounds"
        case .device: "ALSA device names such as [\"default\", \"hw:1,0\"]"
        case .other(let kind): kind.plural
        }
    }

    var mayBeNone: Bool { if case .other(let kind) = self { kind.mayBeNone } else { false } }

    /// The probable intention of an empty list.
    var insteadOfNothing: String? { isSound ? "\"silent\"" : nil }

    private static let longestLabel = 100
    /// Linux refuses longer file names and paths (NAME_MAX and PATH_MAX of <linux/limits.h>); a sound's name still gets ".mp3"
    /// appended.
    private static let longestName = 250
    private static let longestPath = 4095

    package struct Fault: Equatable, Sendable {
        /// The reason, if the sentence about allowed values does not give it.
        var because: String?
        /// The probable intention, in TOML.
        var hint: String?

        package init(because: String? = nil, hint: String? = nil) {
            self.because = because
            self.hint = hint
        }
    }

    /// Why `text` is not of this kind; `nil` when it is.
    package func fault(in text: String) -> Fault? {
        let hasLines = if case .other(let kind) = self { kind.hasLines } else { false }
        if text.unicodeScalars.contains(where: {
            ($0.value < 0x20 || $0.value == 0x7F) && !(hasLines && $0 == "\n")
        }) {
            return Fault(because: "it contains a control character")
        }
        return switch self {
        case .zone: Self.zoneFault(text)
        case .label: (1...Self.longestLabel).contains(text.count) ? nil : Fault()
        case .group: Self.groupFault(text)
        case .sound: text.hasPrefix("/") ? Self.pathFault(text) : Self.nameFault(text)
        case .device:
            text.isEmpty || text.utf8.count > Self.longestName || text.hasPrefix(" ") ? Fault() : nil
        case .other(let kind): kind.fault(text)
        }
    }

    private static func zoneFault(_ text: String) -> Fault? {
        if ZonePlaces.isName(text) { return nil }
        let underscored = text.replacing(" ", with: "_")
        let repaired = underscored != text && text.contains("/") && zoneFault(underscored) == nil
        let isCity =
            !text.isEmpty && !text.contains("/") && text.allSatisfy { $0.isLetter || " _-".contains($0) }
        return Fault(
            because: isCity ? "the name of an area and a slash stand before the city's" : nil,
            hint: repaired ? TOMLEscapes.quote(underscored) : nil)
    }

    private static func groupFault(_ text: String) -> Fault? {
        guard let first = text.utf8.first, isWord(first), first != UInt8(ascii: "-"), text.utf8.count <= 32,
            text.utf8.allSatisfy({ isWord($0) || $0 == UInt8(ascii: ".") })
        else { return Fault() }
        return nil
    }

    private static func pathFault(_ text: String) -> Fault? {
        if text.utf8.count > longestPath { return Fault(because: "the path is too long") }
        return text.hasSuffix("/") ? Fault(because: "the path ends in a slash") : nil
    }

    private static func nameFault(_ text: String) -> Fault? {
        if text.isEmpty { return Fault(hint: "\"silent\"") }
        if text.hasPrefix("~") { return Fault(because: "\"~\" is not expanded; write the whole path") }
        if text.contains("/") || text.contains("\\") { return Fault(because: "a path must begin with \"/\"") }
        if text.hasPrefix(".") || text.hasPrefix(" ") || text.hasSuffix(" ") { return Fault() }
        if text.utf8.count > longestName { return Fault(because: "the name is too long") }
        guard text.lowercased().hasSuffix(".mp3") else { return nil }
        return Fault(
            because: "a name is written without \".mp3\"", hint: TOMLEscapes.quote(String(text.dropLast(4))))
    }

    static func isWord(_ byte: UInt8) -> Bool { ZonePlaces.isWord(byte) }
}
