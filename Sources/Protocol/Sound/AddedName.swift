import Settings
import Texts

/// The name of an added sound: one folder among the added sounds, therefore only letters, digits, "-" and "_" of any script. (A
/// sound that was copied by hand may have another name: see ``SoundName``.)
package struct AddedName: Sendable, Equatable {
    package let text: String

    /// The most characters, and bytes of UTF-8: a folder's name has at most 255 (NAME_MAX of <linux/limits.h>).
    package static let (longest, mostBytes) = (64, 240)

    /// - Throws: why it is not a valid name, as a sentence.
    package init(_ text: String) throws(AddedNameError) {
        guard !text.isEmpty else { throw AddedNameError(text, "a sound's name cannot be empty") }
        guard text != AdhanSettings.silent else {
            throw AddedNameError(text, "\"silent\" stands for no sound at all; choose another name")
        }
        guard text.count <= Self.longest, text.utf8.count <= Self.mostBytes else {
            throw AddedNameError(text, "a sound's name has at most \(Self.longest) characters")
        }
        guard text.unicodeScalars.allSatisfy(Self.isAllowed), let first = text.unicodeScalars.first,
            Self.isBeginning(first)
        else {
            throw AddedNameError(
                text,
                "a sound's name has letters, digits, \"-\" and \"_\", and begins with a letter or a digit")
        }
        self.text = text
    }

    /// The name that a file suggests, such as `adhan-madinah` for `/home/u/Adhan Madinah.mp3`; nil where no part of its own name
    /// can be used.
    package static func suggested(by path: String) -> AddedName? {
        let file = path.split(separator: "/").last.map(String.init) ?? ""
        let stem = file.lastIndex(of: ".").map { $0 > file.startIndex ? String(file[..<$0]) : file } ?? file
        var name = ""
        for character in stem.lowercased() {
            if character.unicodeScalars.allSatisfy(isAllowed) {
                if name.isEmpty, let first = character.unicodeScalars.first, !isBeginning(first) { continue }
                name.append(character)
            } else if !name.isEmpty, name.last != "-" {
                name += "-"
            }
        }
        while name.count > longest || name.utf8.count > mostBytes { name.removeLast() }
        while let last = name.last, last == "-" || last == "_" { name.removeLast() }
        return try? AddedName(name)
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        isBeginning(scalar) || scalar == "-" || scalar == "_" || isMark(scalar)
    }

    private static func isBeginning(_ scalar: Unicode.Scalar) -> Bool {
        (scalar.properties.isAlphabetic && !isMark(scalar))
            || scalar.properties.generalCategory == .decimalNumber
    }

    /// Whether a scalar is an accent or vowel sign, which follows its letter.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        [.nonspacingMark, .spacingMark].contains(scalar.properties.generalCategory)
    }
}

/// Why a text cannot be an added sound's name.
package struct AddedNameError: Error, Sendable, Equatable {
    package let message: String

    init(_ text: String, _ reason: String) {
        // The sentence stays on one line, whatever was typed.
        let shown = String(
            String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.isPrintable }.prefix(80)))
        message = "cannot use \"\(shown)\" as a name: \(reason)"
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isPrintable: Bool {
        ![.control, .format, .lineSeparator, .paragraphSeparator, .surrogate].contains(generalCategory)
    }
}
