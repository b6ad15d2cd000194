internal import Glibc
internal import Host
package import Texts

/// Standard output: text for people, decorated on a terminal only, or JSON documents for programs.
///
/// A program names its own error once: `typealias Output = CommandKit.Output<CommandError>`.
package struct Output<Failure: StatusError> {
    /// Whether to print JSON: one document, or one for each line if a command streams.
    package let json: Bool
    package let isTerminal: Bool
    package let style: Style

    package init(json: Bool) {
        self.json = json
        isTerminal = isatty(STDOUT_FILENO) == 1
        // By no-color.org, any value but the empty one counts.
        let environment = Environment.process
        let refused = environment.value("NO_COLOR") != nil || environment.value("TERM") == "dumb"
        style = Style(colour: isTerminal && !refused)
    }

    /// `text` is only called if text is wanted.
    package func show(_ document: some Encodable, as text: (Style) -> String) throws(Failure) {
        if json { try write(document: document) } else { try write(text(style)) }
    }

    /// Writes a document: indented on a terminal, unless it is one of a `stream`.
    package func write(document: some Encodable, stream: Bool = false) throws(Failure) {
        let bytes: [UInt8]
        do {
            bytes = try JSON.encode(document, pretty: isTerminal && !stream)
        } catch {
            throw Failure(.failed, "cannot write the answer as JSON: \(error)")
        }
        try write(bytes + [UInt8(ascii: "\n")])
    }

    package func write(_ text: String) throws(Failure) {
        try write(Array(PlainText.printable(text).utf8))
    }

    /// Replaces the screen's content by a text.
    package func redraw(_ text: String) throws(Failure) {
        // Move home, erase each line's rest as it is written, then the screen below, which avoids flicker.
        let lines = PlainText.printable(text).replacing("\n", with: "\u{1B}[K\n")
        try write(Array("\u{1B}[H\(lines)\u{1B}[J".utf8))
    }

    /// A reader that has gone away ends the program by SIGPIPE, as usual for programs that write to `head`.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        if let error = OwnedDescriptor.write(bytes, to: STDOUT_FILENO) {
            throw Failure(.failed, "cannot write to standard output: \(SystemError.text(error))")
        }
    }
}
