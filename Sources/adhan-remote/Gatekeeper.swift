internal import Clocks
internal import Host
internal import PhoneRules
internal import PrayerEngine
internal import Synchronization
internal import WebServer

/// Holds the state of `Access`, with its windows, phones and limits, and saves the list of phones. May be used from any thread.
final class Gatekeeper: Sendable {
    /// Thrown when a change was not made because the list of phones could not be saved.
    struct NotSavedError: Error {}

    private let access: Mutex<Access>
    private let file: PhonesFile
    private let reports: @Sendable (String) -> Void
    /// Today by adhand's clock while that is trusted, and the time of the answer.
    private let today = Mutex<(day: CivilDate, at: Double)?>(nil)

    /// Seconds after which the date may have changed.
    private static let dayLastsSeconds = 1200.0

    init(
        file: PhonesFile, limits: Access.Limits, setUp: SetUpRules? = nil,
        reports: @escaping @Sendable (String) -> Void
    ) throws(ServerError) {
        self.file = file
        self.reports = reports
        access = Mutex(Access(list: try file.read(), limits: limits, setUp: setUp))
    }

    /// The current moment by uptime and by date.
    var moment: PhoneMoment {
        let uptime = Uptime.now()
        let day = today.withLock { known in
            known.flatMap { uptime - $0.at < Self.dayLastsSeconds ? $0.day : nil }
        }
        return PhoneMoment(uptime: uptime, day: day)
    }

    /// - Parameter day: `nil` while adhand's clock is not trusted.
    func note(day: CivilDate?) {
        today.withLock { $0 = day.map { ($0, Uptime.now()) } }
    }

    // MARK: Decisions

    /// Decides about a request. The first use of a phone on a day is saved; a failure to save it does not affect the answer.
    func decide(_ head: RequestHead, _ rules: RequestRules) -> RequestRules.Verdict {
        let moment = moment
        return access.withLock { access in
            let before = access.list
            let verdict = rules.decide(head, &access, at: moment)
            if access.list != before { report { () throws(FileError) in try file.write(access.list) } }
            return verdict
        }
    }

    func open(
        _ role: Role, seconds: Int?, by opener: Access.Opener
    ) -> Result<Access.Opening, Access.OpeningRefusal> {
        let moment = moment
        let random = Self.random(24)
        return access.withLock { access in
            do throws(Access.OpeningRefusal) {
                return .success(
                    try access.open(role, seconds: seconds, by: opener, random: random, at: moment))
            } catch {
                return .failure(error)
            }
        }
    }

    func close() { access.withLock { $0.close() } }

    /// Seconds for which the window remains open; `nil` if none is open.
    var secondsOpen: Int? {
        let moment = moment
        return access.withLock { $0.secondsOpen(at: moment) }.map { Int($0.rounded(.up)) }
    }

    /// - Returns: the verdict, and the token for a new phone.
    func pair(
        _ proof: PairingProof, _ name: PhoneName, own: PhoneToken?, from address: NetworkAddress,
        entryPoint: RequestHead.EntryPoint
    ) throws(NotSavedError) -> (Access.PairingVerdict, PhoneToken) {
        let token = PhoneToken(random: Self.random(32))
        let moment = moment
        let verdict = try change { access in
            access.pair(
                proof, name: name, token: token, own: own, from: address, entryPoint: entryPoint, at: moment)
        }
        return (verdict, token)
    }

    /// The code that pairs a keeper's phone again at another address of the box; `nil` for other phones.
    func carryOver(of phone: Phone) -> String? {
        let moment = moment
        let random = Self.random(24)
        return access.withLock { $0.carryOver(of: phone.id, random: random, at: moment) }
    }

    /// Removes a phone.
    /// - Returns: whether the phone existed.
    func revoke(_ id: String) throws(NotSavedError) -> Bool {
        try change { $0.revoke(id) }
    }

    /// Forgets all phones and the claim of the box.
    func reset() throws(NotSavedError) {
        try change { $0.reset() }
    }

    // MARK: A box's set-up

    var mayBeSetUp: Bool { access.withLock { $0.mayBeSetUp } }
    var isSetUpOpen: Bool { access.withLock { $0.isSetUpOpen } }
    var acceptsWords: Bool {
        let moment = moment
        return access.withLock { $0.acceptsWords(at: moment) }
    }
    var acceptsHotspotKey: Bool { access.withLock { $0.acceptsHotspotKey } }

    /// The state of the set-up, and its window if one is open.
    var setUp: (state: SetUpState, window: Access.SetUpWindow?) {
        let moment = moment
        return access.withLock { ($0.setUpState, $0.setUpWindow(at: moment)) }
    }

    /// - Parameter isUnplaced: `nil` if adhand does not answer.
    func keepSetUp(isUnplaced: Bool?) {
        let moment = moment
        let random = Self.random(24)
        // If the list cannot be saved, no window opens: after a restart the card's window would open again.
        _ = try? change { $0.keepSetUp(isUnplaced: isUnplaced, random: random, at: moment) }
    }

    var phones: [Phone] {
        let moment = moment
        return access.withLock { $0.current(at: moment) }
    }

    /// Changes the state, unless the list of phones changes and cannot be saved. Windows, tries and lock-outs alone need no
    /// saving.
    private func change<Value: Sendable>(_ work: (inout Access) -> Value) throws(NotSavedError) -> Value {
        let (value, isSaved) = access.withLock { access -> (Value, Bool) in
            let before = access
            let value = work(&access)
            guard access.list != before.list else { return (value, true) }
            let list = access.list
            let isSaved = report { () throws(FileError) in try file.write(list) }
            if !isSaved { access = before }
            return (value, isSaved)
        }
        guard isSaved else { throw NotSavedError() }
        return value
    }

    @discardableResult
    private func report(_ work: () throws(FileError) -> Void) -> Bool {
        do throws(FileError) {
            try work()
            return true
        } catch {
            reports(error.message)
            return false
        }
    }

    /// Random bytes of the kernel's generator.
    private static func random(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
}
