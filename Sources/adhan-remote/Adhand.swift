internal import ControlClient
internal import PrayerEngine
internal import Protocol

/// adhand, as the phone page asks it: each call waits for its answer, so it is made on a thread of its own.
struct Adhand: Sendable {
    private let client: ControlClient

    init(socket: String) {
        client = ControlClient(socket: socket)
    }

    func status() throws(ControlClientError) -> StatusDocument {
        try client.call("GetStatus", for: StatusReply.self).status
    }

    /// Today where adhand is, while its clock is trusted.
    func today() -> CivilDate? {
        (try? status()).flatMap(Self.day)
    }

    static func day(of status: StatusDocument) -> CivilDate? {
        status.clock.trusted ? CivilDate(String(status.now.prefix(10))) : nil
    }

    func week() throws(ControlClientError) -> (TimesDocument, ExceptionsReply) {
        (
            try client.call("GetTimes", TimesParameters(days: 7), for: TimesReply.self).times,
            try client.call("GetExceptions", for: ExceptionsReply.self)
        )
    }

    func history() throws(ControlClientError) -> HistoryDocument {
        try client.call("GetHistory", HistoryParameters(days: 14), for: HistoryReply.self).history
    }

    func sounds() throws(ControlClientError) -> SoundsReply {
        try client.call("GetSounds", for: SoundsReply.self)
    }

    /// - Returns: adhand's sentence about what was done.
    func change(
        _ method: String, _ parameters: some Codable & Sendable = NoParameters(),
        patienceSeconds: Double? = nil
    ) throws(ControlClientError) -> String {
        try client.call(
            method, parameters, for: SaidReply.self,
            patienceSeconds: patienceSeconds ?? ControlClient.patienceSeconds
        ).message
    }
}
