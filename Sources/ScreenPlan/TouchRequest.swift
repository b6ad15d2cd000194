internal import PrayerEngine
package import Protocol
package import Texts

/// A tap on this machine's own display: one POST with a small JSON document, from the screen's page and no other.
package struct TouchRequest: Sendable, Equatable {
    package enum Action: Sendable, Equatable {
        case status, muteHour, muteNext, unmute, stop
        /// A screen's request for this box's set-up by phone; not a tap.
        case setUp
        /// A pairing window of the phone page, for the household.
        case pair
        /// The box's own network.
        case hotspot
        case enable(Prayer)
        case disable(Prayer)

        /// `mute-hour`, `disable asr`
        init?(_ text: String) {
            let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            let prayer = words.count == 2 ? Prayer(rawValue: words[1]) : nil
            switch (words[0], words.count, prayer) {
            case ("status", 1, _): self = .status
            case ("set-up", 1, _): self = .setUp
            case ("mute-hour", 1, _): self = .muteHour
            case ("mute-next", 1, _): self = .muteNext
            case ("unmute", 1, _): self = .unmute
            case ("stop", 1, _): self = .stop
            case ("pair", 1, _): self = .pair
            case ("hotspot", 1, _): self = .hotspot
            case ("enable", 2, let prayer?): self = .enable(prayer)
            case ("disable", 2, let prayer?): self = .disable(prayer)
            default: return nil
            }
        }
    }

    /// A refusal as an HTTP status and a sentence.
    package struct Refusal: Error, Sendable, Equatable {
        package let status: Int
        package let reason: String

        package init(_ status: Int, _ reason: String) {
            self.status = status
            self.reason = reason
        }
    }

    package static let port = Int(ScreenPort.touch)
    package static let longest = 8192
    private static let longestBody = 512

    package let action: Action
    package let token: String
    /// The origin of the page, which alone may read the answer.
    package let origin: String
    let pagePort: UInt16

    private struct Body: Decodable {
        let token: String
        let action: String

        enum CodingKeys: String, CodingKey {
            case token
            case action = "do"
        }
    }

    /// Parses a request; `nil` while it is incomplete.
    package static func parse(_ bytes: [UInt8]) throws(Refusal) -> TouchRequest? {
        let end: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
        guard let head = bytes.indices.first(where: { bytes[$0...].starts(with: end) }) else {
            guard bytes.count <= longest else { throw Refusal(431, "the head is too long") }
            return nil
        }
        guard let text = String(validating: bytes[..<head], as: UTF8.self) else {
            throw Refusal(400, "that is no HTTP request")
        }
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        let words = lines[0].split(separator: " ")
        guard words.count == 3, words[2].hasPrefix("HTTP/1.") else {
            throw Refusal(400, "that is no HTTP request")
        }
        guard words[0] == "POST" else { throw Refusal(405, "only POST is answered") }
        guard words[1] == "/touch" else { throw Refusal(404, "there is nothing here") }
        let headers = try self.headers(lines.dropFirst())
        guard let host = headers["host"], ["127.0.0.1:\(port)", "localhost:\(port)"].contains(host) else {
            throw Refusal(421, "this server does not have that name")
        }
        // A browser states the origin of every page that posts, and no page can change it.
        guard let origin = headers["origin"], let page = pagePort(of: origin) else {
            throw Refusal(403, "only the screen's own page may ask")
        }
        guard let length = headers["content-length"].flatMap({ Int($0) }), (1...longestBody).contains(length),
            headers["transfer-encoding"] == nil
        else { throw Refusal(400, "the body must have 1 to \(longestBody) bytes") }
        let body = bytes[(head + 4)...]
        guard body.count >= length else { return nil }
        guard let asked = try? JSON.decode(Body.self, from: Array(body.prefix(length))),
            let action = Action(asked.action)
        else { throw Refusal(400, "that cannot be done by a tap") }
        return TouchRequest(action: action, token: asked.token, origin: origin, pagePort: page)
    }

    /// `http://127.0.0.1:8787`: the port of a page of this machine.
    private static func pagePort(of origin: String) -> UInt16? {
        for start in ["http://127.0.0.1:", "http://localhost:"] where origin.hasPrefix(start) {
            let digits = origin.dropFirst(start.count)
            guard let port = UInt16(digits), String(port) == digits else { return nil }
            return port
        }
        return nil
    }

    /// Headers by their names in lower case; a duplicate header is refused.
    private static func headers(_ lines: ArraySlice<Substring>) throws(Refusal) -> [String: String] {
        var headers: [String: String] = [:]
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { throw Refusal(400, "that is no HTTP request") }
            let name = line[..<colon].lowercased()
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            guard headers.updateValue(String(value), forKey: name) == nil else {
                throw Refusal(400, "a header comes twice")
            }
        }
        return headers
    }

    /// Whether the display's own page asks: with its session's secret, and from its port.
    package func isFrom(_ page: TouchSecret) -> Bool {
        pagePort == page.port && page.isToken(token)
    }
}

/// Files that the display's session leaves for the helper: the secret of its page, and the port that the page comes from.
package struct TouchSecret: Sendable, Equatable {
    private let token: String
    package let port: UInt16

    package init(token: String, port: UInt16) {
        self.token = token
        self.port = port
    }

    /// Reads a file's text; `nil` where it is not valid.
    package init?(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 3, lines[2].isEmpty, let port = UInt16(lines[1]) else { return nil }
        self.init(token: String(lines[0]), port: port)
    }

    package var text: String { "\(token)\n\(port)\n" }

    /// Compares tokens in constant time.
    func isToken(_ other: String) -> Bool {
        let (own, other) = (Array(token.utf8), Array(other.utf8))
        guard own.count == other.count, own.count >= 16 else { return false }
        return zip(own, other).reduce(0) { $0 | $1.0 ^ $1.1 } == 0
    }
}

/// The answer: a sentence, and the content of the sheet.
package struct TouchAnswer: Codable, Sendable, Equatable {
    package struct Switch: Codable, Sendable, Equatable {
        package let prayer: String
        package let enabled: Bool
        package let sound: String
        package let volume: Int
    }

    /// A pairing window that this tap has opened: for this machine's own screen alone.
    package struct Pairing: Codable, Sendable, Equatable {
        /// Six digits.
        package let code: String
        /// The addresses at which the code is entered, the most reachable first.
        package let urls: [String]
        /// Modules of a side of the QR code, without the quiet zone, and row by row, `1` where it is dark.
        package let size: Int
        package let modules: String
        package let seconds: Int

        package init(code: String, urls: [String], size: Int, modules: String, seconds: Int) {
            (self.code, self.urls, self.seconds) = (code, urls, seconds)
            (self.size, self.modules) = (size, modules)
        }
    }

    /// How this box is set up by phone, or which phone has claimed it: for this machine's own screen alone.
    package struct SetUp: Codable, Sendable, Equatable {
        /// The box's own network, while it is there.
        package struct Hotspot: Codable, Sendable, Equatable {
            package let name: String
            package let key: String
            /// Modules of a side of its QR code, and row by row.
            package let size: Int
            package let modules: String

            package init(name: String, key: String, size: Int, modules: String) {
                (self.name, self.key, self.size, self.modules) = (name, key, size, modules)
            }
        }

        /// `closed`, `open` or `claimed`.
        package let state: String
        /// The phone that claimed the box.
        package var by: String?
        package var hotspot: Hotspot?
        /// Its code is empty while too many wrong ones came.
        package var pairing: Pairing?
        /// Whether some network has given the box an address.
        package var hasNetwork: Bool

        package init(state: String, by: String? = nil, hasNetwork: Bool) {
            (self.state, self.by, self.hasNetwork) = (state, by, hasNetwork)
        }
    }

    @Nullable package var message: String?
    package var setUp: SetUp?
    /// Whether the phone page is on, so that a phone can be paired.
    package var pairs = false
    package var pairing: Pairing?
    /// Whether this machine is a flashed box, which can create its own network.
    package var offersHotspot = false
    package var hotspot: HotspotReply?
    package let version: String
    package let method: String
    package let asr: String
    package let muted: Bool
    package let playing: Bool
    package let prayers: [Switch]

    package init(_ status: StatusDocument, message: String?) {
        version = status.version
        method = status.calculation.method
        asr = status.calculation.asr
        muted = status.mute.active
        playing = status.playback.state != .idle
        prayers = status.prayers.map {
            Switch(
                prayer: $0.prayer, enabled: $0.enabled, sound: $0.sound.joined(separator: ", "),
                volume: $0.volume)
        }
        self.message = message
    }
}
