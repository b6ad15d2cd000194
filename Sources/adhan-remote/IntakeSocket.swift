internal import NIOCore
internal import NIOPosix
internal import PhoneRules
internal import Protocol
internal import Texts

/// The intake, which alone looks into files: a line, the bytes of a file, and a line back.
struct IntakeSocket: Sendable {
    let path: String
    let loop: any EventLoop

    /// How long it may take for an answer once it has all of a file: a recording is decoded to its end.
    static let patience = TimeAmount.seconds(300)

    /// A connection on which the request was sent, and the answer to come.
    struct Call: Sendable {
        let channel: any Channel
        let reply: EventLoopFuture<IntakeReply>
    }

    /// - Returns: fails with ``RemoteRefusal`` where nobody listens.
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

    /// An act without a file; waits, so it is called on a thread of its own.
    /// - Throws: where there is no answer; what the intake refuses is in the answer.
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

/// Collects the answer, which is one line; the intake closes behind it.
private final class IntakeAnswerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let promise: EventLoopPromise<IntakeReply>
    private var answer = ByteBuffer()
    private var isDone = false

    /// Findings of a whole year are many.
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
