internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import PrayerEngine
internal import ScreenPlan
internal import Texts
internal import WebServer

/// Handles the requests of one connection one at a time: the gate in front admits the next request once the answer is sent.
final class RequestHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    private let parts: HandlerParts
    private let caller: Caller
    private var isAnswering = false
    private var writer: AnswerWriter?

    init(_ parts: HandlerParts, caller: Caller) {
        self.parts = parts
        self.caller = caller
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        writer = AnswerWriter(
            guards: Reply.guards(mayTouch: parts.router.touch && caller == .machine)
        ) { [self] in
            isAnswering = false
            parts.connections.noteActivity(of: channel)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { writer = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data) else { return }
        // The parser found two requests where the gate saw one. They disagree about the bytes, so the connection is closed.
        guard !isAnswering else { return context.close(promise: nil) }
        isAnswering = true
        parts.connections.noteActivity(of: context.channel)
        let reply = parts.router.reply(
            head, address: context.channel.localAddress?.plainAddress, caller: caller)
        switch reply {
        case .answer(let answer):
            // No request here has a body, so a connection with one is closed.
            let isOver =
                !head.isKeepAlive || answer.status == .badRequest || answer.status == .methodNotAllowed
            writer?.send(answer, to: head, context, close: isOver)
        case .events(let variant, let isWall): stream(head, context, variant, isWall: isWall)
        case .stateAt(let text, let view): sendState(at: text, view, head, context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard context.channel.isActive, error is HTTPParserError, !isAnswering else {
            context.close(promise: nil)
            return
        }
        isAnswering = true
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
        // The parser refuses some requests that the gate admits, by the number of fields and the length of names.
        let isLong = error as? HTTPParserError == .headerOverflow
        let answer =
            isLong
            ? Answer.text(.requestHeaderFieldsTooLarge, "The request has too many headers.")
            : Answer.text(.badRequest, "That is no HTTP request.")
        writer?.send(answer, to: head, context, close: true)
    }

    private func stream(
        _ head: HTTPRequestHead, _ context: ChannelHandlerContext, _ variant: StateVariant, isWall: Bool
    ) {
        let type = "text/event-stream; charset=utf-8"
        if head.method == .HEAD {
            writer?.beginStream(type, to: head, context)
            return
        }
        // Closes the connection without an answer, because a browser reconnects after a lost connection and gives up after a
        // refusal.
        guard
            caller == .launcher || parts.connections.beginStream(context.channel, isWall: isWall)
        else { return context.close(promise: nil) }
        // A stream may last for years. The broadcaster handles slow readers.
        writer?.beginStream(type, to: head, context)
        parts.broadcaster.listen(context.channel, variant)
    }

    /// Asks adhand for the state at another time on a thread of its own, so that the loop never blocks.
    private func sendState(
        at text: String, _ view: String, _ head: HTTPRequestHead, _ context: ChannelHandlerContext
    ) {
        let close = !head.isKeepAlive
        guard let now = InstantText.parse(text) else {
            let answer = Answer.text(.badRequest, "now is an instant such as 2026-11-21T18:00:00Z.")
            writer?.send(answer, to: head, context, close: close)
            return
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
            writer?.send(answer, to: head, context, close: close)
        }
    }
}
