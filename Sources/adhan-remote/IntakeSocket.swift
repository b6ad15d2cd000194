internal import NIOCore
internal import NIOPosix
internal import PhoneRules
internal import Protocol
internal import Texts

/// The socket of the intake, the only program that parses uploaded files. The protocol is a line, the bytes of a file, and a
/// line in return.
struct IntakeSocket: Sendable {
    let path: String
    let loop: any EventLoop

    /// The limit for an answer after the whole file has been sent: a recording is decoded to its end.
    static let patience = TimeAmount.seconds(300)

    /// A connection on which the request was sent, and its future answer.
    struct Call: Sendable {
        let channel: any Channel
        let reply: EventLoopFuture<IntakeReply>
    }

    /// - Returns: a call, or a failure with ``RemoteRefusal`` if the intake does not answer.
    func call(_ request: IntakeRequest) -> EventLoopFuture<Call> {
        let (loop, promise) = (loop, loop.makePromise(of: IntakeReply.self))
        let head = ((try? JSON.encode(request)) ?? []) + [0x0A]
        return ClientBootstrap(group: loop).connectTimeout(.seconds(5))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(IntakeAnswerHandler(promise))
                }
            }
            .connect(unixDomainSocketPath: path)
            .flatMapErrorThrowing { _ in
                promise.fail(RemoteRefusal.noIntake)
                throw RemoteRefusal.noIntake
            }
            .flatMap { channel in
                channel.writeAndFlush(ByteBuffer(bytes: head)).map {
                    Call(channel: channel, reply: promise.futureResult)
                }
                .flatMapError { _ in
                    loop.makeSucceededFuture(Call(channel: channel, reply: promise.futureResult))
                }
            }
    }

    /// Requests an act without a file. It blocks, so it is called on a thread of its own.
    /// - Throws: only if there is no answer. A refusal of the intake is part of the answer.
    func ask(_ request: IntakeRequest) throws(RemoteRefusal) -> IntakeReply {
        do {
            return try call(request).flatMap { call in
                let limit = call.channel.eventLoop.scheduleTask(in: Self.patience) {
                    call.channel.close(promise: nil)
                }
                return call.reply.always { _ in limit.cancel() }
            }.wait()
        } catch {
            throw error as? RemoteRefusal ?? .noIntake
        }
    }
}

/// Collects the answer, which is one line. The intake closes the connection after it.
private final class IntakeAnswerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let promise: EventLoopPromise<IntakeReply>
    private var answer = ByteBuffer()
    private var isDone = false

    /// The longest answer, which may list findings of a whole year.
    private static let longest = 1 << 18

    init(_ promise: EventLoopPromise<IntakeReply>) { self.promise = promise }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var part = unwrapInboundIn(data)
        answer.writeBuffer(&part)
        let isWhole = answer.readableBytesView.last == 0x0A
        if isWhole || answer.readableBytes > Self.longest { end(context) }
    }

    func channelInactive(context: ChannelHandlerContext) { end(context) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { end(context) }

    private func end(_ context: ChannelHandlerContext) {
        guard !isDone else { return }
        isDone = true
        if let reply = try? JSON.decode(IntakeReply.self, from: Array(answer.readableBytesView)) {
            promise.succeed(reply)
        } else {
            promise.fail(RemoteRefusal.noIntake)
        }
        context.close(promise: nil)
    }
}
