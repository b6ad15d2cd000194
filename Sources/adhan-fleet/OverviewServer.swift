internal import CommandKit
internal import FleetPlan
internal import Host
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import Texts
internal import WebServer

/// Serves the overview, figures and health to this machine only, and changes nothing.
final class OverviewServer {
    private let channel: any Channel
    let address: String

    /// The most bytes that wait to be sent. The page of ten thousand boxes has 1.7 MB, and its readers are on this machine.
    private static let mostSentBytes = 256 << 10

    init(_ listen: String, _ watch: FleetWatcher) throws(FleetError) {
        guard let address = ListenAddress(argument: listen) else {
            throw FleetError(.invalidInput, "watch.listen is no address with a port")
        }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            channel = try Listener(.own(address)).open(on: group, mostSentBytes: Self.mostSentBytes) { _ in
                OverviewHandler(watch)
            }
        } catch let error as ServerError where error.isAddressTaken {
            throw FleetError(
                .failed,
                "another program listens on \(listen) already, perhaps a watch of this folder; end that one, or write another listen under [watch] of \(FleetConfig.fileName)"
            )
        } catch let error as ServerError {
            throw FleetError(.failed, error.message)
        } catch {
            throw FleetError(.failed, "cannot listen on \(listen): \(error)")
        }
        self.address = listen
    }
}

/// Answers the requests of one connection one at a time: the gate in front admits the next request once the answer is sent.
private final class OverviewHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    private let watch: FleetWatcher
    private var isAnswering = false
    private var writer: AnswerWriter?

    init(_ watch: FleetWatcher) { self.watch = watch }

    func handlerAdded(context: ChannelHandlerContext) {
        writer = AnswerWriter(guards: OverviewPage.headers) { [self] in isAnswering = false }
    }

    func handlerRemoved(context: ChannelHandlerContext) { writer = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data) else { return }
        guard !isAnswering else { return context.close(promise: nil) }
        isAnswering = true
        let answer = answer(to: head)
        writer?.send(
            answer, to: head, context,
            close: !head.isKeepAlive || answer.status == .methodNotAllowed)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func answer(to head: HTTPRequestHead) -> Answer {
        guard head.method == .GET || head.method == .HEAD else {
            var refusal = Answer.text(.methodNotAllowed, "This page only reads.")
            refusal.allow = "GET, HEAD"
            return refusal
        }
        switch head.uri.prefix(while: { $0 != "?" }) {
        case "/":
            var page = Answer(
                type: "text/html; charset=utf-8",
                body: .bytes(ByteBuffer(string: OverviewPage.html(watch.overview()))))
            page.headers = [("Refresh", "30")]
            return page
        case "/style.css":
            return Answer(
                type: "text/css; charset=utf-8", body: .bytes(ByteBuffer(string: OverviewPage.style)))
        case "/metrics":
            return Answer(
                type: "text/plain; version=0.0.4; charset=utf-8",
                body: .bytes(ByteBuffer(string: watch.metrics())))
        case "/status.json":
            guard let bytes = try? JSON.encode(watch.overview()) else {
                return .text(.internalServerError, "The overview has no form as JSON.")
            }
            return .json(ByteBuffer(bytes: bytes))
        case "/enrol":
            do throws(FileError) {
                return Answer(
                    type: "text/html; charset=utf-8", body: .bytes(ByteBuffer(string: try watch.enrolPage()))
                )
            } catch {
                return .text(.internalServerError, error.message)
            }
        case "/healthz":
            return watch.isHealthy
                ? .text(.ok, "ok") : .text(.serviceUnavailable, "The broker is away, or nothing is assessed.")
        default: return .text(.notFound, "There is nothing here.")
        }
    }
}
