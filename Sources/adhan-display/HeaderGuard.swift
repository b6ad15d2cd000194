internal import NIOCore

/// Bounds what stands before the parser: a request's head of 8 KB at most, and whole within ten seconds. Counts bytes alone, so
/// that nothing is kept of what is too long.
final class HeaderGuard: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    static let longestHead = 8192
    static let patience = TimeAmount.seconds(10)
    /// How much of what is too long is read and dropped, so that the answer is not lost in a reset.
    private static let mostDropped = 1 << 20

    private var count = 0
    /// How many bytes of CR LF CR LF have been seen.
    private var matched = 0
    private var dropped = 0
    private var isRefused = false
    private var deadline: Scheduled<Void>?

    func channelActive(context: ChannelHandlerContext) {
        arm(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    /// A caller who has begun to speak, or has just come, is to finish.
    private func arm(_ context: ChannelHandlerContext) {
        guard deadline == nil else { return }
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        if isRefused {
            dropped += buffer.readableBytes
            if dropped > Self.mostDropped { context.close(promise: nil) }
            return
        }
        arm(context)
        for byte in buffer.readableBytesView {
            count += 1
            switch (byte, matched) {
            case (0x0D, 0), (0x0D, 2), (0x0A, 1): matched += 1
            case (0x0A, 3):
                guard count <= Self.longestHead else { return refuse(context) }
                (count, matched) = (0, 0)
                deadline?.cancel()
                deadline = nil
            case (0x0D, _): matched = 1
            default: matched = 0
            }
            if count > Self.longestHead { return refuse(context) }
        }
        context.fireChannelRead(data)
    }

    private func refuse(_ context: ChannelHandlerContext) {
        isRefused = true
        deadline?.cancel()
        let body = "The request's headers are longer than \(Self.longestHead) bytes.\n"
        let text =
            "HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Type: text/plain; charset=utf-8\r\n"
            + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\nX-Content-Type-Options: nosniff\r\n\r\n"
            + body
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(string: text)), promise: nil)
        let channel = context.channel
        context.eventLoop.scheduleTask(in: .milliseconds(500)) { channel.close(promise: nil) }
    }
}
