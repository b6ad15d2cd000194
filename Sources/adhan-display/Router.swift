internal import DisplayFeed
internal import Glibc
internal import Host
internal import NIOCore
internal import NIOHTTP1
internal import PrayerEngine
internal import ScreenPlan
internal import Synchronization
internal import Texts
internal import WebRules
internal import WebServer

/// Answers requests. It has no access to sockets.
struct Router: Sendable {
    let page: Page
    let poller: DaemonPoller
    let heartbeat: Heartbeat
    let port: OwnPort
    let preview: Bool
    let names: HostNames
    /// Whether this machine's page may call the helper of taps.
    let touch: Bool

    /// - Parameters:
    ///   - address: the local address of the connection.
    ///   - caller: the kind of caller, by the socket of the request.
    func reply(_ head: HTTPRequestHead, address: String?, caller: Caller) -> Reply {
        refusal(head, address).map { .answer($0) } ?? reply(head, caller)
    }

    private func refusal(_ head: HTTPRequestHead, _ address: String?) -> Answer? {
        let hosts = head.headers["Host"]
        guard hosts.count == 1 else { return .text(.badRequest, "A request names one Host.") }
        guard names.isOurs(hosts[0], address: address) else {
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

    private func reply(_ head: HTTPRequestHead, _ caller: Caller) -> Reply {
        let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.count > 1 ? parts[1] : ""
        return reply(path: String(parts[0]), query: query, caller)
    }

    private func reply(path: String, query: Substring, _ caller: Caller) -> Reply {
        poller.noteViewer()
        let audience = caller.audience
        let asked = Self.value("view", in: query)
        guard let variant = poller.variant(audience, asked) else { return noView(asked ?? "") }
        switch path {
        case "/": return .answer(Answer(type: page.index.type, body: .bytes(page.index.bytes)))
        case "/events":
            let isWall = caller == .machine && Self.value("kiosk", in: query).map(heartbeat.knows) ?? false
            return .events(variant, isWall: isWall)
        case "/healthz": return health(audience)
        case "/state.json":
            if preview, audience == .machine, let at = Self.value("now", in: query) {
                return .stateAt(at, view: variant.view)
            }
            let document = poller.now.document(for: variant)
            return document.readableBytes == 0 ? health(audience) : .answer(.json(document))
        case "/beat" where caller == .launcher:
            guard let token = Self.value("heard", in: query) else {
                return .text(.badRequest, "The launcher asks for a token.")
            }
            switch heartbeat.hears(token) {
            case .alive: return .text(.ok, "alive")
            case .silent: return .text(.notFound, "silent")
            case .renewing: return .text(.gone, "renewing")
            }
        case "/beat" where caller == .machine:
            guard let token = Self.value("token", in: query) else {
                return .text(.badRequest, "A beat carries a token.")
            }
            let isAwaited = heartbeat.record(token, isRenewing: Self.value("renew", in: query) != nil)
            guard isAwaited else { return .text(.notFound, "No launcher waits for this page.") }
            return .answer(Answer(status: .noContent, body: .bytes(ByteBuffer())))
        case "/port" where caller == .launcher:
            return port.number.map { .text(.ok, String($0)) }
                ?? .text(.notFound, "There is no address for this machine's browsers.")
        case "/background":
            if let picture = poller.now.slides.background {
                return .answer(Answer(type: picture.type, body: .file(path: picture.path), isStored: true))
            }
        case "/logo":
            if let logo = poller.now.slides.logo {
                let body = logo.bytes.map { Answer.Body.bytes(ByteBuffer(bytes: $0)) }
                return .answer(Answer(type: logo.type, body: body ?? .file(path: logo.path), isStored: true))
            }
        default: break
        }
        if path.hasPrefix("/assets/"), let file = page.assets[String(path.dropFirst(8))] {
            return .answer(Answer(type: file.type, body: .bytes(file.bytes), isStored: true))
        }
        if path.hasPrefix("/slides/"), let name = Self.unescaped(path.dropFirst(8)),
            let file = poller.now.slides.files[name]
        {
            return .answer(Answer(type: file.type, body: .file(path: file.path), isStored: true))
        }
        return .text(.notFound, "There is nothing here.")
    }

    private func noView(_ name: String) -> Reply {
        let all = poller.viewNames.joined(separator: ", ")
        return .text(
            .notFound, "There is no view \"\(PlainText.visible(name))\" here. There are: \(all).")
    }

    /// The health check. The reason contains paths of this machine, so other machines do not receive it.
    private func health(_ audience: Audience) -> Reply {
        guard let failure = poller.now.failure else { return .text(.ok, "adhand answers") }
        let reason = audience == .machine ? PlainText.visible(failure) : "adhand does not answer"
        return .text(.serviceUnavailable, reason)
    }

    /// A value of the query, such as that of `now=2026-11-20T18:00:00Z`.
    static func value(_ name: String, in query: Substring) -> String? {
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, parts[0] == name { return unescaped(parts[1]) }
        }
        return nil
    }

    /// Decodes percent escapes; `nil` if the result is not UTF-8.
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

/// The port of this server for browsers of this machine. The launcher asks for it before it opens a browser.
final class OwnPort: Sendable {
    private let bound = Mutex<Int?>(nil)

    var number: Int? {
        get { bound.withLock { $0 } }
        set { bound.withLock { $0 = newValue } }
    }
}
