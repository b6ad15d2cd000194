internal import CLinux

/// open(2)'s flag for a directory that is only traversed, and need not be readable. Glibc's own module does not export it; a file
/// that imports both modules would have every structure of the system twice.
enum PathOnly {
    static let flag = O_PATH
}
