internal import ControlClient
internal import DisplayFeed
internal import Glibc
internal import Host
internal import Protocol
internal import ScreenPlan
internal import Texts

/// adhan-touch as one of the programs of an executable file.
package func runAdhanTouch() { AdhanTouch.main() }

/// Answers one tap on this machine's own display, on the connection that systemd passes as standard input and output, and
/// ends, so that nothing of a request remains for the next one.
enum AdhanTouch {
    /// Seconds for receiving a request and answering it.
    private static let patienceSeconds: UInt32 = 10
    /// The file in which the display's session keeps the secret of its page.
    private static let secretFile = "/run/adhan-kiosk/touch"

    static func main() {
        StandardDescriptors.reserve()
        signal(SIGPIPE, SIG_IGN)
        // SIGALRM ends the program, so that a caller who never finishes holds nothing.
        _ = alarm(patienceSeconds)
        var origin: String?
        do throws(TouchRequest.Refusal) {
            let request = try read()
            try permit(request)
            origin = request.origin
            let answer = try perform(request.action)
            reply(200, (try? JSON.encode(answer)) ?? [], origin)
        } catch {
            let body = try? JSON.encode(["message": error.reason])
            reply(error.status, body ?? [], origin)
        }
    }

    private static func read() throws(TouchRequest.Refusal) -> TouchRequest {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 2048)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes {
                unsafe recv(STDIN_FILENO, $0.baseAddress, $0.count, 0)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw TouchRequest.Refusal(400, "the request is not whole") }
            bytes += chunk[..<count]
            if let request = try TouchRequest.parse(bytes) { return request }
        }
    }

    /// Checks the secret, which only the display's own user can read: any program can call on loopback.
    private static func permit(_ request: TouchRequest) throws(TouchRequest.Refusal) {
        let environment = Environment.process
        let isOfSetUp = request.action == .setUp && SetUpScreen.isShown(in: environment)
        guard
            isOfSetUp
                || (try? DisplayFile.read(environment.value("ADHAN_DISPLAY_CONFIG"), in: environment))?.config
                    .page
                    .touch == true
        else { throw TouchRequest.Refusal(403, "touch is off in display.toml") }
        let file = environment.value("ADHAN_TOUCH_SECRET") ?? secretFile
        guard
            let text = (try? FileBytes.read(file, limit: 256)).map({ String(decoding: $0, as: UTF8.self) }),
            let page = TouchSecret(text), request.isFrom(page)
        else { throw TouchRequest.Refusal(403, "only the display's own page may ask") }
    }

    private static func perform(_ action: TouchRequest.Action) throws(TouchRequest.Refusal) -> TouchAnswer {
        let pairing: TouchAnswer.Pairing? = action == .pair ? try TouchPairing.open() : nil
        let setUp = action == .setUp ? try TouchSetUp.read() : nil
        let hotspot = action == .hotspot ? try TouchHotspot.ask() : nil
        let client = ControlClient(socket: Paths.clientSocket(option: nil, in: .process))
        do throws(ControlClientError) {
            // Anyone in front of the screen may tap, so the log names the screen and no person.
            func change<Parameters>(
                _ method: MethodSignature<Parameters, ChangeReply>, _ parameters: Parameters
            ) throws(ControlClientError) -> ChangeReply {
                do throws(ControlClientError) {
                    return try client.call(method, parameters, as: .screen)
                } catch {
                    guard error.isDone else { throw error }
                    return ChangeReply(error.message)
                }
            }
            let reply: ChangeReply? =
                switch action {
                case .status, .pair, .setUp, .hotspot: nil
                case .muteHour: try change(.mute, MuteParameters(duration: "1h"))
                case .muteNext: try change(.mute, MuteParameters(next: true))
                case .unmute: try change(.unmute, NoParameters())
                case .stop: try change(.stop, NoParameters())
                case .enable(let prayer):
                    try change(.enablePrayers, PrayersParameters(prayers: [prayer.rawValue]))
                case .disable(let prayer):
                    try change(.disablePrayers, PrayersParameters(prayers: [prayer.rawValue]))
                }
            let status = try client.call(.getStatus).status
            var answer = TouchAnswer(status, message: reply?.message)
            answer.pairs = TouchPairing.isPossible
            answer.pairing = pairing
            answer.offersHotspot = TouchHotspot.isPossible
            answer.hotspot = hotspot
            answer.setUp = setUp
            return answer
        } catch {
            throw TouchRequest.Refusal(503, PlainText.visible(error.message))
        }
    }

    private static func reply(_ status: Int, _ body: [UInt8], _ origin: String?) {
        let lines =
            [
                "HTTP/1.1 \(status) \(status == 200 ? "OK" : "Refused")", "Content-Type: application/json",
                "Content-Length: \(body.count)", "Cache-Control: no-store", "X-Content-Type-Options: nosniff",
                "Connection: close",
            ] + (origin.map { ["Access-Control-Allow-Origin: \($0)"] } ?? [])
        let head = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        // Ignore a failure, which nobody could read.
        _ = OwnedDescriptor.write(head + body, to: STDOUT_FILENO)
    }
}
