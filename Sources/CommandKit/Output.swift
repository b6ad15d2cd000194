internal import Glibc
internal import Host
package import Texts

/// Standard output: text for people, decorated on a terminal only, or JSON documents for programs.
///
/// A program names its own error once: `typealias Output = CommandKit.Output<CommandError>`.
package struct Output<Failure: StatusError> {
    /// One JSON document, or one per line where a command streams.
    package let json: Bool
    package let isTerminal: Bool
    package let style: Style

    package init(json: Bool) {
        self.json = json
        isTerminal = isatty(STDOUT_FILENO) == 1
        // no-color.org: any value but the empty one.
        let environment = Environment.process
        let refused = environment.value("NO_COLOR") != nil || environment.value("TERM") == "dumb"
        style = Style(colour: isTerminal && !refused)
    }

    /// `text` may be made lazily: it is not asked for when a document is wanted.
    package func show(_ document: some Encodable, as text: (Style) -> String) throws(Failure) {
        if json { try write(document: document) } else { try write(text(style)) }
    }

    /// On lines of its own: on a terminal spread out for the eye, unless it is one of a `stream`.
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

    /// Text that replaces the screen's content.
    package func redraw(_ text: String) throws(Failure) {
        // Home, every line erased to its end as it is written, then the screen below: no flicker.
        let lines = PlainText.printable(text).replacing("\n", with: "\u{1B}[K\n")
        try write(Array("\u{1B}[H\(lines)\u{1B}[J".utf8))
    }

    /// A reader that has gone away ends the program by SIGPIPE, as it does other programs that write to `head`.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        if let error = OwnedDescriptor.write(bytes, to: STDOUT_FILENO) {
            throw Failure(.failed, "cannot write to standard output: \(SystemError.text(error))")
        }
    }
}
