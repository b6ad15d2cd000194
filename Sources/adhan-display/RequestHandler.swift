internal import DisplayProgramme
internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import PrayerEngine
internal import Texts

/// One connection's requests, one after another: the gate before it lets the next one in when the answer was taken.
final class RequestHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let parts: Parts
    private let door: Door
    private var isAnswering = false

    init(_ parts: Parts, door: Door) {
        self.parts = parts
        self.door = door
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data) else { return }
        // Two requests in what the gate took for one: the parser understands something else than the gate.
        guard !isAnswering else { return context.close(promise: nil) }
        isAnswering = true
        parts.connections.isActive(context.channel)
        let answer = parts.router.answer(
            head, address: context.channel.localAddress?.plainAddress, door: door)
        // A caller that sends a body is not understood further.
        let isOver = !head.isKeepAlive || answer.status == .badRequest || answer.status == .methodNotAllowed
        switch answer.body {
        case .bytes(let bytes): send(bytes, answer, head, context, close: isOver)
        case .file(let path): send(file: path, answer, head, context, close: isOver)
        case .events(let told, let isWall): stream(answer, head, context, told, isWall: isWall)
        case .stateAt(let text, let view): look(at: text, view, head, context, close: isOver)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard context.channel.isActive, error is HTTPParserError, !isAnswering else {
            context.close(promise: nil)
            return
        }
        isAnswering = true
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
        // The parser has limits of its own beside the gate's: so many fields, so long a name.
        let isLong = error as? HTTPParserError == .headerOverflow
        let answer =
            isLong
            ? Answer.text(.requestHeaderFieldsTooLarge, "The request has too many headers.")
            : Answer.text(.badRequest, "That is no HTTP request.")
        send(plain: answer, head, context, close: true)
    }

    // MARK: Sending

    private func headers(_ answer: Answer, length: Int?, close: Bool) -> HTTPHeaders {
        var headers = HTTPHeaders(answer.guards)
        headers.add(name: "Content-Type", value: answer.type)
        headers.add(name: "Cache-Control", value: answer.isStored ? "no-cache" : "no-store")
        if let length, answer.status != .noContent {
            headers.add(name: "Content-Length", value: String(length))
        }
        if let allow = answer.allow { headers.add(name: "Allow", value: allow) }
        if close { headers.add(name: "Connection", value: "close") }
        return headers
    }

    private func send(
        plain answer: Answer, _ head: HTTPRequestHead, _ context: ChannelHandlerContext, close: Bool
    ) {
        if case .bytes(let bytes) = answer.body { send(bytes, answer, head, context, close: close) }
    }

    private func send(
        _ bytes: ByteBuffer, _ answer: Answer, _ head: HTTPRequestHead, _ context: ChannelHandlerContext,
        close: Bool
    ) {
        put(answer, headers(answer, length: bytes.readableBytes, close: close), head, context)
        if head.method != .HEAD, bytes.readableBytes > 0 {
            context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
        }
        end(context, close: close)
    }

    private func send(
        file path: String, _ answer: Answer, _ head: HTTPRequestHead, _ context: ChannelHandlerContext,
        close: Bool
    ) {
        guard let file = FileAnswer(path: path) else {
            return send(plain: .text(.notFound, "There is nothing here."), head, context, close: close)
        }
        put(answer, headers(answer, length: file.size, close: close), head, context)
        if head.method == .HEAD { return end(context, close: close) }
        sendRest(of: file, context, close: close)
    }

    /// A piece when the one before it was taken. A length was promised: a file that cannot keep it ends the connection.
    private func sendRest(of file: FileAnswer, _ context: ChannelHandlerContext, close: Bool) {
        guard !file.isOver else { return end(context, close: close) }
        guard let piece = file.next(context.channel.allocator) else { return context.close(promise: nil) }
        let loop = context.eventLoop.assumeIsolated()
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(piece)))).assumeIsolated().whenSuccess {
            [self] in
            // Not at once: one reader who is quick must not keep the loop from the others.
            loop.execute { [self] in
                if context.channel.isActive { sendRest(of: file, context, close: close) }
            }
        }
    }

    private func put(
        _ answer: Answer, _ headers: HTTPHeaders, _ head: HTTPRequestHead, _ context: ChannelHandlerContext
    ) {
        let response = HTTPResponseHead(version: head.version, status: answer.status, headers: headers)
        context.write(wrapOutboundOut(.head(response)), promise: nil)
    }

    private func end(_ context: ChannelHandlerContext, close: Bool) {
        let loop = context.eventLoop.assumeIsolated()
        context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenSuccess { [self] in
            if close { return context.close(promise: nil) }
            // Not at once: requests that were sent ahead are answered in turn with everybody else's.
            loop.execute { [self] in
                guard context.channel.isActive else { return }
                isAnswering = false
                parts.connections.isActive(context.channel)
                context.triggerUserOutboundEvent(GateEvent.answerTaken, promise: nil)
            }
        }
    }

    private func stream(
        _ answer: Answer, _ head: HTTPRequestHead, _ context: ChannelHandlerContext, _ told: StateVariant,
        isWall: Bool
    ) {
        if head.method == .HEAD {
            put(answer, headers(answer, length: nil, close: true), head, context)
            return end(context, close: true)
        }
        // Without an answer: a browser tries again after a lost connection, and gives up after a refusal.
        guard parts.connections.beginStream(context.channel, by: door, isWall: isWall) else {
            return context.close(promise: nil)
        }
        put(answer, headers(answer, length: nil, close: true), head, context)
        context.flush()
        // It may stay for years; slow readers are looked after by the hub.
        context.triggerUserOutboundEvent(GateEvent.streaming, promise: nil)
        parts.broadcaster.listen(context.channel, told)
    }

    /// Another time's state is asked of adhand on a thread of its own: the loop waits for nobody.
    private func look(
        at text: String, _ view: String, _ head: HTTPRequestHead, _ context: ChannelHandlerContext,
        close: Bool
    ) {
        guard let now = InstantText.parse(text) else {
            let answer = Answer.text(.badRequest, "now is an instant such as 2026-11-21T18:00:00Z.")
            return send(plain: answer, head, context, close: close)
        }
        let poller = parts.router.poller
        let promise = context.eventLoop.makePromise(of: [UInt8].self)
        startThread("preview") {
            switch poller.document(at: now, view: view) {
            case .success(let bytes): promise.succeed(bytes)
            case .failure(let failure): promise.fail(failure)
            }
        }
        promise.futureResult.assumeIsolated().whenComplete { [self] result in
            guard context.channel.isActive else { return }
            let answer: Answer
            switch result {
            case .success(let bytes): answer = .json(ByteBuffer(bytes: bytes))
            case .failure(let error):
                answer = .text(.serviceUnavailable, (error as? ServerError)?.message ?? "\(error)")
            }
            send(plain: answer, head, context, close: close)
        }
    }
}
