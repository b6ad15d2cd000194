internal import PrayerEngine
internal import Texts

/// Decides which phones are admitted: pairing windows, phones, and the limits for a phone or an address. It is a value: events
/// and moments in, decisions out, and random bytes are passed in. The shell saves ``list`` whenever it has changed, and
/// restores the previous value if that fails.
package struct Access: Sendable {
    /// `[pairing]` of remote.toml.
    package struct Limits: Sendable, Equatable {
        /// Days after which a pairing ends.
        package var days: Int
        /// The most phones that are paired at the same time.
        package var most: Int

        package init(days: Int = 180, most: Int = 20) {
            self.days = days
            self.most = most
        }
    }

    /// The opener of a pairing window.
    package enum Opener: Sendable, Equatable { case touch, command, card, setUp }

    package struct Opening: Sendable, Equatable {
        package let secret: PairingSecret
        package let role: Role
        package let seconds: Int
    }

    package enum OpeningRefusal: Error, Equatable, Sendable {
        /// The window's length is not from 1 to 600 seconds.
        case seconds
        /// The maximum number of phones is paired.
        case full
        /// Wrong codes closed three windows within an hour, so the screen opens none for these seconds.
        case lockedOut(seconds: Int)
    }

    package enum PairingVerdict: Sendable, Equatable {
        /// A new phone, which gets the token as its cookie.
        case paired(Phone)
        /// A phone that was already paired has entered a code from the room. It keeps its token.
        case renewed(Phone)
        /// The code is wrong, has expired, or no window is open: 403.
        case refused
        /// The phone has entered the key of the box's own network: it may name another network there, and nothing else. A new
        /// phone gets the token as its cookie.
        case mayName(isNew: Bool)
        /// Another phone was faster: 409. No code was needed, because access to the box's own network was the proof.
        case taken(by: String)
        /// The maximum number of phones is paired: 409.
        case full
        /// Too many wrong codes came from this address: 429.
        case wait(seconds: Int)
    }

    package static let usualSeconds = 120
    package static let mostSeconds = 600
    package static let freshSeconds = 3600.0
    package static let actsPerMinute = 120
    private static let burntAllowed = 3
    private static let burntSeconds = 3600.0

    package var limits: Limits
    package internal(set) var list: PhoneList
    var window: PairingWindow?
    /// The moments at which wrong codes ended the use of a window's digits.
    private var burnt: [Double] = []
    private var wrong = WrongTries()
    /// The time of the last code from the room, by phone.
    var codes: [String: Double] = [:]
    var acts: [String: [Double]] = [:]
    /// The latest uptime seen: a clock that steps back must not reopen anything.
    var latest = -Double.infinity
    /// The rules of the set-up; `nil` on a machine that is not set up by phone.
    var setUp: SetUpRules?
    var wrongWords = WordTries()
    var carryOvers: [CarryOver] = []
    /// When phones lose the right to name a network on the box's own network, by the digests of their tokens.
    var naming: [String: Double] = [:]

    package init(list: PhoneList = PhoneList(), limits: Limits = Limits(), setUp: SetUpRules? = nil) {
        self.list = list
        self.limits = limits
        self.setUp = setUp
    }

    // MARK: Pairing windows

    /// Opens a window and closes the previous one.
    /// - Parameter random: 24 bytes.
    package mutating func open(
        _ role: Role, seconds: Int? = nil, by opener: Opener, random: [UInt8], at moment: PhoneMoment
    ) throws(OpeningRefusal) -> Opening {
        let now = advance(moment)
        let seconds = seconds ?? Self.usualSeconds
        guard (1...Self.mostSeconds).contains(seconds) else { throw .seconds }
        if opener == .touch, let until = lockedUntil, now < until {
            throw .lockedOut(seconds: Int((until - now).rounded(.up)))
        }
        guard current(at: moment).count < limits.most else { throw .full }
        let secret = PairingSecret(random: random)
        window = PairingWindow(
            secret: secret, role: role, closesAt: now + Double(seconds), opener: opener)
        return Opening(secret: secret, role: role, seconds: seconds)
    }

    package mutating func close() { window = nil }

    /// Seconds for which a phone can still be paired; `nil` if no window is open.
    package func secondsOpen(at moment: PhoneMoment) -> Double? {
        let now = max(latest, moment.uptime)
        guard let window, window.isOpen(at: now) else { return nil }
        return window.closesAt - now
    }

    /// Handles one attempt to pair a phone.
    /// - Parameters:
    ///   - token: 32 new random bytes; a phone that is already paired keeps its own.
    ///   - own: the token of the request's cookie.
    ///   - entryPoint: on the box's own network, the key of that network is accepted.
    package mutating func pair(
        _ proof: PairingProof, name: PhoneName, token: PhoneToken, own: PhoneToken? = nil,
        from address: NetworkAddress, entryPoint: RequestHead.EntryPoint = .network, at moment: PhoneMoment
    ) -> PairingVerdict {
        let now = advance(moment)
        if let seconds = wrong.wait(address, at: now) { return .wait(seconds: Int(seconds.rounded(.up))) }
        if entryPoint == .setUp, let verdict = admitNaming(proof, token: token, own: own, at: moment) {
            return verdict
        }
        if let verdict = carry(proof, name: name, token: token, own: own, at: moment) { return verdict }
        let role: Role
        if let open = window, open.isOpen(at: now), open.admits(proof) {
            role = open.role
        } else if let byWord = admitsWord(proof, entryPoint, at: now) {
            role = byWord
        } else if proof.isOfHotspot(entryPoint), case .claimed(let faster) = setUpState {
            // The faster phone may be this one, after a second tap.
            let paired = own.flatMap { self.phone(of: $0, at: moment) }
            if let paired, paired.role == .keeper { return .renewed(paired) }
            return .taken(by: faster)
        } else {
            wrong.add(address, at: now)
            countWrong(proof, at: now)
            return .refused
        }
        let paired = own.flatMap { self.phone(of: $0, at: moment) }
        guard paired != nil || current(at: moment).count < limits.most else { return .full }
        window = nil
        let isOpen = isSetUpOpen
        defer { noteClaim(moment) }
        if let paired, let index = list.phones.firstIndex(where: { $0.id == paired.id }) {
            // A window for the household leaves a keeper its role.
            list.phones[index].role = max(paired.role, role)
            list.phones[index].name = name.text
            list.phones[index].paired = moment.day?.description ?? paired.paired
            codes[paired.id] = now
            return .renewed(list.phones[index])
        }
        var phone = Phone(token: token, name: name, role: role, day: moment.day)
        if isOpen, role == .keeper { awaitFirstRequest(of: &phone) }
        let kept = Set(current(at: moment).map(\.id))
        list.phones.removeAll { !kept.contains($0.id) }
        list.phones.append(phone)
        codes[phone.id] = now
        return .paired(phone)
    }

    /// Marks a phone as one that has not shown its token yet. It replaces an earlier one of the same origin that never did.
    mutating func awaitFirstRequest(of phone: inout Phone) {
        phone.isUnseen = true
        let origin = phone.origin
        list.phones.removeAll { $0.isUnseen == true && $0.origin == origin }
    }

    /// Claims the box for good for the first keeper's phone that has shown its token.
    private mutating func noteClaim(_ moment: PhoneMoment) {
        guard list.claimed == nil,
            let keeper = list.phones.first(where: { $0.role == .keeper && $0.isUnseen != true })
        else { return }
        list.claimed = PhoneList.Claim(by: keeper.name, day: moment.day?.description ?? "")
        // The card's window would be the second at this start, so the household's opens at the next one.
        if let start = setUp?.card?.start { list.cardStart = start }
    }

    /// Counts a wrong code against the open window. The last permitted attempt invalidates the digits; the key stays valid.
    private mutating func countWrong(_ proof: PairingProof, at now: Double) {
        guard case .code(let typed) = proof, var open = window, open.isOpen(at: now), open.acceptsCodes else {
            return
        }
        // In a window that accepts words, a mistyped word does not count against the digits.
        let acceptsWords = open.word != nil || isSetUpOpen && setUp?.words.isEmpty == false
        guard !acceptsWords || PairingWord(typed) == nil else { return }
        open.wrongCodes += 1
        window = open
        guard !open.acceptsCodes else { return }
        burnt = burnt.suffix(Self.burntAllowed - 1) + [now]
    }

    /// The end of the current lock-out, after too many windows were closed by wrong codes.
    var lockedUntil: Double? {
        guard burnt.count == Self.burntAllowed, let first = burnt.first, let last = burnt.last,
            last - first <= Self.burntSeconds
        else { return nil }
        return last + Self.burntSeconds
    }

    // MARK: Phones

    /// The phone with this token, unless its pairing has ended.
    package func phone(of token: PhoneToken, at moment: PhoneMoment) -> Phone? {
        let digest = token.digest
        return current(at: moment).first { $0.digest == digest }
    }

    /// The phones whose pairing has not ended. A clock that is ahead hides the others without deleting them, so they reappear
    /// once it is corrected.
    package func current(at moment: PhoneMoment) -> [Phone] {
        list.phones.filter { phone in
            guard let day = moment.day, let paired = CivilDate(phone.paired) else { return true }
            return day < paired.adding(days: limits.days)
        }
    }

    /// Notes a request of a paired phone.
    package mutating func saw(_ id: String, at moment: PhoneMoment) {
        guard let index = list.phones.firstIndex(where: { $0.id == id }) else { return }
        if list.phones[index].isUnseen == true {
            list.phones[index].isUnseen = nil
            endCarryOver(to: list.phones[index])
            noteClaim(moment)
        }
        guard let day = moment.day?.description else { return }
        if list.phones[index].seen != day { list.phones[index].seen = day }
        // For a phone that was paired while the clock was wrong, the pairing lasts from the first known day.
        if list.phones[index].paired.isEmpty { list.phones[index].paired = day }
    }

    /// Ends a pairing.
    /// - Returns: whether there was such a phone.
    package mutating func revoke(_ id: String) -> Bool {
        // A phone is paired once per address of the box, and all of its pairings end together.
        let root = list.phones.first { $0.id == id }?.root ?? id
        let gone = list.phones.filter { $0.root == root }
        list.phones.removeAll { $0.root == root }
        for phone in gone {
            codes[phone.id] = nil
            acts[phone.id] = nil
            naming[phone.digest] = nil
        }
        carryOvers.removeAll { word in gone.contains { $0.id == word.phone } }
        return !gone.isEmpty
    }

    /// Whether a code from the room was entered on this phone within the last hour. A keeper of a box without a place needs
    /// none: the room shows no code until the set-up is done, and codes are lost when this program restarts.
    package func isFresh(_ id: String, at moment: PhoneMoment) -> Bool {
        if setUp?.isUnplaced == true, list.phones.contains(where: { $0.id == id && $0.role == .keeper }) {
            return true
        }
        guard let entered = codes[id] else { return false }
        return max(latest, moment.uptime) - entered < Self.freshSeconds
    }

    /// Counts one act of a phone.
    /// - Returns: `false` if the phone has performed 120 acts within the last minute; this one is then not counted.
    package mutating func allowsAct(of id: String, at moment: PhoneMoment) -> Bool {
        let now = advance(moment)
        var recent = (acts[id] ?? []).filter { $0 > now - 60 }
        let isAllowed = recent.count < Self.actsPerMinute
        if isAllowed { recent.append(now) }
        acts[id] = recent
        return isAllowed
    }

    /// The time for all decisions: the moment's, or the latest one seen if the clock steps back.
    mutating func advance(_ moment: PhoneMoment) -> Double {
        latest = max(latest, moment.uptime)
        return latest
    }
}
