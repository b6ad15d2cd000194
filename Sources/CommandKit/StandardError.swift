internal import Glibc
internal import Host
internal import Texts

/// Standard error: diagnostics, one on each line.
package enum StandardError {
    package static func write(_ sentence: String) {
        // Ignore a failure, which nobody could read.
        _ = OwnedDescriptor.write(Array("\(PlainText.printable(sentence))\n".utf8), to: STDERR_FILENO)
    }
}
