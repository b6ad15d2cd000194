internal import AdhanCore
internal import DisplayProgramme
internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import PrayerEngine

/// One connection's requests, one after another.
final class RequestHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let router: Router
    private let hub: Hub
    private let audience: Audience
    private var deadline: Scheduled<Void>?

    /// How long a caller may take for an answer, and may stay without asking anything.
    private static let patience = TimeAmount.seconds(60)

    init(router: Router, hub: Hub, audience: Audience) {
        self.audience = audience
        self.router = router
        self.hub = hub
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data) else { return }
        wait(context)
        let answer = router.answer(
            head, address: context.channel.localAddress?.plainAddress, audience: audience)
        // Whoever sends a body is not understood further.
        let isOver = !head.isKeepAlive || answer.status == .badRequest || answer.status == .methodNotAllowed
        switch answer.body {
        case .bytes(let bytes): send(bytes, answer, head, context, close: isOver)
        case .file(let path): send(file: path, answer, head, context, close: isOver)
        case .events: stream(answer, head, context)
        case .stateAt(let text): look(at: text, head, context, close: isOver)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard context.channel.isActive, error is HTTPParserError else {
            context.close(promise: nil)
            return
        }
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
        // The parser has limits of its own beside the guard's: so many fields, so long a name.
        let isLong = error as? HTTPParserError == .headerOverflow
        let answer =
            isLong
            ? Answer.text(.requestHeaderFieldsTooLarge, "The request has too many headers.")
            : Answer.text(.badRequest, "That is no HTTP request.")
        if case .bytes(let bytes) = answer.body { send(bytes, answer, head, context, close: true) }
    }

    private func wait(_ context: ChannelHandlerContext) {
        deadline?.cancel()
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
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
        _ bytes: [UInt8], _ answer: Answer, _ head: HTTPRequestHead, _ context: ChannelHandlerContext,
        close: Bool
    ) {
        put(answer, headers(answer, length: bytes.count, close: close), head, context)
        if head.method != .HEAD, !bytes.isEmpty {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: nil)
        }
        end(context, close: close)
    }

    private func send(
        file path: String, _ answer: Answer, _ head: HTTPRequestHead, _ context: ChannelHandlerContext,
        close: Bool
    ) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        var status = stat()
        guard descriptor >= 0, unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG
        else {
            if descriptor >= 0 { Glibc.close(descriptor) }
            let answer = Answer.text(.notFound, "There is nothing here.")
            if case .bytes(let bytes) = answer.body { send(bytes, answer, head, context, close: close) }
            return
        }
        let size = Int(status.st_size)
        put(answer, headers(answer, length: size, close: close), head, context)
        let handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: descriptor)
        if head.method != .HEAD, size > 0 {
            let region = FileRegion(fileHandle: handle, readerIndex: 0, endIndex: size)
            context.write(wrapOutboundOut(.body(.fileRegion(region)))).assumeIsolated().whenComplete { _ in
                try? handle.close()
            }
        } else {
            try? handle.close()
        }
        end(context, close: close)
    }

    private func put(
        _ answer: Answer, _ headers: HTTPHeaders, _ head: HTTPRequestHead, _ context: ChannelHandlerContext
    ) {
        let response = HTTPResponseHead(version: head.version, status: answer.status, headers: headers)
        context.write(wrapOutboundOut(.head(response)), promise: nil)
    }

    private func end(_ context: ChannelHandlerContext, close: Bool) {
        let channel = context.channel
        let sent = context.writeAndFlush(wrapOutboundOut(.end(nil)))
        if close { sent.whenComplete { _ in channel.close(promise: nil) } }
    }

    private func stream(_ answer: Answer, _ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        put(answer, headers(answer, length: nil, close: true), head, context)
        if head.method == .HEAD { return end(context, close: true) }
        context.flush()
        // It may stay for years; slow readers are looked after by the hub.
        deadline?.cancel()
        hub.listen(context, audience)
    }

    /// Another time's state is asked of adhand on a thread of its own: the loop waits for nobody.
    private func look(at text: String, _ head: HTTPRequestHead, _ context: ChannelHandlerContext, close: Bool)
    {
        guard let now = InstantText.parse(text) else {
            let answer = Answer.text(.badRequest, "now is an instant such as 2026-11-21T18:00:00Z.")
            if case .bytes(let bytes) = answer.body { send(bytes, answer, head, context, close: close) }
            return
        }
        let follower = router.follower
        let promise = context.eventLoop.makePromise(of: [UInt8].self)
        startThread("preview") {
            switch follower.document(at: now) {
            case .success(let bytes): promise.succeed(bytes)
            case .failure(let failure): promise.fail(failure)
            }
        }
        promise.futureResult.assumeIsolated().whenComplete { [self] result in
            guard context.channel.isActive else { return }
            let answer: Answer
            switch result {
            case .success(let bytes): answer = .json(bytes)
            case .failure(let error):
                answer = .text(.serviceUnavailable, (error as? ServerError)?.message ?? "\(error)")
            }
            if case .bytes(let bytes) = answer.body { send(bytes, answer, head, context, close: close) }
        }
    }
}
