import Envelope
package import PrayerEngine
import Texts

/// Decides about boxes that join by themselves: which are admitted, which wait for a person, and which are refused. It is a
/// value that is saved on disk.
package struct EnrolDesk: Codable, Sendable, Equatable {
    package enum Approval: String, Codable, Sendable, CaseIterable {
        case auto
        /// A box waits until a person accepts it.
        case hand
    }

    /// The invitation on cards. The broker accepts its word, so any holder may ask.
    package struct Invitation: Codable, Sendable, Equatable {
        /// The number of boxes that it admits.
        package let count: Int
        package let until: String
        package let approve: Approval
        package fileprivate(set) var used = 0

        package init(count: Int, until: Instant, approve: Approval) {
            (self.count, self.approve) = (count, approve)
            self.until = InstantText.rfc3339(until, in: .utc)
        }

        package var isUsedUp: Bool { used >= count }

        package func isOpen(at now: Instant) -> Bool {
            !isUsedUp && InstantText.parse(until).map { now < $0 } ?? false
        }
    }

    package struct Member: Codable, Sendable, Equatable {
        /// The hash of the password with which it was admitted; absent in lists of earlier versions.
        package let hash: String?
        package let hardware: String
        package let version: String
        package let at: String
    }

    package enum Refusal: String, Sendable, CaseIterable {
        /// There is no invitation, or it has expired or is used up.
        case closed
        /// The name belongs to another board.
        case cloned
        /// The broker has a user of that name that was not invited, such as the fleet's own.
        case taken
        /// The maximum number of boxes waits for a person.
        case full
    }

    package enum Answer: Sendable, Equatable {
        case accepted
        case waiting
        /// The box waits under a member's name with another password, and its board has no number to prove that it is the
        /// member.
        case waitingByKnownName
        case refused(Refusal)
    }

    /// The reason why a person cannot admit a box.
    package enum AcceptRefusal: Error, Sendable, Equatable {
        case notWaiting
        /// The broker has a user of that name by now.
        case taken
        /// The invitation is used up.
        case usedUp(count: Int)
    }

    package static let mostWaiting = 1000
    package static let mostBoxes = 100_000

    private var v = 1
    package private(set) var invitation: Invitation?
    package private(set) var members: [String: Member] = [:]
    package private(set) var waiting: [String: EnrolRequest] = [:]
    /// Boxes that a person removed. Each must wait for a person when it asks again, whatever the invitation allows.
    private var revoked: Set<String>? = []
    /// Waiting boxes that were members in a list that was lost.
    private var returned: Set<String>?
    /// Whether an earlier list was lost, so that some of the broker's users are members that this list lacks.
    private var rebuilt: Bool?

    package init() {}

    /// The list after an earlier one was lost.
    static func afterLoss() -> EnrolDesk {
        var desk = EnrolDesk()
        desk.rebuilt = true
        return desk
    }

    package var isRebuilt: Bool { rebuilt == true }

    /// Replaces the invitation, because the broker accepts only one word at a time.
    package mutating func invite(_ invitation: Invitation) { self.invitation = invitation }

    /// - Parameters:
    ///   - reported: the hardware that a box of this name reports, or ``UnnumberedBoard/name`` if it has none; `nil` without such
    ///     a report.
    ///   - users: the broker's users. A holder of a card's word cannot obtain a name that exists already.
    package mutating func ask(
        _ request: EnrolRequest, reported: String?, users: Set<String>, at now: Instant
    ) -> Answer {
        if let member = members[request.box] {
            guard member.hardware != UnnumberedBoard.name else {
                // The box asks again as long as the broker has not read its passwords.
                return member.hash == request.hash ? .accepted : wait(request, byKnownName: true)
            }
            guard member.hardware == request.hardware else { return .refused(.cloned) }
            // If its card was written again, the board may have another password.
            members[request.box] = Self.member(request, now)
            return .accepted
        }
        guard !users.contains(request.box) else { return returning(request, reported, now) }
        if let reported, reported != UnnumberedBoard.name, reported != request.hardware {
            return .refused(.cloned)
        }
        guard let invitation, invitation.isOpen(at: now), members.count < Self.mostBoxes else {
            return .refused(.closed)
        }
        guard invitation.approve == .auto, revoked?.contains(request.box) != true else {
            return wait(request, byKnownName: false)
        }
        if let other = waiting[request.box], !request.follows(other) { return .refused(.cloned) }
        enter(request, now)
        return .accepted
    }

    /// Lets a box wait. A person only sees the name, so the request is not replaced by one from another board.
    private mutating func wait(_ request: EnrolRequest, byKnownName isKnown: Bool) -> Answer {
        if let other = waiting[request.box], !request.follows(other) { return .refused(.cloned) }
        guard waiting.count < Self.mostWaiting || waiting[request.box] != nil else { return .refused(.full) }
        waiting[request.box] = request
        return isKnown ? .waitingByKnownName : .waiting
    }

    /// Decides about a name that the broker knows and the list lacks. If the list was lost, the board that reports under that
    /// name is the member.
    private mutating func returning(_ request: EnrolRequest, _ reported: String?, _ now: Instant) -> Answer {
        guard isRebuilt, let reported else { return .refused(.taken) }
        guard reported != UnnumberedBoard.name else {
            let answer = wait(request, byKnownName: true)
            if answer == .waitingByKnownName { returned = (returned ?? []).union([request.box]) }
            return answer
        }
        guard reported == request.hardware else { return .refused(.cloned) }
        // Its place was counted when it was first admitted.
        members[request.box] = Self.member(request, now)
        return .accepted
    }

    /// Admits a waiting box on a person's command. More boxes may wait than there are places.
    package mutating func accept(
        _ box: String, users: Set<String>, at now: Instant
    ) throws(AcceptRefusal) -> EnrolRequest {
        guard let request = waiting[box] else { throw .notWaiting }
        guard !waitsByKnownName(box) else {
            // Its place was counted when it was first admitted.
            (waiting[box], members[box]) = (nil, Self.member(request, now))
            returned?.remove(box)
            return request
        }
        guard !users.contains(box) else { throw .taken }
        guard let invitation, !invitation.isUsedUp else { throw .usedUp(count: self.invitation?.count ?? 0) }
        enter(request, now)
        return request
    }

    /// Whether a waiting box has the name of a member, or of one in a list that was lost.
    package func waitsByKnownName(_ box: String) -> Bool {
        waiting[box] != nil && (members[box] != nil || returned?.contains(box) == true)
    }

    /// Whether a person removed the box, and it was not admitted again.
    package func wasRevoked(_ box: String) -> Bool { revoked?.contains(box) == true }

    /// - Parameter isUser: whether the broker knows it, because the list may have lost it.
    /// - Returns: whether the box existed.
    package mutating func revoke(_ box: String, isUser: Bool) -> Bool {
        let isMember = members.removeValue(forKey: box) != nil || isUser
        let isWaiting = waiting.removeValue(forKey: box) != nil
        returned?.remove(box)
        if isMember { revoked = (revoked ?? []).union([box]) }
        return isMember || isWaiting
    }

    private mutating func enter(_ request: EnrolRequest, _ now: Instant) {
        waiting[request.box] = nil
        revoked?.remove(request.box)
        members[request.box] = Self.member(request, now)
        invitation?.used += 1
    }

    private static func member(_ request: EnrolRequest, _ now: Instant) -> Member {
        Member(
            hash: request.hash, hardware: request.hardware, version: request.version,
            at: InstantText.rfc3339(now, in: .utc))
    }
}
