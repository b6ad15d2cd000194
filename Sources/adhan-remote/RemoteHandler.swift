internal import Host
internal import NIOCore
internal import NIOHTTP1
internal import PhoneRules
internal import WebServer

/// Handles the requests of one connection one at a time: the gate in front admits the next request once the answer is taken.
final class RemoteHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    private enum Step {
        case idle
        case reading(HTTPRequestHead, RemoteRequest)
        case receiving(HTTPRequestHead, RemoteRequest, UploadReceiver)
        case answering
    }

    /// The limit for receiving the whole body of a form.
    private static let formPatience = TimeAmount.seconds(10)
    /// The limit for receiving the whole body of an upload.
    private static let uploadPatience = TimeAmount.seconds(300)

    private let parts: RemoteParts
    private var step = Step.idle
    private var writer: AnswerWriter?

    private let entryPoint: RequestHead.EntryPoint

    init(_ parts: RemoteParts, entryPoint: RequestHead.EntryPoint) {
        (self.parts, self.entryPoint) = (parts, entryPoint)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        let guards = AnswerHeaders.all.filter { $0.name != "Cache-Control" }.map { ($0.name, $0.value) }
        writer = AnswerWriter(guards: guards) { [self] in
            step = .idle
            parts.connections.noteActivity(of: channel)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { writer = nil }

    func channelInactive(context: ChannelHandlerContext) {
        if case .receiving(_, _, let receiver) = step { receiver.cancel() }
        context.fireChannelInactive()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if case .receiving(_, _, let receiver) = step { receiver.readMore() }
        context.fireChannelReadComplete()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), step) {
        case (.head(let head), .idle): begin(head, context)
        // Two heads within what the gate took for one request: parser and gate disagree, so the connection is closed.
        case (.head, _): context.close(promise: nil)
        case (.body(let bytes), .reading(let head, var request)):
            request.body += bytes.readableBytesView
            step = .reading(head, request)
        case (.body(let bytes), .receiving(_, _, let receiver)): receiver.receive(bytes)
        case (.end, .reading(let head, let request)):
            let responder = parts.responder
            respond(to: request, head, context) { responder.answer(request) }
        case (.end, .receiving(_, _, let receiver)):
            // Checking a recording takes minutes on a small machine.
            context.triggerUserOutboundEvent(GateEvent.answerIn(Self.uploadPatience), promise: nil)
            receiver.finish()
        case (.body, _), (.end, _): break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard context.channel.isActive, error is HTTPParserError, case .idle = step else {
            context.close(promise: nil)
            return
        }
        step = .answering
        // The parser refuses some requests that the gate admits, by the number of fields and the length of a name.
        let answer =
            error as? HTTPParserError == .headerOverflow
            ? Answer.text(.requestHeaderFieldsTooLarge, "The request has too many headers.")
            : Answer.text(.badRequest, "That is no HTTP request.")
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
        writer?.send(answer, to: head, context, close: true)
    }

    // MARK: One request

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        parts.connections.noteActivity(of: context.channel)
        guard let peer = context.channel.remoteAddress?.addressBytes.flatMap({ NetworkAddress($0) }),
            let local = context.channel.localAddress
        else { return context.close(promise: nil) }
        // This process sees no network interfaces, so it uses the local address of this connection.
        let rules = RequestRules(
            names: ServerNames(
                own: String(Machine.name.prefix { $0 != "." }),
                addresses: [local.addressBytes.flatMap { NetworkAddress($0) }].compactMap { $0 },
                port: local.port ?? 0, added: parts.config.names, proxy: parts.config.proxy))
        var facts = Self.facts(of: head, from: peer)
        facts.entryPoint = entryPoint
        var request = RemoteRequest(head: facts, languages: head.headers["Accept-Language"])
        switch parts.gatekeeper.decide(facts, rules) {
        case .close: context.close(promise: nil)
        case .redirect(let path): send(parts.responder.redirect(to: path), to: head, context)
        case .signIn(let page):
            send(parts.responder.redirect(to: page, status: .found), to: head, context)
        case .refuse(let status, let reason, let json):
            var answer = parts.responder.refuse(
                RemoteRefusal(status: status, reason), request, json: json)
            if status == 405 { answer.allow = Route.allowed(facts.path) }
            send(answer, to: head, context)
        case .admit(let admission):
            request.admission = admission
            switch admission.route.body {
            case .upload: receive(request, admission, head, context)
            case .none, .form:
                step = .reading(head, request)
                context.triggerUserOutboundEvent(
                    GateEvent.bodyFollows(admission.length, within: Self.formPatience), promise: nil)
            }
        }
    }

    /// Receives one upload at a time, which bounds the memory for uploads.
    private func receive(
        _ request: RemoteRequest, _ admission: RequestRules.Admission, _ head: HTTPRequestHead,
        _ context: ChannelHandlerContext
    ) {
        guard !parts.isReceiving else {
            return send(parts.responder.refuse(.uploading, request, json: admission.json), to: head, context)
        }
        parts.isReceiving = true
        let channel = context.channel
        let receiver = UploadReceiver(admission, parts.intake) { channel.read() }
        step = .receiving(head, request, receiver)
        // From here on, reading keeps pace with the intake.
        _ = channel.setOption(.autoRead, value: false)
        context.triggerUserOutboundEvent(
            GateEvent.bodyFollows(admission.length, within: Self.uploadPatience), promise: nil)
        let responder = parts.responder
        let context = NIOLoopBound(context, eventLoop: context.eventLoop)
        receiver.result.futureResult.assumeIsolated().whenComplete { [self] result in
            let context = context.value
            parts.isReceiving = false
            guard channel.isActive else { return }
            _ = channel.setOption(.autoRead, value: true)
            context.triggerUserOutboundEvent(GateEvent.answerIn(Self.uploadPatience), promise: nil)
            respond(to: request, head, context) {
                guard case .success(let received) = result else {
                    return responder.refuse(.noIntake, request, json: admission.json)
                }
                return responder.answer(received, request)
            }
        }
    }

    /// Answers on a thread of its own, so that the loop never blocks.
    private func respond(
        to request: RemoteRequest, _ head: HTTPRequestHead, _ context: ChannelHandlerContext,
        _ work: @escaping @Sendable () -> Answer
    ) {
        guard parts.waiting < RemoteParts.mostWaiting else {
            let json = request.admission?.json ?? false
            return send(parts.responder.refuse(.busy, request, json: json), to: head, context)
        }
        parts.waiting += 1
        step = .answering
        let promise = context.eventLoop.makePromise(of: Answer.self)
        let responder = parts.responder
        if !BackgroundThread.start({ promise.succeed(work()) }) {
            promise.succeed(responder.refuse(.busy, request, json: request.admission?.json ?? false))
        }
        promise.futureResult.assumeIsolated().whenComplete { [self] result in
            parts.waiting -= 1
            guard context.channel.isActive, case .success(let answer) = result else { return }
            send(answer, to: head, context)
        }
    }

    private func send(_ answer: Answer, to head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        // The rest of an unread body would be parsed as the next request.
        var isUnread = false
        if case .idle = step {
            isUnread =
                !head.headers["Transfer-Encoding"].isEmpty
                || head.headers["Content-Length"].contains { $0 != "0" }
        }
        step = .answering
        parts.trimmer.noteWork()
        writer?.send(answer, to: head, context, close: isUnread || !head.isKeepAlive)
    }

    private static func facts(of head: HTTPRequestHead, from peer: NetworkAddress) -> RequestHead {
        var facts = RequestHead(
            peer: peer, method: head.method.rawValue, target: head.uri, hosts: head.headers["Host"])
        facts.origins = head.headers["Origin"]
        facts.contentTypes = head.headers["Content-Type"]
        facts.contentLengths = head.headers["Content-Length"]
        facts.transferEncodings = head.headers["Transfer-Encoding"]
        facts.cookies = head.headers["Cookie"]
        facts.accepts = head.headers["Accept"]
        facts.forwardedFor = head.headers["X-Forwarded-For"]
        return facts
    }
}

extension Route {
    /// The methods of a path as the header `Allow` lists them.
    fileprivate static func allowed(_ path: Substring) -> String {
        all.filter { $0.path == path }.map(\.method.rawValue).joined(separator: ", ")
    }
}
