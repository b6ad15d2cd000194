internal import Glibc
import Texts

/// Why an operation on a file failed.
package struct FileError: Error, Sendable, Equatable {
    /// The operation: "read", "create" …
    package let operation: String
    package let path: String
    /// The system's error number; 0 when the reason is ours.
    package let code: Int32
    package let reason: String

    package init(_ operation: String, _ path: String, code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
        reason = SystemError.text(code)
    }

    package init(_ operation: String, _ path: String, reason: String) {
        self.operation = operation
        self.path = path
        code = 0
        self.reason = reason
    }

    /// Whether there is nothing at the path.
    package var isMissing: Bool { code == ENOENT || code == ENOTDIR }

    /// `cannot read "/etc/adhand/adhand.toml": Permission denied`
    package var message: String { "cannot \(operation) \"\(PlainText.visible(path))\": \(reason)" }
}

/// Errors of the system in words.
package enum SystemError {
    /// The system's text for an error number: "Permission denied".
    package static func text(_ code: Int32) -> String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}
