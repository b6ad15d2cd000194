package import NIOCore
package import NIOHTTP1

/// Sends the answers of one connection. Used on the event loop only.
package final class AnswerWriter {
    /// Headers of every answer, which limit what a browser may do with it.
    private let guards: [(String, String)]
    private let onSent: () -> Void

    /// - Parameter onSent: called when an answer was sent, before the next request may come in.
    package init(guards: [(String, String)], onSent: @escaping () -> Void) {
        self.guards = guards
        self.onSent = onSent
    }

    /// - Parameter close: whether this answer is the connection's last one.
    package func send(
        _ answer: Answer, to head: HTTPRequestHead, _ context: ChannelHandlerContext, close: Bool
    ) {
        switch answer.body {
        case .bytes(let bytes):
            put(answer, length: bytes.readableBytes, to: head, context, close: close)
            if head.method != .HEAD, bytes.readableBytes > 0 { write(.body(.byteBuffer(bytes)), context) }
            end(head, context, close: close)
        case .file(let path):
            guard let file = FileAnswer(path: path) else {
                return send(.text(.notFound, "There is nothing here."), to: head, context, close: close)
            }
            put(answer, length: file.size, to: head, context, close: close)
            if head.method == .HEAD { return end(head, context, close: close) }
            sendRest(of: file, to: head, context, close: close)
        }
    }

    /// Sends the head of an answer that continues until one side disconnects.
    package func beginStream(_ type: String, to head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let answer = Answer(type: type, body: .bytes(ByteBuffer()))
        put(answer, length: nil, to: head, context, close: true)
        if head.method == .HEAD { return end(head, context, close: true) }
        context.flush()
        context.triggerUserOutboundEvent(GateEvent.streaming, promise: nil)
    }

    private func write(_ part: HTTPServerResponsePart, _ context: ChannelHandlerContext) {
        context.write(NIOAny(part), promise: nil)
    }

    private func put(
        _ answer: Answer, length: Int?, to head: HTTPRequestHead, _ context: ChannelHandlerContext,
        close: Bool
    ) {
        var headers = HTTPHeaders(guards)
        headers.add(name: "Content-Type", value: answer.type)
        headers.add(name: "Cache-Control", value: answer.isStored ? "no-cache" : "no-store")
        if let length, answer.status != .noContent {
            headers.add(name: "Content-Length", value: String(length))
        }
        if let allow = answer.allow { headers.add(name: "Allow", value: allow) }
        for (name, value) in answer.headers { headers.add(name: name, value: value) }
        if close { headers.add(name: "Connection", value: "close") }
        write(
            .head(HTTPResponseHead(version: head.version, status: answer.status, headers: headers)), context)
    }

    /// Sends a piece once the previous one was sent. A file that became shorter than the promised length ends the connection.
    private func sendRest(
        of file: FileAnswer, to head: HTTPRequestHead, _ context: ChannelHandlerContext, close: Bool
    ) {
        guard !file.isOver else { return end(head, context, close: close) }
        guard let piece = file.next(context.channel.allocator) else { return context.close(promise: nil) }
        let loop = context.eventLoop.assumeIsolated()
        let part = HTTPServerResponsePart.body(.byteBuffer(piece))
        context.writeAndFlush(NIOAny(part)).assumeIsolated().whenSuccess { [self] in
            // Wait for the next turn of the loop, so that one fast reader does not hold up the others.
            loop.execute { [self] in
                if context.channel.isActive { sendRest(of: file, to: head, context, close: close) }
            }
        }
    }

    private func end(_ head: HTTPRequestHead, _ context: ChannelHandlerContext, close: Bool) {
        let loop = context.eventLoop.assumeIsolated()
        let part = HTTPServerResponsePart.end(nil)
        context.writeAndFlush(NIOAny(part)).assumeIsolated().whenSuccess { [self] in
            if close, let length = Self.announcedBody(head) {
                context.triggerUserOutboundEvent(GateEvent.refused(length), promise: nil)
                return
            }
            if close { return context.close(promise: nil) }
            // Wait for the next turn of the loop, so that pipelined requests alternate with those of other callers.
            loop.execute { [self] in
                guard context.channel.isActive else { return }
                onSent()
                context.triggerUserOutboundEvent(GateEvent.answerSent, promise: nil)
            }
        }
    }

    /// The announced number of bytes that follow the head; 0 if none is announced.
    private static func announcedBody(_ head: HTTPRequestHead) -> Int? {
        let lengths = head.headers["Content-Length"]
        guard !head.headers["Transfer-Encoding"].isEmpty || lengths.contains(where: { $0 != "0" }) else {
            return nil
        }
        return lengths.count == 1 ? max(0, lengths.first.flatMap { Int($0) } ?? 0) : 0
    }
}
