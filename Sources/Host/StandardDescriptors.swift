internal import Glibc

/// Descriptors 0 to 2, which may be closed when a program starts.
package enum StandardDescriptors {
    /// Opens the closed ones, so that no file opened later is written to as standard error.
    package static func reserve() {
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
            // open(2) returns the lowest free number, which is the missing one. Without /dev/null any file will do.
            if unsafe open("/dev/null", O_RDWR) < 0 { _ = unsafe open("/", O_RDONLY) }
        }
    }
}

/// The arguments with which this program was started.
package enum CommandLineWords {
    /// The arguments after the program's name; `nil` when the system does not report them, which must not be treated as no
    /// arguments.
    package static var arguments: [String]? {
        let words = CommandLine.arguments
        return words.isEmpty ? nil : Array(words.dropFirst())
    }

    package static let complaint =
        "cannot read the command line, without which options would be ignored; is /proc mounted?"
}
