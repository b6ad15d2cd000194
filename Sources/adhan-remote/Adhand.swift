internal import ControlClient
internal import PhoneRules
internal import PrayerEngine
internal import Protocol
internal import Settings

/// Calls adhand for the phone page. Each call blocks until it is answered, so it is made on a thread of its own.
struct Adhand: Sendable {
    private let client: ControlClient

    init(socket: String) {
        client = ControlClient(socket: socket)
    }

    func status() throws(ControlClientError) -> StatusDocument {
        try client.call(.getStatus).status
    }

    /// Whether adhand waits for its location; `nil` if it does not answer.
    var isUnplaced: Bool? { (try? status()).map { $0.awaiting == .place } }

    /// Today's date at adhand's location; `nil` while its clock is not trusted.
    func today() -> CivilDate? {
        (try? status()).flatMap(Self.day)
    }

    static func day(of status: StatusDocument) -> CivilDate? {
        status.clock.trusted ? CivilDate(String(status.now.prefix(10))) : nil
    }

    func times(days: Int) throws(ControlClientError) -> TimesDocument {
        try client.call(.getTimes, TimesParameters(days: days)).times
    }

    func exceptions() throws(ControlClientError) -> ExceptionsReply {
        try client.call(.getExceptions)
    }

    func pins() throws(ControlClientError) -> HijriPinsReply {
        try client.call(.getHijriPins)
    }

    func history() throws(ControlClientError) -> HistoryDocument {
        try client.call(.getHistory, HistoryParameters(days: 14)).history
    }

    func sounds() throws(ControlClientError) -> SoundsReply {
        try client.call(.getSounds)
    }

    func timetable() throws(ControlClientError) -> String {
        try client.call(.getTimetable).table
    }

    func health() throws(ControlClientError) -> HealthReply {
        try client.call(.getHealth)
    }

    /// The sound devices. adhand opens each for a moment, which takes time.
    func devices() throws(ControlClientError) -> [SoundFacts.Device] {
        try client.call(
            .getDevices, patienceSeconds: ControlClient.patienceForSoundSeconds
        ).devices
    }

    func test(_ device: String, volume: Int, as claim: CallerClaim) throws(ControlClientError) {
        _ = try change(
            .testDevice, TestDeviceParameters(device: device, volume: volume), as: claim,
            patienceSeconds: ControlClient.patienceForSoundSeconds)
    }

    /// Plays the time signal on the configured devices.
    func playSignal(as claim: CallerClaim) throws(ControlClientError) {
        _ = try change(
            .playSound, SoundParameters(name: "signal"), as: claim,
            patienceSeconds: ControlClient.patienceForSoundSeconds)
    }

    func settings(_ prefix: String? = nil) throws(ControlClientError) -> SettingsReply {
        try client.call(.getSettings, SettingsPrefixParameters(prefix: prefix))
    }

    func changes() throws(ControlClientError) -> ChangesReply {
        try client.call(.getChanges, ChangesParameters())
    }

    func set(
        _ changeSet: SettingsChangeSet, as claim: CallerClaim, dryRun: Bool? = nil
    ) throws(ControlClientError) -> SettingsChangedReply {
        try client.call(
            .setSettings,
            SettingsParameters(changes: changeSet.changes, expect: changeSet.expect, dryRun: dryRun),
            as: claim, patienceSeconds: Self.patienceForTrialSeconds)
    }

    func undo(_ change: Int?, as claim: CallerClaim) throws(ControlClientError) -> SettingsUndoneReply {
        try client.call(
            .undoSettings, SettingsChangeParameters(change: change), as: claim,
            patienceSeconds: Self.patienceForTrialSeconds)
    }

    /// The limit for changes, because adhand tries the whole configuration with its sounds and a year of iqamas.
    private static let patienceForTrialSeconds = 30.0

    func change<Parameters>(
        _ method: MethodSignature<Parameters, ChangeReply>, _ parameters: Parameters, as claim: CallerClaim,
        patienceSeconds: Double = ControlClient.patienceSeconds
    ) throws(ControlClientError) -> ChangeReply {
        try client.call(method, parameters, as: claim, patienceSeconds: patienceSeconds)
    }
}

extension RequestRules.Admission {
    /// The person for whom adhand acts, and the role. adhand enforces the role itself, whatever this program has decided.
    var claim: CallerClaim {
        let role: SettingRole =
            switch phone?.role {
            case .keeper: isFresh ? .fresh : .keeper
            case .household, nil: .household
            }
        return CallerClaim(actor: phone?.name, role: role)
    }
}
