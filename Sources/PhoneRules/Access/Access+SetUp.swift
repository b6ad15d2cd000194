internal import Texts

/// A box's set-up: a window that is kept open until a phone has claimed it, and the words that count as a code.
extension Access {
    /// Whether the first phone that shows a code becomes the keeper's.
    package var isSetUpOpen: Bool { setUp?.isUnplaced == true && !list.isClaimed }

    /// Whether it matters if a place is known.
    package var mayBeSetUp: Bool { setUp != nil }

    package var setUpState: SetUpState {
        guard setUp?.isUnplaced == true else { return .closed }
        guard list.isClaimed else { return .open }
        let keeper = list.phones.first { $0.role == .keeper }?.name
        return .claimed(by: list.claimed?.by ?? keeper ?? "")
    }

    /// Keeps a window open while the box waits to be claimed, and closes it afterwards. To be called every few seconds.
    /// - Parameters:
    ///   - isUnplaced: `nil` where adhand does not answer: then it is as it was.
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
        // Guessing digits has fifteen tries an hour, however often the window is renewed. Key and words go on.
        if let until = lockedUntil, now < until { window?.refuseCodes() }
    }

    /// The open window of the set-up.
    package struct SetUpWindow: Sendable, Equatable {
        package let secret: PairingSecret
        /// Whether its digits count.
        package let takesCodes: Bool
        /// Until it is renewed.
        package let seconds: Double
    }

    /// Whether a word counts as a code, so that a form must take more than six digits.
    package func takesWords(at moment: PhoneMoment) -> Bool {
        let now = max(latest, moment.uptime)
        return isSetUpOpen || window.map { $0.isOpen(at: now) && $0.word != nil } ?? false
    }

    /// The window for the box's own screen; `nil` where the box does not wait to be claimed, or no window is open.
    package func setUpWindow(at moment: PhoneMoment) -> SetUpWindow? {
        let now = max(latest, moment.uptime)
        guard isSetUpOpen, let window, window.opener == .setUp, window.isOpen(at: now) else { return nil }
        return SetUpWindow(
            secret: window.secret, takesCodes: window.takesCodes, seconds: window.closesAt - now)
    }

    /// `pair.txt` on the card of a box that is claimed or has a place: one window for the household at each start of the box.
    private mutating func openByCard(random: [UInt8], at moment: PhoneMoment) {
        guard let card = setUp?.card, let word = setUp?.cardWord, list.cardStart != card.start,
            list.isClaimed || setUp?.isUnplaced == false,
            (try? open(.household, seconds: Self.mostSeconds, by: .card, random: random, at: moment)) != nil
        else { return }
        window?.word = word
        list.cardStart = card.start
    }

    /// Forgets every phone, and who claimed the box: as new.
    package mutating func reset() {
        let start = list.cardStart
        list = PhoneList()
        list.cardStart = start
        (window, codes, acts) = (nil, [:], [:])
        (carryOvers, naming) = ([], [:])
    }

    /// Whether a code is a word that counts now. A wrong one is counted.
    mutating func admitsWord(_ proof: PairingProof, _ door: RequestHead.Door, at now: Double) -> Role? {
        if proof.isOfHotspot(door), isSetUpOpen { return .keeper }
        guard case .code(let typed) = proof else { return nil }
        var accepted: [(word: PairingWord, role: Role)] = []
        if isSetUpOpen { accepted += (setUp?.words ?? []).map { ($0, .keeper) } }
        if let window, window.isOpen(at: now), let word = window.word { accepted.append((word, window.role)) }
        // Six digits are a window's code, and are counted there.
        guard !accepted.isEmpty, PairingWord(typed) != nil, wrongWords.isOpen(at: now) else { return nil }
        if let found = accepted.first(where: { $0.word.admits(typed) }) { return found.role }
        wrongWords.add(at: now)
        return nil
    }
}
