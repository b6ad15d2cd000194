import Envelope
import Texts

/// A box whose card carries the word of a fleet makes a password of its own, asks for its place with that word, and then comes by its own
/// name. Nobody answers it: it learns that it was let in when the broker takes its password. So it goes to and fro between the two, with
/// growing pauses, for as long as neither opens.
package struct FleetAdmission: Sendable, Equatable {
    package enum Role: Sendable {
        /// It requests its place, as the broker's user for all new boxes.
        case applicant
        case member
    }

    /// The way of a box into its fleet, for `adhan-bridge status`.
    package enum Standing: String, Codable, Sendable {
        /// Its request is not with the broker yet.
        case asking
        /// It has asked, but was not admitted so far.
        case waiting
        /// The broker no longer accepts the card's word, and this box was not admitted.
        case closed
        case member
    }

    /// The part that outlasts a restart.
    package struct Document: Codable, Sendable, Equatable {
        var v = 1
        package let org: String
        package let password: String
        /// Whether the broker has accepted the password once.
        package var isLetIn = false
    }

    /// The broker's user for boxes that ask.
    package static let applicantUser = "enrol"
    package static let passwordBytes = 32
    /// Seconds before the first attempt to come in, after the request.
    static let firstPauseSeconds = 3.0
    /// A person who lets boxes in by hand does so on another day.
    static let longestPauseSeconds = 300.0
    /// Seconds between the broker's refusal of the box and its request.
    static let turnSeconds = 1.0

    package private(set) var document: Document
    package private(set) var role: Role
    package private(set) var standing: Standing
    private var pause = firstPauseSeconds

    /// - Parameters:
    ///   - random: for the password, where the file has none for this fleet.
    package init(org: String, fileBytes: [UInt8], random: () -> UInt8) {
        let known = try? JSON.decode(Document.self, from: fileBytes)
        if let known, known.v == 1, known.org == org, known.password.utf8.count == 2 * Self.passwordBytes {
            document = known
        } else {
            let bytes = (0..<Self.passwordBytes).map { _ in random() }
            document = Document(org: org, password: bytes.map(Self.twoDigits).joined())
        }
        role = document.isLetIn ? .member : .applicant
        standing = document.isLetIn ? .member : .asking
    }

    private static func twoDigits(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    /// Notes that the broker has accepted the box's own password.
    /// - Returns: whether there is something to be saved.
    package mutating func cameIn() -> Bool {
        (standing, pause) = (.member, Self.firstPauseSeconds)
        defer { document.isLetIn = true }
        return !document.isLetIn
    }

    /// Notes that the broker has accepted the request.
    /// - Returns: seconds until the box connects under its own name.
    package mutating func asked() -> Double {
        (role, standing) = (.member, .waiting)
        return nextPause()
    }

    /// Notes that every broker that answered has refused name and password, or the request.
    /// - Returns: seconds until the box connects in its other role.
    package mutating func refused() -> Double {
        switch role {
        case .member:
            role = .applicant
            return Self.turnSeconds
        case .applicant:
            (role, standing) = (.member, .closed)
            return nextPause()
        }
    }

    private mutating func nextPause() -> Double {
        defer { pause = min(pause * 2, Self.longestPauseSeconds) }
        return pause
    }
}

/// The request of a box, as `adhan-fleet watch` reads it.
package struct EnrolmentPayload: Encodable, Sendable {
    package let v = 1
    package let box: String
    /// The hash of its password, in the broker's form.
    package let hash: String
    package let hardware: String
    package let version: String

    /// - Parameter hash: of the membership's password.
    package init(_ facts: BoxFacts, box: String, hash: String) {
        (self.box, self.hash, version) = (box, hash, facts.version)
        hardware = facts.hardware ?? UnnumberedBoard.name
    }
}
