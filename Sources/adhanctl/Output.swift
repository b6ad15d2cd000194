import Glibc
import Host
import Texts

/// Standard output: text for people, decorated on a terminal only, or JSON documents for programs.
struct Output {
    /// One JSON document, or one per line where a command streams.
    let json: Bool
    let isTerminal: Bool
    let style: Style

    init(json: Bool) {
        self.json = json
        isTerminal = isatty(STDOUT_FILENO) == 1
        // no-color.org: any value but the empty one.
        let environment = Environment.process
        let refused = environment.value("NO_COLOR") != nil || environment.value("TERM") == "dumb"
        style = Style(colour: isTerminal && !refused)
    }

    /// `text` may be made lazily: it is not asked for when a document is wanted.
    func show(_ document: some Encodable, as text: (Style) -> String) throws(CommandError) {
        if json { try write(document: document) } else { try write(text(style)) }
    }

    /// On lines of its own: on a terminal spread out for the eye, unless it is one of a `stream`.
    func write(document: some Encodable, stream: Bool = false) throws(CommandError) {
        let bytes: [UInt8]
        do {
            bytes = try JSON.encode(document, pretty: isTerminal && !stream)
        } catch {
            throw CommandError(.failed, "cannot write the answer as JSON: \(error)")
        }
        try write(bytes + [UInt8(ascii: "\n")])
    }

    func write(_ text: String) throws(CommandError) {
        try write(Array(PlainText.printable(text).utf8))
    }

    /// The keys that move the cursor, and the text that comes with them.
    func redraw(_ text: String) throws(CommandError) {
        // Home, every line erased to its end as it is written, and what is left of the screen below: no flicker.
        let lines = PlainText.printable(text).replacing("\n", with: "\u{1B}[K\n")
        try write(Array("\u{1B}[H\(lines)\u{1B}[J".utf8))
    }

    /// A reader that has gone away ends the program by SIGPIPE, as it does `head`'s other feeders.
    private func write(_ bytes: [UInt8]) throws(CommandError) {
        if let error = OwnedDescriptor.write(bytes, to: STDOUT_FILENO) {
            throw CommandError(.failed, "cannot write to standard output: \(SystemError.text(error))")
        }
    }
}

/// Standard error: diagnostics, a line each.
enum StandardError {
    static func say(_ sentence: String) {
        // Nobody is left to inform when this fails.
        _ = OwnedDescriptor.write(Array("\(PlainText.printable(sentence))\n".utf8), to: STDERR_FILENO)
    }
}
