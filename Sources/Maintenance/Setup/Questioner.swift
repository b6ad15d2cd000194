import Console
import Glibc
import Host
import Synchronization

/// A person at a terminal: lines out, answers in.
package struct Questioner {
    /// The descriptor for questions: standard error if standard output is for a document.
    let descriptor: Int32

    package enum Answer: Equatable {
        case line(String)
        /// The person pressed Ctrl-D, or the terminal is gone.
        case ended
        /// The person pressed Ctrl-C.
        case interrupted
    }

    private static let wasInterrupted = Atomic<Bool>(false)

    /// Makes Ctrl-C an answer as well.
    package init(toStandardError: Bool) {
        descriptor = toStandardError ? STDERR_FILENO : STDOUT_FILENO
        Self.wasInterrupted.store(false, ordering: .relaxed)
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = { _ in
            Questioner.wasInterrupted.store(true, ordering: .relaxed)
        }
        // Omit SA_RESTART, so that the read that waits for an answer returns.
        unsafe sigaction(SIGINT, &action, nil)
        // Unblock the signal: the parent process may have blocked it, as a program's worker threads do.
        var interrupt = sigset_t()
        unsafe sigemptyset(&interrupt)
        unsafe sigaddset(&interrupt, SIGINT)
        unsafe pthread_sigmask(SIG_UNBLOCK, &interrupt, nil)
    }

    /// Whether Ctrl-C was pressed since the beginning.
    package var isInterrupted: Bool { Self.wasInterrupted.load(ordering: .relaxed) }

    package func show(_ lines: [String]) {
        write(lines.flatMap { FittedLines.of($0, width: width) }.map { $0 + "\n" }.joined())
    }

    /// Discards text that was typed before the question, because it is no answer to it.
    package func discardTyped() {
        if isatty(STDIN_FILENO) == 1 { tcflush(STDIN_FILENO, TCIFLUSH) }
    }

    package func ask(_ prompt: String) -> Answer {
        var lines = FittedLines.of(prompt, width: width - Self.answerRoom)
        // Print the last line without a newline, because the answer is typed after it.
        let last = lines.popLast() ?? ""
        write(lines.map { $0 + "\n" }.joined() + last + (last.hasSuffix(" ") ? "" : " "))
        var bytes: [UInt8] = []
        while bytes.count < Self.longestBytes {
            // Poll with a limit: another thread may receive the signal, and then nothing wakes this one.
            var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            let ready = unsafe poll(&waiting, 1, Self.lookEveryMs)
            if isInterrupted { return .interrupted }
            guard ready > 0 else { continue }
            var byte: UInt8 = 0
            let count = unsafe read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return bytes.isEmpty ? .ended : .line(Self.text(bytes)) }
            if byte == UInt8(ascii: "\n") { return .line(Self.text(bytes)) }
            bytes.append(byte)
        }
        return .line(Self.text(bytes))
    }

    /// The columns for text: no more than are easy to read, and one less than the terminal has, so that it does not wrap lines
    /// itself.
    package static func width(of descriptor: Int32) -> Int {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 79 }
        return max(20, min(Int(size.ws_col), 100) - 1)
    }

    private var width: Int { Self.width(of: descriptor) }

    /// The columns after a prompt that suffice for most answers.
    private static let answerRoom = 12

    private static let lookEveryMs: Int32 = 200

    /// The most bytes of an answer; the terminal itself delivers no more at once.
    private static let longestBytes = 4096

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private func write(_ text: String) {
        // Ignore a failure, which nobody could read; the next answer will be the end of input.
        _ = OwnedDescriptor.write(Array(text.utf8), to: descriptor)
    }
}
