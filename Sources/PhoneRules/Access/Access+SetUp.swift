internal import Texts

/// The set-up of a box: a window that stays open until a phone has claimed the box, and the words that are accepted as codes.
extension Access {
    /// Whether the first phone that proves it is in the room becomes the keeper's.
    package var isSetUpOpen: Bool { setUp?.isUnplaced == true && !list.isClaimed }

    /// Whether the rules need to know if a place is set.
    package var mayBeSetUp: Bool { setUp != nil }

    package var setUpState: SetUpState {
        guard setUp?.isUnplaced == true else { return .closed }
        guard list.isClaimed else { return .open }
        let keeper = list.phones.first { $0.role == .keeper }?.name
        return .claimed(by: list.claimed?.by ?? keeper ?? "")
    }

    /// Keeps a window open while the box waits to be claimed, and closes it afterwards. The caller repeats this every few
    /// seconds.
    /// - Parameters:
    ///   - isUnplaced: `nil` if adhand does not answer, which leaves the last answer in use.
    ///   - random: 24 bytes, for a new window.
    package mutating func keepSetUp(isUnplaced: Bool?, random: [UInt8], at moment: PhoneMoment) {
        let now = advance(moment)
        if let isUnplaced { setUp?.isUnplaced = isUnplaced }
        if window?.isOpen(at: now) == false { window = nil }
        guard isSetUpOpen else {
            if window?.opener == .setUp { window = nil }
            if window == nil { openByCard(random: random, at: moment) }
            return
        }
        guard window == nil,
            (try? open(.keeper, by: .setUp, random: random, at: moment)) != nil
        else { return }
        // Renewing the window must not allow more than fifteen guesses of its digits an hour. Key and words stay valid.
        if let until = lockedUntil, now < until { window?.refuseCodes() }
    }

    /// The open window of the set-up.
    package struct SetUpWindow: Sendable, Equatable {
        package let secret: PairingSecret
        /// Whether its digits are accepted.
        package let acceptsCodes: Bool
        /// Seconds until it is renewed.
        package let seconds: Double
    }

    /// Whether a word is accepted as a code, so that a form must accept more than six digits.
    package func acceptsWords(at moment: PhoneMoment) -> Bool {
        let now = max(latest, moment.uptime)
        return isSetUpOpen || window.map { $0.isOpen(at: now) && $0.word != nil } ?? false
    }

    /// The window for the box's own screen; `nil` if the box does not wait to be claimed, or no window is open.
    package func setUpWindow(at moment: PhoneMoment) -> SetUpWindow? {
        let now = max(latest, moment.uptime)
        guard isSetUpOpen, let window, window.opener == .setUp, window.isOpen(at: now) else { return nil }
        return SetUpWindow(
            secret: window.secret, acceptsCodes: window.acceptsCodes, seconds: window.closesAt - now)
    }

    /// Opens a window for the household at each start of the box, if its card has `pair.txt` and the box is claimed or has a
    /// place.
    private mutating func openByCard(random: [UInt8], at moment: PhoneMoment) {
        guard let card = setUp?.card, let word = setUp?.cardWord, list.cardStart != card.start,
            list.isClaimed || setUp?.isUnplaced == false,
            (try? open(.household, seconds: Self.mostSeconds, by: .card, random: random, at: moment)) != nil
        else { return }
        window?.word = word
        list.cardStart = card.start
    }

    /// Forgets all phones and the claim of the box, as on a new box.
    package mutating func reset() {
        let start = list.cardStart
        list = PhoneList()
        list.cardStart = start
        (window, codes, acts) = (nil, [:], [:])
        (carryOvers, naming) = ([], [:])
    }

    /// Returns the role of a word that is valid now, and counts a wrong one.
    mutating func admitsWord(_ proof: PairingProof, _ entryPoint: RequestHead.EntryPoint, at now: Double)
        -> Role?
    {
        if proof.isOfHotspot(entryPoint), isSetUpOpen { return .keeper }
        guard case .code(let typed) = proof else { return nil }
        var accepted: [(word: PairingWord, role: Role)] = []
        if isSetUpOpen { accepted += (setUp?.words ?? []).map { ($0, .keeper) } }
        if let window, window.isOpen(at: now), let word = window.word { accepted.append((word, window.role)) }
        // Six digits are the code of a window, and are counted there.
        guard !accepted.isEmpty, PairingWord(typed) != nil, wrongWords.isOpen(at: now) else { return nil }
        if let found = accepted.first(where: { $0.word.admits(typed) }) { return found.role }
        wrongWords.add(at: now)
        return nil
    }
}
