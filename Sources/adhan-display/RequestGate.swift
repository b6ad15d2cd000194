internal import NIOCore

/// Events between a connection's parts on their way to the gate.
enum GateEvent: Sendable {
    /// The caller has taken all of the answer: the next request may come in.
    case answerTaken
    /// The answer goes on until one side goes away: no further request comes in.
    case streaming
}

/// Stands before the parser and lets one request in at a time: the next is neither read nor parsed before the answer to the last
/// was taken. So a connection holds one answer and one open file at most, whatever is sent ahead.
///
/// Bounds a request's head by bytes (8 KB) and time, and the answer by time. A deadline belongs to one step and is not renewed by
/// bytes that come meanwhile.
final class RequestGate: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    static let longestHead = 8192
    /// From the first byte of a head, or from the connection's start, to its end.
    static let headPatience = TimeAmount.seconds(10)
    /// How long a caller may take for an answer, and may stay without a question afterwards.
    static let answerPatience = TimeAmount.seconds(60)
    static let idlePatience = TimeAmount.seconds(60)
    /// How much of what is too long is read and dropped, so that the answer is not lost in a reset.
    private static let mostDropped = 1 << 20
    /// The bytes that may wait behind a request: as much as the system had received already.
    private static let mostHeld = 1 << 18

    private enum Step { case waitingForHead, readingHead, answering, streaming, refused }

    private var step = Step.waitingForHead
    private var count = 0
    /// How many bytes of CR LF CR LF have been seen.
    private var matched = 0
    private var dropped = 0
    private var held = ByteBuffer()
    private var isReadDue = false
    private var deadline: Scheduled<Void>?

    func channelActive(context: ChannelHandlerContext) {
        arm(Self.headPatience, context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = nil
        held.clear()
        context.fireChannelInactive()
    }

    private func arm(_ patienceSeconds: TimeAmount, _ context: ChannelHandlerContext) {
        deadline?.cancel()
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: patienceSeconds) { channel.close(promise: nil) }
    }

    // MARK: In

    func read(context: ChannelHandlerContext) {
        switch step {
        case .answering, .streaming: isReadDue = true
        case .waitingForHead, .readingHead, .refused: context.read()
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        switch step {
        case .waitingForHead, .readingHead: admit(&buffer, context)
        case .answering:
            held.writeBuffer(&buffer)
            if held.readableBytes > Self.mostHeld { context.close(promise: nil) }
        // Nothing is asked on a stream of events.
        case .streaming: break
        case .refused:
            dropped += buffer.readableBytes
            if dropped > Self.mostDropped { context.close(promise: nil) }
        }
    }

    /// Passes on what belongs to one head, and keeps the rest.
    private func admit(_ buffer: inout ByteBuffer, _ context: ChannelHandlerContext) {
        guard buffer.readableBytes > 0 else { return }
        if step == .waitingForHead {
            step = .readingHead
            arm(Self.headPatience, context)
        }
        var length = 0
        var isWhole = false
        for byte in buffer.readableBytesView {
            length += 1
            count += 1
            switch (byte, matched) {
            case (0x0D, 0), (0x0D, 2), (0x0A, 1): matched += 1
            case (0x0A, 3): isWhole = true
            case (0x0D, _): matched = 1
            default: matched = 0
            }
            if isWhole || count > Self.longestHead { break }
        }
        guard count <= Self.longestHead else { return refuse(context) }
        let head = buffer.readSlice(length: length) ?? ByteBuffer()
        if isWhole {
            (count, matched) = (0, 0)
            step = .answering
            arm(Self.answerPatience, context)
            held = buffer
        }
        context.fireChannelRead(wrapInboundOut(head))
    }

    // MARK: Out

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        switch event as? GateEvent {
        case .answerTaken?: open(context)
        case .streaming?:
            step = .streaming
            deadline?.cancel()
            deadline = nil
            held.clear()
        case nil: return context.triggerUserOutboundEvent(event, promise: promise)
        }
        promise?.succeed(())
    }

    private func open(_ context: ChannelHandlerContext) {
        guard step == .answering else { return }
        step = .waitingForHead
        arm(Self.idlePatience, context)
        var rest = held
        held = ByteBuffer()
        if rest.readableBytes > 0 {
            admit(&rest, context)
            context.fireChannelReadComplete()
        }
        if isReadDue, step != .answering {
            isReadDue = false
            context.read()
        }
    }

    private func refuse(_ context: ChannelHandlerContext) {
        step = .refused
        deadline?.cancel()
        let body = "The request's headers are longer than \(Self.longestHead) bytes.\n"
        let text =
            "HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Type: text/plain; charset=utf-8\r\n"
            + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\nX-Content-Type-Options: nosniff\r\n\r\n"
            + body
        let buffer = context.channel.allocator.buffer(string: text)
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(buffer)), promise: nil)
        arm(.milliseconds(500), context)
    }
}
