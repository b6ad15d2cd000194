internal import Host
internal import PhoneRules
internal import PrayerEngine
internal import Synchronization
internal import WebServer

/// Keeps what `Access` decides: one memory for windows, phones and limits, and the file beside it. From any thread.
final class Gatekeeper: Sendable {
    /// Why nothing was done: the list of phones could not be saved.
    struct NotSavedError: Error {}

    private let access: Mutex<Access>
    private let file: PhonesFile
    private let reports: @Sendable (String) -> Void
    /// Today by adhand's clock while that is trusted, and when it was asked.
    private let today = Mutex<(day: CivilDate, at: Double)?>(nil)

    /// Seconds after which the day may be another one.
    private static let dayLastsSeconds = 1200.0

    init(
        file: PhonesFile, limits: Access.Limits, setUp: SetUpRules? = nil,
        reports: @escaping @Sendable (String) -> Void
    ) throws(ServerError) {
        self.file = file
        self.reports = reports
        access = Mutex(Access(list: try file.read(), limits: limits, setUp: setUp))
    }

    /// The moment by both clocks.
    var moment: PhoneMoment {
        let uptime = WallClock.boottime()
        let day = today.withLock { known in
            known.flatMap { uptime - $0.at < Self.dayLastsSeconds ? $0.day : nil }
        }
        return PhoneMoment(uptime: uptime, day: day)
    }

    /// - Parameter day: `nil` while adhand's clock is not trusted.
    func note(day: CivilDate?) {
        today.withLock { $0 = day.map { ($0, WallClock.boottime()) } }
    }

    // MARK: Decisions

    /// The use of a phone is saved when its day is another one; if that fails, the request is answered all the same.
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

    /// Seconds for which a window is open still.
    var secondsOpen: Int? {
        let moment = moment
        return access.withLock { $0.secondsOpen(at: moment) }.map { Int($0.rounded(.up)) }
    }

    /// - Returns: the verdict, and the token that a new phone gets.
    func pair(
        _ proof: PairingProof, _ name: PhoneName, own: PhoneToken?, from address: NetworkAddress,
        door: RequestHead.Door
    ) throws(NotSavedError) -> (Access.PairingVerdict, PhoneToken) {
        let token = PhoneToken(random: Self.random(32))
        let moment = moment
        let verdict = try change { access in
            access.pair(proof, name: name, token: token, own: own, from: address, door: door, at: moment)
        }
        return (verdict, token)
    }

    /// The word with which a keeper's phone is paired again at another address of the box; `nil` for other phones.
    func carryOver(of phone: Phone) -> String? {
        let moment = moment
        let random = Self.random(24)
        return access.withLock { $0.carryOver(of: phone.id, random: random, at: moment) }
    }

    /// Whether there was such a phone.
    func revoke(_ id: String) throws(NotSavedError) -> Bool {
        try change { $0.revoke(id) }
    }

    /// Forgets every phone, and who claimed the box.
    func reset() throws(NotSavedError) {
        try change { $0.reset() }
    }

    // MARK: A box's set-up

    var mayBeSetUp: Bool { access.withLock { $0.mayBeSetUp } }
    var isSetUpOpen: Bool { access.withLock { $0.isSetUpOpen } }
    var takesWords: Bool {
        let moment = moment
        return access.withLock { $0.takesWords(at: moment) }
    }
    var takesHotspotKey: Bool { access.withLock { $0.takesHotspotKey } }

    /// The state, and the window where one is open.
    var setUp: (state: SetUpState, window: Access.SetUpWindow?) {
        let moment = moment
        return access.withLock { ($0.setUpState, $0.setUpWindow(at: moment)) }
    }

    /// - Parameter isUnplaced: `nil` where adhand does not answer.
    func keepSetUp(isUnplaced: Bool?) {
        let moment = moment
        let random = Self.random(24)
        // Without a saved list the card's window would come again: then there is none.
        _ = try? change { $0.keepSetUp(isUnplaced: isUnplaced, random: random, at: moment) }
    }

    var phones: [Phone] {
        let moment = moment
        return access.withLock { $0.current(at: moment) }
    }

    /// A change of the list that cannot be saved is not made; windows, tries and lock-outs are kept.
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

    /// Of the kernel's generator.
    private static func random(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
}
