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

    func times(days: Int) throws(ControlClientError) -> TimesDocument {
        try client.call(
            "GetTimes", TimesParameters(days: days), for: TimesReply.self, patienceSeconds: Self.patienceSeconds
        ).times
    }

    func history(days: Int) throws(ControlClientError) -> [HistoryDocument] {
        try client.collect(
            "GetHistory", HistoryParameters(days: days), for: HistoryReply.self,
            patienceSeconds: Self.patienceSeconds, whole: .init(bytes: 4 << 20, seconds: 10)
        ).map(\.history)
    }

    /// - Returns: adhand's sentence about what was done.
    func change(
        _ method: String, _ parameters: some Codable & Sendable = NoParameters(),
        patienceSeconds: Double = patienceSeconds
    ) throws(ControlClientError) -> String {
        try client.call(method, parameters, for: SaidReply.self, patienceSeconds: patienceSeconds).message
    }
}
