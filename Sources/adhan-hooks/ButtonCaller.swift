internal import CommandKit
internal import ControlClient
internal import HookPlan
internal import Host
internal import Protocol
internal import Texts

/// Sends the request of a button press to adhand or to the box, on a thread of its own.
struct ButtonCaller: Sendable {
    static let patienceSeconds = 5.0

    let client: ControlClient

    func press(_ source: ButtonSource, _ action: ButtonAction) {
        let isStarted = BackgroundThread.start { [self] in
            do throws(ControlClientError) {
                let next =
                    action.needsNext
                    ? try client.call(
                        .getStatus, patienceSeconds: Self.patienceSeconds
                    ).status.next?.prayer : nil
                guard let request = action.request(next: next) else {
                    return log(source, action, "no adhan comes")
                }
                log(source, action, try perform(request))
            } catch {
                log(source, action, error.message + Self.remedy(error, action))
            }
        }
        if !isStarted { log(source, action, "no thread can be started") }
    }

    /// - Returns: a sentence about the result.
    private func perform(_ request: ButtonRequest) throws(ControlClientError) -> String {
        switch request {
        case .stop: try change(.stop, NoParameters())
        case .mute(let end): try change(.mute, end)
        case .unmute: try change(.unmute, NoParameters())
        case .test(let test): try change(.testPlay, test, patience: ControlClient.patienceForSoundSeconds)
        case .hotspot: askForHotspot()
        }
    }

    /// - Returns: the box's sentence, or the reason why it was not asked.
    private func askForHotspot() -> String {
        do throws(HotspotSocketError) {
            return PlainText.visible(try HotspotSocket(in: .process).ask().message)
        } catch {
            return error == .noBox ? HookFile.noBox : error.message
        }
    }

    private func change<Parameters>(
        _ method: MethodSignature<Parameters, ChangeReply>, _ parameters: Parameters,
        patience: Double = patienceSeconds
    ) throws(ControlClientError) -> String {
        try client.call(method, parameters, as: ButtonRequest.claim, patienceSeconds: patience).message
    }

    private func log(_ source: ButtonSource, _ action: ButtonAction, _ answer: String) {
        Journal.log("\(source.title), \(action.word): \(answer)")
    }

    /// Explains how to grant a missing right: this program's grants are a line of adhand's file, whose default omits tests.
    private static func remedy(_ error: ControlClientError, _ action: ButtonAction) -> String {
        guard case .refused(.notPermitted) = error else { return "" }
        let words = action == .test ? "\"mute\", \"stop\", \"test\"" : "\"mute\", \"stop\""
        return "; write adhan-hooks = [\(words)] under [control.grants] in adhand.toml"
    }
}
