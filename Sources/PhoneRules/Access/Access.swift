internal import PrayerEngine
internal import Texts

/// Decides who may come in: pairing windows, phones, and how much a phone or an address may try. A value: events and moments
/// in, decisions out. Random bytes are handed in. The shell saves ``list`` whenever it has changed, and goes back to the value
/// of before if that fails.
package struct Access: Sendable {
    /// `[pairing]` of remote.toml.
    package struct Limits: Sendable, Equatable {
        /// Days for which a pairing lasts.
        package var days: Int
        /// The most phones at a time.
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
        /// A window is open for 1 to 600 seconds.
        case seconds
        /// As many phones as may be are paired.
        case full
        /// Three windows were burnt within an hour: the screen opens none for these seconds.
        case lockedOut(seconds: Int)
    }

    package enum PairingVerdict: Sendable, Equatable {
        /// A new phone: it gets the token as its cookie.
        case paired(Phone)
        /// A phone that was paired already has shown a code from the room. It keeps its token.
        case renewed(Phone)
        /// The code is wrong, has expired, or no window is open: 403.
        case refused
        /// The phone has shown the key of the box's own network: it may name another network there, and nothing else. A new one
        /// gets the token as its cookie.
        case mayName(isNew: Bool)
        /// No code was typed, as the box's own network was the code, and another phone was faster: 409.
        case taken(by: String)
        /// As many phones as may be are paired: 409.
        case full
        /// Too many wrong tries from this address: 429.
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
    /// The moments at which a window was closed for digits by wrong ones.
    private var burnt: [Double] = []
    private var wrong = WrongTries()
    /// The last code from the room, by phone.
    var codes: [String: Double] = [:]
    var acts: [String: [Double]] = [:]
    /// A clock of uptime that steps back opens nothing again.
    var latest = -Double.infinity
    /// The rules of the set-up; `nil` on a machine that is not set up by phone.
    var setUp: SetUpRules?
    var wrongWords = WordTries()
    var carryOvers: [CarryOver] = []
    /// Phones that may name a network in the box's own one, by the digests of their tokens, and until when.
    var naming: [String: Double] = [:]

    package init(list: PhoneList = PhoneList(), limits: Limits = Limits(), setUp: SetUpRules? = nil) {
        self.list = list
        self.limits = limits
        self.setUp = setUp
    }

    // MARK: Pairing windows

    /// Opens a window, and closes the one before.
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

    /// One try to pair a phone.
    /// - Parameters:
    ///   - token: 32 new random bytes; a phone that is already paired keeps its own.
    ///   - own: the token of the request's cookie.
    ///   - door: the box's own network accepts the key of that network.
    package mutating func pair(
        _ proof: PairingProof, name: PhoneName, token: PhoneToken, own: PhoneToken? = nil,
        from address: NetworkAddress, door: RequestHead.Door = .network, at moment: PhoneMoment
    ) -> PairingVerdict {
        let now = advance(moment)
        if let seconds = wrong.wait(address, at: now) { return .wait(seconds: Int(seconds.rounded(.up))) }
        if door == .setUp, let verdict = admitNaming(proof, token: token, own: own, at: moment) {
            return verdict
        }
        if let verdict = carry(proof, name: name, token: token, own: own, at: moment) { return verdict }
        let role: Role
        if let open = window, open.isOpen(at: now), open.admits(proof) {
            role = open.role
        } else if let byWord = admitsWord(proof, door, at: now) {
            role = byWord
        } else if proof.isOfHotspot(door), case .claimed(let faster) = setUpState {
            // The faster one may have tapped twice.
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
            // A window for the household takes nothing from a keeper.
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

    /// A phone that is to show that it has its token takes the place of one that never did.
    mutating func awaitFirstRequest(of phone: inout Phone) {
        phone.isUnseen = true
        let origin = phone.origin
        list.phones.removeAll { $0.isUnseen == true && $0.origin == origin }
    }

    /// The first keeper's phone that has its token claims the box for good.
    private mutating func noteClaim(_ moment: PhoneMoment) {
        guard list.claimed == nil,
            let keeper = list.phones.first(where: { $0.role == .keeper && $0.isUnseen != true })
        else { return }
        list.claimed = PhoneList.Claim(by: keeper.name, day: moment.day?.description ?? "")
        // The card has had its turn: the household's comes with the next start.
        if let start = setUp?.card?.start { list.cardStart = start }
    }

    /// Counts a wrong code against the open window. The last one that is allowed burns the digits; the key goes on.
    private mutating func countWrong(_ proof: PairingProof, at now: Double) {
        guard case .code(let typed) = proof, var open = window, open.isOpen(at: now), open.takesCodes else {
            return
        }
        // A mistyped word does not burn the digits of a window that takes words.
        let takesWords = open.word != nil || isSetUpOpen && setUp?.words.isEmpty == false
        guard !takesWords || PairingWord(typed) == nil else { return }
        open.wrongCodes += 1
        window = open
        guard !open.takesCodes else { return }
        burnt = burnt.suffix(Self.burntAllowed - 1) + [now]
    }

    /// The end of the lock-out that the last burnt windows began.
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

    /// The phones whose pairing lasts. A clock that is ahead hides the others and deletes none: they count again when it is set
    /// right.
    package func current(at moment: PhoneMoment) -> [Phone] {
        list.phones.filter { phone in
            guard let day = moment.day, let paired = CivilDate(phone.paired) else { return true }
            return day < paired.adding(days: limits.days)
        }
    }

    /// A request of a paired phone came.
    package mutating func saw(_ id: String, at moment: PhoneMoment) {
        guard let index = list.phones.firstIndex(where: { $0.id == id }) else { return }
        if list.phones[index].isUnseen == true {
            list.phones[index].isUnseen = nil
            endCarryOver(to: list.phones[index])
            noteClaim(moment)
        }
        guard let day = moment.day?.description else { return }
        if list.phones[index].seen != day { list.phones[index].seen = day }
        // A phone that was paired while the clock was wrong lasts from its first day.
        if list.phones[index].paired.isEmpty { list.phones[index].paired = day }
    }

    /// Ends a pairing.
    /// - Returns: whether there was such a phone.
    package mutating func revoke(_ id: String) -> Bool {
        // A phone is paired once for each address of the box: all of it goes together.
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

    /// Whether a code from the room was entered on this phone within the last hour. A keeper of a box without a place needs none:
    /// no code can be had in the room before the set-up is done, and codes do not outlast a start of this program.
    package func isFresh(_ id: String, at moment: PhoneMoment) -> Bool {
        if setUp?.isUnplaced == true, list.phones.contains(where: { $0.id == id && $0.role == .keeper }) {
            return true
        }
        guard let entered = codes[id] else { return false }
        return max(latest, moment.uptime) - entered < Self.freshSeconds
    }

    /// Counts one act of a phone.
    /// - Returns: `false` if it has had 120 within the last minute; then this one is not counted.
    package mutating func allowsAct(of id: String, at moment: PhoneMoment) -> Bool {
        let now = advance(moment)
        var recent = (acts[id] ?? []).filter { $0 > now - 60 }
        let isAllowed = recent.count < Self.actsPerMinute
        if isAllowed { recent.append(now) }
        acts[id] = recent
        return isAllowed
    }

    /// The time by which everything is decided: the moment's, or the latest one where the clock steps back.
    mutating func advance(_ moment: PhoneMoment) -> Double {
        latest = max(latest, moment.uptime)
        return latest
    }
}
