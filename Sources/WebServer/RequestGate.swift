package import NIOCore

/// Events that other handlers of a connection send to the gate.
package enum GateEvent: Sendable {
    /// The request has a body of this many bytes, which arrives before the answer. Sent while the head is handled.
    case bodyFollows(Int, within: TimeAmount)
    /// The answer takes longer than usual; it has this much time from now on.
    case answerIn(TimeAmount)
    /// The whole answer was sent: the next request may come in.
    case answerSent
    /// The answer continues until one side disconnects: no further request comes in.
    case streaming
    /// The answer is the last one, and the caller may still send this many bytes.
    case refused(Int)
}

/// Precedes the parser and admits one request at a time: the next is neither read nor parsed before the answer to the previous
/// one was sent. So a connection holds one answer and one open file at most, however many requests are pipelined.
///
/// Limits a request's head by size (8 KB) and time, a body as the handler requests, and the answer by time. A deadline belongs
/// to one step and is not renewed by bytes that arrive meanwhile.
package final class RequestGate: ChannelDuplexHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer
    package typealias OutboundIn = IOData
    package typealias OutboundOut = IOData

    static let longestHead = 8192
    /// The time for a head, from its first byte or from the connection's start.
    static let headPatience = TimeAmount.seconds(10)
    /// The time in which an answer must be sent, and the time that a connection may stay without a request afterwards.
    static let answerPatience = TimeAmount.seconds(60)
    static let idlePatience = TimeAmount.seconds(60)
    /// The bytes of an oversized request that are read and dropped, so that a reset does not lose the answer; and the time for
    /// it, if the request is a whole file.
    private static let mostDroppedBytes = 1 << 20
    private static let mostDroppedFile = 32 << 20
    /// The bytes that the system may buffer while a body longer than ``Listener/mostReceivedBytes`` arrives.
    static let bodyRoomBytes = 256 << 10
    private static let dropPatience = TimeAmount.milliseconds(500)
    private static let dropFilePatience = TimeAmount.seconds(20)
    /// The bytes that may wait behind a request: as many as the system had received already.
    private static let mostHeldBytes = 1 << 18

    private enum Step { case waitingForHead, readingHead, readingBody, answering, streaming, refused }

    /// Whether every line of a head must end with CR LF.
    private let isStrict: Bool
    private var step = Step.waitingForHead
    /// The bytes of the body that have not arrived.
    private var bodyLeftBytes = 0
    private var count = 0
    /// The number of bytes of CR LF CR LF that have been matched.
    private var matched = 0
    private var dropsLeft = mostDroppedBytes
    private var held = ByteBuffer()
    private var isReadDue = false
    private var isWide = false
    /// Whether the whole request has arrived.
    private var isBodyOver = false
    private var deadline: Scheduled<Void>?

    package init(isStrict: Bool = false) {
        self.isStrict = isStrict
    }

    package func channelActive(context: ChannelHandlerContext) {
        arm(Self.headPatience, context)
        context.fireChannelActive()
    }

    package func channelInactive(context: ChannelHandlerContext) {
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

    // MARK: Incoming

    package func read(context: ChannelHandlerContext) {
        switch step {
        case .answering, .streaming: isReadDue = true
        case .waitingForHead, .readingHead, .readingBody, .refused: context.read()
        }
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        switch step {
        case .waitingForHead, .readingHead: admit(&buffer, context)
        case .readingBody: passBody(&buffer, context)
        case .answering:
            held.writeBuffer(&buffer)
            if held.readableBytes > Self.mostHeldBytes { context.close(promise: nil) }
        // Ignore requests on a stream of events.
        case .streaming: break
        case .refused:
            dropsLeft -= buffer.readableBytes
            if dropsLeft < 0 { context.close(promise: nil) }
        }
    }

    /// Passes on the bytes of one head, and keeps the rest.
    private func admit(_ buffer: inout ByteBuffer, _ context: ChannelHandlerContext) {
        guard buffer.readableBytes > 0 else { return }
        if step == .waitingForHead {
            step = .readingHead
            arm(Self.headPatience, context)
        }
        var length = 0
        var isWhole = false
        var isLoose = false
        for byte in buffer.readableBytesView {
            length += 1
            count += 1
            switch (byte, matched) {
            case (0x0D, 0), (0x0D, 2), (0x0A, 1): matched += 1
            case (0x0A, 3): isWhole = true
            case (0x0A, _) where isStrict: isLoose = true
            case (0x0D, _): matched = 1
            default: matched = 0
            }
            if isWhole || isLoose || count > Self.longestHead { break }
        }
        guard count <= Self.longestHead else {
            return refuse(
                "431 Request Header Fields Too Large",
                "The request's headers are longer than \(Self.longestHead) bytes.", context)
        }
        if isLoose { return refuse("400 Bad Request", "Every line of a head ends with CR LF.", context) }
        let head = buffer.readSlice(length: length) ?? ByteBuffer()
        if isWhole {
            (count, matched) = (0, 0)
            step = .answering
            arm(Self.answerPatience, context)
            held = buffer
        }
        context.fireChannelRead(wrapInboundOut(head))
        guard step == .readingBody, held.readableBytes > 0 else { return }
        var rest = held
        held = ByteBuffer()
        passBody(&rest, context)
    }

    /// Passes on the bytes of the body, and keeps the rest.
    private func passBody(_ buffer: inout ByteBuffer, _ context: ChannelHandlerContext) {
        let part = buffer.readSlice(length: min(bodyLeftBytes, buffer.readableBytes)) ?? ByteBuffer()
        bodyLeftBytes -= part.readableBytes
        if bodyLeftBytes == 0 {
            step = .answering
            arm(Self.answerPatience, context)
            held = buffer
            isBodyOver = true
            if isWide { hold(Listener.mostReceivedBytes, context) }
        }
        context.fireChannelRead(wrapInboundOut(part))
    }

    /// Limits the bytes that the system buffers for incoming data. With less than a few segments, which are 64 KB on a
    /// loopback, the sender waits for a timer before each segment: 20 MB took two minutes.
    private func hold(_ bytes: Int, _ context: ChannelHandlerContext) {
        isWide = bytes > Listener.mostReceivedBytes
        _ = context.channel.setOption(.socketOption(.so_rcvbuf), value: .init(bytes))
    }

    // MARK: Outgoing

    package func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        switch event as? GateEvent {
        case .bodyFollows(let length, let patience)?:
            if step == .answering, length > 0 {
                step = .readingBody
                bodyLeftBytes = length
                if length > Listener.mostReceivedBytes { hold(Self.bodyRoomBytes, context) }
                arm(patience, context)
            }
        case .answerIn(let patience)?: if step == .answering { arm(patience, context) }
        case .answerSent?: open(context)
        case .refused(let length)?: drop(length, context)
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
        (step, isBodyOver) = (.waitingForHead, false)
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

    private func refuse(_ status: String, _ sentence: String, _ context: ChannelHandlerContext) {
        let body = sentence + "\n"
        let text =
            "HTTP/1.1 \(status)\r\nContent-Type: text/plain; charset=utf-8\r\n"
            + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\nX-Content-Type-Options: nosniff\r\n\r\n"
            + body
        let buffer = context.channel.allocator.buffer(string: text)
        step = .refused
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(buffer)), promise: nil)
        arm(Self.dropPatience, context)
    }

    /// Reads and drops further bytes for a moment: if a connection is closed before the caller has finished sending, it is
    /// reset, and the answer is lost.
    private func drop(_ length: Int, _ context: ChannelHandlerContext) {
        let isFile = !isBodyOver && length > Self.mostDroppedBytes && length <= Self.mostDroppedFile
        step = .refused
        dropsLeft = isFile ? Self.mostDroppedFile : Self.mostDroppedBytes
        held.clear()
        arm(isFile ? Self.dropFilePatience : Self.dropPatience, context)
        if isFile { hold(Self.bodyRoomBytes, context) }
        context.close(mode: .output, promise: nil)
        guard isReadDue else { return }
        isReadDue = false
        context.read()
    }
}
