internal import Glibc
internal import Host

/// An action of the shell that failed, in one sentence for a person.
enum ShellError: Error {
    case file(FileError)
    case socket(SocketError)
    /// An object that is not a file: a clock, a watch.
    case system(operation: String, code: Int32)
    /// Another adhand uses the same state or socket.
    case secondInstance(String)

    /// `code` is the system's error number, by default that of the call just made.
    static func file(_ operation: String, _ path: String, _ code: Int32 = errno) -> ShellError {
        .file(FileError(operation, path, code: code))
    }

    var message: String {
        switch self {
        case .file(let error): error.message
        case .socket(let error): error.message
        case .system(let operation, let code): "cannot \(operation): \(SystemError.text(code))"
        case .secondInstance(let sentence): sentence
        }
    }
}
