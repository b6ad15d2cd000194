internal import CLinux

/// open(2)'s flag for a directory that is only passed through, and need not be readable. Glibc's own module does not show it; a
/// file that sees both modules would have every structure of the system twice.
enum PathOnly {
    static let flag = O_PATH
}
