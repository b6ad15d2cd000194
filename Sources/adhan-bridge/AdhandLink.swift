internal import BridgePlan
internal import ControlClient
internal import Protocol

/// Calls adhand for the bridge. A call blocks its thread for at most ``patienceSeconds``.
struct AdhandLink: Sendable {
    static let patienceSeconds = 5.0
    /// The limit for tests, which wait for a device.
    static let patienceForSoundSeconds = ControlClient.patienceForSoundSeconds

    let client: ControlClient

    init(socket: String) { client = ControlClient(socket: socket) }

    func status() throws(ControlClientError) -> StatusDocument {
        try client.call(.getStatus, patienceSeconds: Self.patienceSeconds).status
    }

    func agenda(from date: String, days: Int) throws(ControlClientError) -> [OccasionDocument] {
        try client.call(
            .getAgenda, AgendaParameters(from: date, days: days),
            patienceSeconds: Self.patienceSeconds
        ).occasions
    }

    /// The history of these days, oldest first.
    func history(days: Int) throws(ControlClientError) -> [HistoryEntry] {
        try client.collect(
            .getHistory, HistoryParameters(days: days),
            patienceSeconds: Self.patienceSeconds, limits: .init(bytes: 4 << 20, seconds: 10)
        ).flatMap(\.history.announcements)
    }

    func fleet() throws(ControlClientError) -> FleetDocument? {
        try client.call(.getFleet, patienceSeconds: Self.patienceSeconds).fleet
    }

    /// Passes an envelope to adhand, which alone decides about it.
    func apply(_ envelope: [UInt8]) -> EnvelopeDesk.Answer {
        guard let text = String(validating: envelope, as: UTF8.self) else {
            return .refused(reason: "malformed", detail: "it is not UTF-8")
        }
        do throws(ControlClientError) {
            let reply = try client.call(
                .applyEnvelope, EnvelopeParameters(envelope: text),
                patienceSeconds: Self.patienceSeconds)
            return .taken(state: reply.state)
        } catch {
            if case .refused(.envelopeRefused(let reason, let detail)) = error {
                return .refused(reason: reason, detail: detail)
            }
            return .unanswered
        }
    }

    /// Performs a request from the network.
    /// - Returns: adhand's sentence about the result.
    func perform(_ request: BridgeRequest) throws(ControlClientError) -> String {
        switch request {
        case .mute(let end): try change(.mute, end)
        case .unmute: try change(.unmute, NoParameters())
        case .stop: try change(.stop, NoParameters())
        case .test(let test): try change(.testPlay, test, patienceSeconds: Self.patienceForSoundSeconds)
        case .enable(let prayers): try change(.enablePrayers, prayers)
        case .disable(let prayers): try change(.disablePrayers, prayers)
        }
    }

    private func change<Parameters>(
        _ method: MethodSignature<Parameters, ChangeReply>, _ parameters: Parameters,
        patienceSeconds: Double = patienceSeconds
    ) throws(ControlClientError) -> String {
        try client.call(
            method, parameters, as: BridgeRequest.claim, patienceSeconds: patienceSeconds
        ).message
    }
}
