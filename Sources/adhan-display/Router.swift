internal import DisplayFeed
internal import DisplayProgramme
internal import Glibc
internal import Host
internal import NIOCore
internal import NIOHTTP1
internal import PrayerEngine
internal import Synchronization
internal import Texts

/// The answer to a request. Knows no sockets.
struct Router: Sendable {
    let page: Page
    let poller: DaemonPoller
    let heartbeat: Heartbeat
    let port: OwnPort
    let preview: Bool
    /// Names of this machine that its keeper added.
    let names: [String]
    /// Whether the page of this machine may ask the helper of taps.
    let touch: Bool

    /// - Parameters:
    ///   - address: of this end of the connection.
    ///   - door: by which the request came.
    func answer(_ head: HTTPRequestHead, address: String?, door: Door) -> Answer {
        var answer = refusal(head, address) ?? self.answer(head, door)
        answer.mayTouch = touch && door == .machine
        return answer
    }

    private func refusal(_ head: HTTPRequestHead, _ address: String?) -> Answer? {
        let hosts = head.headers["Host"]
        guard hosts.count == 1 else { return .text(.badRequest, "A request names one Host.") }
        guard HostNames.isOurs(hosts[0], address: address, added: names) else {
            return .text(.misdirectedRequest, "This server does not have that name.")
        }
        guard head.method == .GET || head.method == .HEAD else {
            var answer = Answer.text(.methodNotAllowed, "Only GET and HEAD are answered.")
            answer.allow = "GET, HEAD"
            return answer
        }
        guard head.headers["Transfer-Encoding"].isEmpty,
            head.headers["Content-Length"].allSatisfy({ $0 == "0" })
        else { return .text(.badRequest, "A request has no body here.") }
        return nil
    }

    private func answer(_ head: HTTPRequestHead, _ door: Door) -> Answer {
        let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.count > 1 ? parts[1] : ""
        return answer(path: String(parts[0]), query: query, door)
    }

    private func answer(path: String, query: Substring, _ door: Door) -> Answer {
        poller.look()
        let audience = door.audience
        let asked = Self.value("view", in: query)
        guard let told = poller.told(audience, asked) else { return noView(asked ?? "") }
        switch path {
        case "/": return Answer(type: page.index.type, body: .bytes(page.index.bytes))
        case "/events":
            let isWall = door == .machine && Self.value("kiosk", in: query).map(heartbeat.knows) ?? false
            return Answer(type: "text/event-stream; charset=utf-8", body: .events(told, isWall: isWall))
        case "/healthz": return health(audience)
        case "/state.json":
            if preview, audience == .machine, let at = Self.value("now", in: query) {
                return Answer(type: "application/json", body: .stateAt(at, view: told.view))
            }
            let document = poller.now.document(for: told)
            return document.readableBytes == 0 ? health(audience) : .json(document)
        case "/beat" where door == .launcher:
            guard let token = Self.value("heard", in: query) else {
                return .text(.badRequest, "The launcher asks for a token.")
            }
            switch heartbeat.hears(token) {
            case .alive: return .text(.ok, "alive")
            case .silent: return .text(.notFound, "silent")
            case .renewing: return .text(.gone, "renewing")
            }
        case "/beat" where door == .machine:
            guard let token = Self.value("token", in: query) else {
                return .text(.badRequest, "A beat carries a token.")
            }
            let isTaken = heartbeat.take(token, isRenewing: Self.value("renew", in: query) != nil)
            guard isTaken else { return .text(.notFound, "No launcher waits for this page.") }
            return Answer(status: .noContent, body: .bytes(ByteBuffer()))
        case "/port" where door == .launcher:
            return port.number.map { .text(.ok, String($0)) }
                ?? .text(.notFound, "There is no address for this machine's browsers.")
        case "/background":
            if let picture = poller.now.slides.background {
                return Answer(type: picture.type, body: .file(path: picture.path), isStored: true)
            }
        case "/logo":
            if let logo = poller.now.slides.logo {
                let body = logo.bytes.map { Answer.Body.bytes(ByteBuffer(bytes: $0)) }
                return Answer(type: logo.type, body: body ?? .file(path: logo.path), isStored: true)
            }
        default: break
        }
        if path.hasPrefix("/assets/"), let file = page.assets[String(path.dropFirst(8))] {
            return Answer(type: file.type, body: .bytes(file.bytes), isStored: true)
        }
        if path.hasPrefix("/slides/"), let name = Self.unescaped(path.dropFirst(8)),
            let file = poller.now.slides.files[name]
        {
            return Answer(type: file.type, body: .file(path: file.path), isStored: true)
        }
        return .text(.notFound, "There is nothing here.")
    }

    private func noView(_ name: String) -> Answer {
        let all = poller.viewNames.joined(separator: ", ")
        return .text(
            .notFound, "There is no view \"\(PlainText.visible(name))\" here. There are: \(all).")
    }

    /// The reason names paths of this machine, which are nobody's business elsewhere.
    private func health(_ audience: Audience) -> Answer {
        guard let failure = poller.now.failure else { return .text(.ok, "adhand answers") }
        let reason = audience == .machine ? PlainText.visible(failure) : "adhand does not answer"
        return .text(.serviceUnavailable, reason)
    }

    /// `now=2026-11-20T18:00:00Z`
    static func value(_ name: String, in query: Substring) -> String? {
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, parts[0] == name { return unescaped(parts[1]) }
        }
        return nil
    }

    /// Percent escapes undone; `nil` for what is no UTF-8.
    static func unescaped(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16) else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

/// The port at which this machine's browsers reach this server: the launcher asks for it before it sends a browser there.
final class OwnPort: Sendable {
    private let bound = Mutex<Int?>(nil)

    var number: Int? {
        get { bound.withLock { $0 } }
        set { bound.withLock { $0 = newValue } }
    }
}

/// By which names a browser may call this server: a page of somebody else's whose name is made to lead here (DNS rebinding)
/// calls it by that name.
enum HostNames {
    static func isOurs(_ host: String, address: String?, added: [String]) -> Bool {
        guard let name = name(of: host) else { return false }
        if ["localhost", "127.0.0.1", "::1"].contains(name) { return true }
        if let address, name == address.lowercased() { return true }
        if added.contains(where: { $0.lowercased() == name }) { return true }
        let own = machine
        return !own.isEmpty && (name == own || name == own + ".local")
    }

    /// The name without its port, in lower case; `nil` for what is no `Host`.
    private static func name(of host: String) -> String? {
        var name = Substring(host)
        if name.hasPrefix("[") {
            guard let end = name.firstIndex(of: "]") else { return nil }
            let rest = name[name.index(after: end)...]
            name = name[name.index(after: name.startIndex)..<end]
            return isPort(rest) ? name.lowercased() : nil
        }
        if let colon = name.firstIndex(of: ":") {
            guard isPort(name[colon...]) else { return nil }
            name = name[..<colon]
        }
        return name.isEmpty ? nil : name.lowercased()
    }

    /// Nothing, or a colon and digits.
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty
            || text.hasPrefix(":") && (1...5).contains(text.dropFirst().utf8.count)
                && text.dropFirst().utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private static let machine: String = {
        var buffer = [UInt8](repeating: 0, count: 256)
        let code = unsafe buffer.withUnsafeMutableBytes { raw -> Int32 in
            guard let start = unsafe raw.baseAddress?.assumingMemoryBound(to: CChar.self) else { return -1 }
            return unsafe gethostname(start, raw.count - 1)
        }
        return code == 0 ? String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self).lowercased() : ""
    }()
}
