package import PrayerEngine
import Protocol
import Texts

/// A POST that delivers one message. Redirects are not followed, and up to 4 KiB of the response are read and discarded.
package struct WebMessage: Sendable, Equatable {
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]

    package init(_ message: AlertMessage, _ format: AlertDestination.Format, extra: [HeaderLine] = []) throws
    {
        var headers: [(name: String, value: String)] = [("Idempotency-Key", message.idempotencyKey)]
        switch format {
        case .json:
            headers.append(("Content-Type", "application/json"))
            body = try JSON.encode(message)
        case .slack:
            headers.append(("Content-Type", "application/json"))
            body = try JSON.encode(SlackBody(text: "\(message.title)\n\(message.text)"))
        case .ntfy:
            headers += [
                ("Content-Type", "text/plain; charset=utf-8"), ("Title", EncodedWord.encode(message.title)),
                ("Priority", message.ntfyPriority), ("Tags", message.ntfyTag),
            ]
            body = Array(message.text.utf8)
        case .text:
            headers.append(("Content-Type", "text/plain; charset=utf-8"))
            body = Array("\(message.title)\n\(message.text)\n".utf8)
        }
        // The configured headers override the standard ones.
        let own = Set(extra.map { $0.name.lowercased() })
        self.headers =
            headers.filter { !own.contains($0.name.lowercased()) } + extra.map { ($0.name, $0.value) }
    }

    package static func == (a: Self, b: Self) -> Bool {
        a.body == b.body
            && a.headers.map { "\($0.name): \($0.value)" } == b.headers.map { "\($0.name): \($0.value)" }
    }

    private struct SlackBody: Encodable { let text: String }
}

/// A line of the file that `header-file` names, such as `Authorization: Bearer …`.
package struct HeaderLine: Sendable, Equatable {
    package let name: String
    package let value: String

    /// Reads header lines and skips empty ones; `nil` if a line is not a header.
    package static func read(_ text: String) -> [HeaderLine]? {
        var lines: [HeaderLine] = []
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            let name = parts[0]
            let isName =
                !name.isEmpty
                && name.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                        || (0x61...0x7A).contains(byte)
                        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                }
            let value = parts[1].drop { $0 == " " || $0 == "\t" }
            guard isName, value.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return nil }
            lines.append(HeaderLine(name: String(name), value: String(value)))
        }
        return lines.count <= 32 ? lines : nil
    }
}

extension AlertMessage {
    /// The title, such as `adhand Living room: the adhan was not heard`.
    package var title: String {
        if test, alert == .daemon { return "adhand \(name): test" }
        let what: String =
            switch phase {
            case .begin: news
            case .reminder: "still a \(severity.rawValue)"
            case .end: "over"
            }
        return "adhand \(name): \(what)\(test ? " (test)" : "")"
    }

    private var news: String {
        switch alert {
        case .missed, .failed: "the adhan was not heard"
        case .partial: "the adhan was not heard everywhere"
        case .inaudible, .device: "no sound"
        default: severity == .problem ? "problem" : "warning"
        }
    }

    fileprivate var ntfyPriority: String { phase == .end ? "2" : severity == .problem ? "5" : "3" }

    fileprivate var ntfyTag: String {
        phase == .end ? "white_check_mark" : severity == .problem ? "rotating_light" : "warning"
    }

    /// The message for `sendmail -i -f FROM -- TO…`.
    package func mail(from: String, to: [String], at now: Instant, zone: Zone) -> [UInt8] {
        let lines = [
            "From: <\(from)>", "To: \(to.map { "<\($0)>" }.joined(separator: ", "))",
            "Subject: \(EncodedWord.encode(title))", "Date: \(MailDate.text(now, in: zone))",
            "Message-ID: <\(idempotencyKey.replacing(":", with: "."))@\(box)>",
            "Auto-Submitted: auto-generated",
            "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: base64", "",
        ]
        let encoded = Base64.encode(Array("\(text)\n".utf8))
        var body = ""
        for (index, character) in encoded.enumerated() {
            if index > 0, index.isMultiple(of: 76) { body += "\n" }
            body.append(character)
        }
        return Array((lines.joined(separator: "\n") + "\n" + body + "\n").utf8)
    }

    /// The arguments of sendmail.
    package static func mailArguments(from: String, to: [String]) -> [String] {
        ["-i", "-f", from, "--"] + to
    }
}

/// Text in a message's header (RFC 2047): ASCII unchanged, anything else encoded.
enum EncodedWord {
    /// The most bytes in one encoded word, which with its frame must stay below 75.
    private static let most = 42

    static func encode(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var words: [[UInt8]] = [[]]
        for character in text {
            let bytes = Array(String(character).utf8)
            if words[words.count - 1].count + bytes.count > most { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?UTF-8?B?\(Base64.encode($0))?=" }.joined(separator: " ")
    }
}

/// Dates of messages, such as `Tue, 24 Nov 2026 06:30:00 +0100` (RFC 5322).
enum MailDate {
    static func text(_ instant: Instant, in zone: Zone) -> String {
        // The text has the form 2026-11-24T06:30:00+01:00.
        let text = InstantText.rfc3339(instant, in: zone)
        let date = zone.civilDate(of: instant)
        let offset = text.hasSuffix("Z") ? "+0000" : String(text.suffix(6)).replacing(":", with: "")
        let clock = text.split(separator: "T").last.map { String($0.prefix(8)) } ?? "00:00:00"
        let day = "\(LocalText.weekday(date)), \(date.day) \(LocalText.shortMonth(date.month)) \(date.year)"
        return "\(day) \(clock) \(offset)"
    }
}
