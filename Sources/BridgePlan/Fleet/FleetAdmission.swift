import Envelope
import Texts

/// Admits a box whose card carries a fleet's word. The box creates a password, asks for its place with that word, and then
/// connects under its own name. It receives no answer, and only learns of its admission when the broker accepts its password.
/// Until then it alternates between the two roles with growing pauses.
package struct FleetAdmission: Sendable, Equatable {
    package enum Role: Sendable {
        /// The box requests its place, as the broker's user for all new boxes.
        case applicant
        case member
    }

    /// The progress of a box's admission, for `adhan-bridge status`.
    package enum Standing: String, Codable, Sendable {
        /// The broker has not received its request yet.
        case asking
        /// The box has sent its request and was not admitted so far.
        case waiting
        /// The broker no longer accepts the card's word, and the box was not admitted.
        case closed
        case member
    }

    /// The state that survives a restart.
    package struct Document: Codable, Sendable, Equatable {
        var v = 1
        package let org: String
        package let password: String
        /// Whether the broker has ever accepted the password.
        package var isLetIn = false
    }

    /// The broker's user for boxes that ask to be admitted.
    package static let applicantUser = "enrol"
    package static let passwordBytes = 32
    /// Seconds from the request to the first attempt to connect as a member.
    static let firstPauseSeconds = 3.0
    /// The longest pause: a person who admits boxes by hand may do so days later.
    static let longestPauseSeconds = 300.0
    /// Seconds from the broker's refusal of the box to its request.
    static let turnSeconds = 1.0

    package private(set) var document: Document
    package private(set) var role: Role
    package private(set) var standing: Standing
    private var pause = firstPauseSeconds

    /// - Parameters:
    ///   - random: bytes for the password, if the file has none for this fleet.
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
    /// - Returns: whether the state has to be saved.
    package mutating func cameIn() -> Bool {
        (standing, pause) = (.member, Self.firstPauseSeconds)
        defer { document.isLetIn = true }
        return !document.isLetIn
    }

    /// Notes that the broker has accepted the request.
    /// - Returns: seconds until the box connects under its own name.
    package mutating func noteRequest() -> Double {
        (role, standing) = (.member, .waiting)
        return nextPause()
    }

    /// Notes that all answering brokers have refused name and password, or the request.
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
    /// The hash of its password, in the broker's format.
    package let hash: String
    package let hardware: String
    package let version: String

    /// - Parameter hash: the hash of the membership's password.
    package init(_ facts: BoxFacts, box: String, hash: String) {
        (self.box, self.hash, version) = (box, hash, facts.version)
        hardware = facts.hardware ?? UnnumberedBoard.name
    }
}
