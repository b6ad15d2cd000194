import CommandKit
import Glibc
import Host

extension CommandError {
    /// Makes the error of a file that cannot be read or changed; if only permission is missing, with the command that has it.
    init(_ error: FileError) {
        guard error.code == EACCES || error.code == EPERM else {
            self.init(.failed, error.message)
            return
        }
        self.init(.notPermitted, "\(error.message); run \"\(Self.asRoot)\"")
    }

    /// The present command with root's rights.
    static var asRoot: String {
        let command = CommandLine.arguments.dropFirst().map(Self.quoted).joined(separator: " ")
        return "sudo adhanctl \(command)"
    }

    /// The word quoted for a shell.
    private static func quoted(_ word: String) -> String {
        let plain = word.utf8.allSatisfy {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 > 127 || "-_./=,:+".utf8.contains($0)
        }
        return plain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
