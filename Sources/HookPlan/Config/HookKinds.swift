import Protocol
import Settings
import Texts

/// Kinds of text in hooks.toml.
enum HookKinds {
    /// A word of a command; an argument may be empty.
    static let word = TextKind.Other(
        allowed: "a text of at most 1000 bytes without control characters",
        plural: "texts: the program's absolute path, and its arguments"
    ) { text in
        let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        return isPlain && text.utf8.count <= 1000 ? nil : .init()
    }

    /// A device file.
    static let device = TextKind.Other(
        allowed: "an absolute path, such as \"/dev/gpiochip0\"", plural: "absolute paths"
    ) { text in
        let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        return isPlain && text.hasPrefix("/") && !text.hasSuffix("/") && text.utf8.count <= 1000
            ? nil : .init()
    }

    static let key = TextKind.Other(
        allowed: "a key as the kernel calls it, such as \"KEY_PLAYPAUSE\"", plural: "names of keys"
    ) { text in
        guard KeyNames.code(text) == nil else { return nil }
        return .init(hint: NearestName.of(text, among: KeyNames.all).map { "\"\($0)\"" })
    }

    static let action = TextKind.Other(
        allowed: "one of " + ButtonAction.words.map { "\"\($0)\"" }.joined(separator: ", "),
        plural: "of those"
    ) { text in
        guard ButtonAction(text) == nil else { return nil }
        if text.hasPrefix("mute:") { return .init(because: "a mute is 1m to 12h") }
        return .init(hint: NearestName.of(text, among: ButtonAction.words).map { "\"\($0)\"" })
    }

    static let press = TextKind.Other(
        allowed: "seconds from 0.5s to 10s, such as \"1.5s\"", plural: "seconds"
    ) { PressText.parse($0) == nil ? .init() : nil }

    static let event = words(HookEvent.allCases.map(\.rawValue))
    static let prayer = words(Prayer.allCases.map(\.rawValue))
    static let occasion = words(OccasionDocument.Kind.allCases.map(\.rawValue))

    private static func words(_ names: [String]) -> TextKind.Other {
        let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
        return .init(allowed: "one of \(list)", plural: "of \(list)") { text in
            names.contains(text) ? nil : .init(hint: NearestName.of(text, among: names).map { "\"\($0)\"" })
        }
    }

    /// Why a command cannot be run; `nil` if its path is valid. Whether the file exists is checked when it is run.
    static func fault(_ command: [String]) -> String? {
        guard let program = command.first, !program.isEmpty else {
            return "names no program; write its absolute path, such as [\"/usr/local/lib/adhand/lights\"]"
        }
        guard program.hasPrefix("/"), !program.hasSuffix("/"), program.utf8.count <= 1000 else {
            let isLine = program.hasPrefix("/") || program.contains(" ")
            return isLine
                ? "begins with a line for a shell, and none is between; write each word by itself"
                : "begins with \"\(program)\", which is no absolute path; write where the program is, such as \"/usr/bin/\(program)\""
        }
        // A file's name may contain spaces, but a shell command line is the likelier mistake.
        if command.count == 1, let space = program.firstIndex(of: " ") {
            let words = program.split(separator: " ").map { "\"\($0)\"" }.joined(separator: ", ")
            return
                "is one text with a space after \"\(program[..<space])\"; no shell is between, so write [\(words)]"
        }
        return nil
    }
}
