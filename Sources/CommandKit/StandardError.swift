internal import Glibc
internal import Host
internal import Texts

/// Standard error: diagnostics, a line each.
package enum StandardError {
    package static func write(_ sentence: String) {
        // A failure here has no reader.
        _ = OwnedDescriptor.write(Array("\(PlainText.printable(sentence))\n".utf8), to: STDERR_FILENO)
    }
}
