internal import Texts

/// Carries a pairing over to a box's second address. A cookie belongs to one address, and a box has two: one on its own network
/// and one on the home network. A keeper's phone takes its pairing from the first to the second. In the other direction the key
/// of the box's own network gives access to the network page alone.
extension Access {
    /// Seconds for which a code of ``carryOver(of:random:at:)`` is valid: joining takes less than a minute, and finding the
    /// phone's settings takes longer.
    package static let carriedFor = 900.0
    /// Seconds for which a phone may name a network, longer than the hotspot of a box with a place stays up unused.
    package static let namingFor = 1800.0
    static let mostNaming = 20

    /// A pairing that is being carried over to another address of the box.
    struct CarryOver: Sendable {
        let key: String
        /// The keeper's phone that carries it over.
        let phone: String
        var closesAt: Double
    }

    /// The code that pairs a keeper's phone again at the box's address on another network. It stays the same while it is valid,
    /// because a person may open the page twice before using the link.
    /// - Parameter random: 24 bytes, for a new code.
    /// - Returns: `nil` for a phone that is not a keeper's.
    package mutating func carryOver(of id: String, random: [UInt8], at moment: PhoneMoment) -> String? {
        let now = advance(moment)
        carryOvers.removeAll { now >= $0.closesAt }
        guard current(at: moment).contains(where: { $0.id == id && $0.role == .keeper }) else { return nil }
        if let index = carryOvers.firstIndex(where: { $0.phone == id }) {
            carryOvers[index].closesAt = now + Self.carriedFor
            return carryOvers[index].key
        }
        let key = PairingSecret(random: random).key
        carryOvers.append(CarryOver(key: key, phone: id, closesAt: now + Self.carriedFor))
        return key
    }

    /// Pairs a phone by such a code, which remains valid until the phone has shown that it has its token.
    /// - Returns: `nil` if the proof is no such code, or its phone was revoked.
    mutating func carry(
        _ proof: PairingProof, name: PhoneName, token: PhoneToken, own: PhoneToken?, at moment: PhoneMoment
    ) -> PairingVerdict? {
        let now = advance(moment)
        guard case .key(let key) = proof,
            let index = carryOvers.firstIndex(where: { now < $0.closesAt && PairingWord.areSame(key, $0.key) }
            ),
            let before = current(at: moment).first(where: { $0.id == carryOvers[index].phone }),
            before.role == .keeper
        else { return nil }
        if let paired = own.flatMap({ self.phone(of: $0, at: moment) }),
            let place = list.phones.firstIndex(where: { $0.id == paired.id })
        {
            carryOvers.remove(at: index)
            (list.phones[place].role, list.phones[place].name) = (.keeper, name.text)
            if paired.id != before.id { list.phones[place].origin = before.root }
            carryFreshness(from: before.id, to: paired.id)
            return .renewed(list.phones[place])
        }
        guard current(at: moment).count < limits.most else { return .full }
        var phone = Phone(token: token, name: name, role: .keeper, day: moment.day)
        phone.origin = before.root
        awaitFirstRequest(of: &phone)
        list.phones.append(phone)
        carryFreshness(from: before.id, to: phone.id)
        return .paired(phone)
    }

    /// Invalidates the code by which a phone was paired at another address, because the phone has shown that it has its token.
    mutating func endCarryOver(to phone: Phone) {
        guard let root = phone.origin else { return }
        let same = Set(list.phones.filter { $0.root == root }.map(\.id))
        carryOvers.removeAll { same.contains($0.phone) }
    }

    /// Copies the freshness of the first pairing to the second, because no code from the room was entered for the second.
    private mutating func carryFreshness(from old: String, to new: String) {
        guard let entered = codes[old] else { return }
        codes[new] = max(codes[new] ?? entered, entered)
    }

    // MARK: The key of the box's own network

    /// Whether the key is accepted as a code for the network page.
    package var acceptsHotspotKey: Bool { setUp?.hotspotKey != nil && !isSetUpOpen }

    /// Admits a phone to the network page by the key of the box's own network, typed again. A wrong key is not counted as a
    /// guess, because only phones that know the key use this entry point.
    mutating func admitNaming(
        _ proof: PairingProof, token: PhoneToken, own: PhoneToken?, at moment: PhoneMoment
    ) -> PairingVerdict? {
        let now = advance(moment)
        guard acceptsHotspotKey, case .code(let typed) = proof, setUp?.hotspotKey?.admits(typed) == true
        else {
            return nil
        }
        naming = naming.filter { now < $0.value }
        // A household's phone keeps its cookie, and its other rights.
        let paired = own.flatMap { self.phone(of: $0, at: moment) == nil ? nil : $0 }
        naming[(paired ?? token).digest] = now + Self.namingFor
        if naming.count > Self.mostNaming, let first = naming.min(by: { $0.value < $1.value }) {
            naming[first.key] = nil
        }
        return .mayName(isNew: paired == nil)
    }

    /// Whether the phone with this token has entered the key of the box's own network within the last half hour.
    package func mayName(_ token: PhoneToken, at moment: PhoneMoment) -> Bool {
        naming[token.digest].map { max(latest, moment.uptime) < $0 } ?? false
    }
}
