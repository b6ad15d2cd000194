internal import BridgePlan
internal import ControlClient
internal import Protocol

/// adhand, as the bridge asks it. A call waits for its answer on the thread that makes it, and no longer than ``patienceSeconds``.
struct AdhandLink: Sendable {
    static let patienceSeconds = 5.0
    /// A test waits for a device.
    static let patienceForSoundSeconds = ControlClient.patienceForSoundSeconds

    let client: ControlClient

    init(socket: String) { client = ControlClient(socket: socket) }

    func status() throws(ControlClientError) -> StatusDocument {
        try client.call("GetStatus", for: StatusReply.self, patienceSeconds: Self.patienceSeconds).status
    }

    func agenda(from date: String, days: Int) throws(ControlClientError) -> [OccasionDocument] {
        try client.call(
            "GetAgenda", AgendaParameters(from: date, days: days), for: AgendaReply.self,
            patienceSeconds: Self.patienceSeconds
        ).occasions
    }

    /// Oldest first.
    func history(days: Int) throws(ControlClientError) -> [HistoryEntry] {
        try client.collect(
            "GetHistory", HistoryParameters(days: days), for: HistoryReply.self,
            patienceSeconds: Self.patienceSeconds, limits: .init(bytes: 4 << 20, seconds: 10)
        ).flatMap(\.history.announcements)
    }

    func fleet() throws(ControlClientError) -> FleetDocument? {
        try client.call("GetFleet", for: FleetReply.self, patienceSeconds: Self.patienceSeconds).fleet
    }

    /// Hands an envelope over. adhand alone decides what it is worth.
    func apply(_ envelope: [UInt8]) -> EnvelopeDesk.Answer {
        guard let text = String(validating: envelope, as: UTF8.self) else {
            return .refused(reason: "malformed", detail: "it is not UTF-8")
        }
        do throws(ControlClientError) {
            let reply = try client.call(
                "ApplyEnvelope", EnvelopeParameters(envelope: text), for: EnvelopeReply.self,
                patienceSeconds: Self.patienceSeconds)
            return .taken(state: reply.state)
        } catch {
            if case .refused(.envelopeRefused(let reason, let detail)) = error {
                return .refused(reason: reason, detail: detail)
            }
            return .unanswered
        }
    }

    /// Does what somebody on the network asks for.
    /// - Returns: adhand's sentence about what was done.
    func perform(_ request: BridgeRequest) throws(ControlClientError) -> String {
        switch request {
        case .mute(let end): try change("Mute", end)
        case .unmute: try change("Unmute", NoParameters())
        case .stop: try change("Stop", NoParameters())
        case .test(let test): try change("TestPlay", test, patienceSeconds: Self.patienceForSoundSeconds)
        case .enable(let prayers): try change("EnablePrayers", prayers)
        case .disable(let prayers): try change("DisablePrayers", prayers)
        }
    }

    private func change(
        _ method: String, _ parameters: some Codable & Sendable, patienceSeconds: Double = patienceSeconds
    ) throws(ControlClientError) -> String {
        try client.call(
            method, ClaimedParameters(parameters, BridgeRequest.claim), for: ChangeReply.self,
            patienceSeconds: patienceSeconds
        ).message
    }
}
