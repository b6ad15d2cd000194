import AdhanCore
import Glibc
import Host

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
    func show(_ document: some Encodable, as text: (Style) -> String) throws(Refusal) {
        if json { try write(document: document) } else { try write(text(style)) }
    }

    /// On lines of its own: on a terminal spread out for the eye, unless it is one of a `stream`.
    func write(document: some Encodable, stream: Bool = false) throws(Refusal) {
        let bytes: [UInt8]
        do {
            bytes = try JSON.encode(document, pretty: isTerminal && !stream)
        } catch {
            throw Refusal(.failed, "cannot write the answer as JSON: \(error)")
        }
        try write(bytes + [UInt8(ascii: "\n")])
    }

    func write(_ text: String) throws(Refusal) {
        try write(Array(text.utf8))
    }

    /// A reader that has gone away ends the program by SIGPIPE, as it does `head`'s other feeders.
    private func write(_ bytes: [UInt8]) throws(Refusal) {
        if let error = FileDescriptor.write(bytes, to: STDOUT_FILENO) {
            throw Refusal(.failed, "cannot write to standard output: \(SystemError.text(error))")
        }
    }
}

/// Standard error: diagnostics, a line each.
enum StandardError {
    static func say(_ sentence: String) {
        // Nobody is left to be told when this fails.
        _ = FileDescriptor.write(Array("\(sentence)\n".utf8), to: STDERR_FILENO)
    }
}

enum FileDescriptor {
    /// Writes everything; returns the errno of what prevented it.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if written < 0 {
                if errno == EINTR { continue }
                return errno
            }
            rest = rest.dropFirst(written)
        }
        return nil
    }
}
