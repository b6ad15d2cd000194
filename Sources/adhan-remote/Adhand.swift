internal import ControlClient
internal import PhoneRules
internal import PrayerEngine
internal import Protocol
internal import Settings

/// adhand, as the phone page asks it: each call waits for its answer, so it is made on a thread of its own.
struct Adhand: Sendable {
    private let client: ControlClient

    init(socket: String) {
        client = ControlClient(socket: socket)
    }

    func status() throws(ControlClientError) -> StatusDocument {
        try client.call("GetStatus", for: StatusReply.self).status
    }

    /// Whether adhand waits for its place; `nil` where it does not answer.
    var isUnplaced: Bool? { (try? status()).map { $0.awaiting == .place } }

    /// Today where adhand is, while its clock is trusted.
    func today() -> CivilDate? {
        (try? status()).flatMap(Self.day)
    }

    static func day(of status: StatusDocument) -> CivilDate? {
        status.clock.trusted ? CivilDate(String(status.now.prefix(10))) : nil
    }

    func times(days: Int) throws(ControlClientError) -> TimesDocument {
        try client.call("GetTimes", TimesParameters(days: days), for: TimesReply.self).times
    }

    func exceptions() throws(ControlClientError) -> ExceptionsReply {
        try client.call("GetExceptions", for: ExceptionsReply.self)
    }

    func pins() throws(ControlClientError) -> HijriPinsReply {
        try client.call("GetHijriPins", for: HijriPinsReply.self)
    }

    func history() throws(ControlClientError) -> HistoryDocument {
        try client.call("GetHistory", HistoryParameters(days: 14), for: HistoryReply.self).history
    }

    func sounds() throws(ControlClientError) -> SoundsReply {
        try client.call("GetSounds", for: SoundsReply.self)
    }

    func timetable() throws(ControlClientError) -> String {
        try client.call("GetTimetable", for: TimetableReply.self).table
    }

    func health() throws(ControlClientError) -> HealthReply {
        try client.call("GetHealth", for: HealthReply.self)
    }

    /// Each is opened for a moment.
    func devices() throws(ControlClientError) -> [SoundFacts.Device] {
        try client.call(
            "GetDevices", for: DevicesReply.self, patienceSeconds: ControlClient.patienceForSoundSeconds
        ).devices
    }

    func test(_ device: String, volume: Int, as claim: CallerClaim) throws(ControlClientError) {
        _ = try change(
            "TestDevice", TestDeviceParameters(device: device, volume: volume), as: claim,
            patienceSeconds: ControlClient.patienceForSoundSeconds)
    }

    /// The time signal, on the devices of the configuration.
    func playSignal(as claim: CallerClaim) throws(ControlClientError) {
        _ = try change(
            "PlaySound", SoundParameters(name: "signal"), as: claim,
            patienceSeconds: ControlClient.patienceForSoundSeconds)
    }

    func settings(_ prefix: String? = nil) throws(ControlClientError) -> SettingsReply {
        try client.call("GetSettings", SettingsPrefixParameters(prefix: prefix), for: SettingsReply.self)
    }

    func changes() throws(ControlClientError) -> ChangesReply {
        try client.call("GetChanges", ChangesParameters(), for: ChangesReply.self)
    }

    func set(
        _ changeSet: SettingsChangeSet, as claim: CallerClaim, dryRun: Bool? = nil
    ) throws(ControlClientError) -> SettingsChangedReply {
        try client.call(
            "SetSettings",
            ClaimedParameters(
                SettingsParameters(changes: changeSet.changes, expect: changeSet.expect, dryRun: dryRun),
                claim),
            for: SettingsChangedReply.self, patienceSeconds: Self.patienceForTrialSeconds)
    }

    func undo(_ change: Int?, as claim: CallerClaim) throws(ControlClientError) -> SettingsUndoneReply {
        try client.call(
            "UndoSettings", ClaimedParameters(SettingsChangeParameters(change: change), claim),
            for: SettingsUndoneReply.self, patienceSeconds: Self.patienceForTrialSeconds)
    }

    /// The whole configuration is tried with its sounds and a year of iqamas.
    private static let patienceForTrialSeconds = 30.0

    func change(
        _ method: String, _ parameters: some Codable & Sendable = NoParameters(), as claim: CallerClaim,
        patienceSeconds: Double? = nil
    ) throws(ControlClientError) -> ChangeReply {
        try client.call(
            method, ClaimedParameters(parameters, claim), for: ChangeReply.self,
            patienceSeconds: patienceSeconds ?? ControlClient.patienceSeconds)
    }
}

extension RequestRules.Admission {
    /// For whom adhand acts, and how little they may: adhand holds it itself, whatever was decided here.
    var claim: CallerClaim {
        let role: SettingRole =
            switch phone?.role {
            case .keeper: isFresh ? .fresh : .keeper
            case .household, nil: .household
            }
        return CallerClaim(actor: phone?.name, role: role)
    }
}
