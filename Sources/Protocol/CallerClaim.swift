public import Settings
import Texts

/// A caller's claim on whose behalf it acts, and with which limited role. Every method that changes something accepts it.
public struct CallerClaim: Sendable, Equatable {
    /// The person's or device's name, at most 60 characters. It is logged beside the caller's user, and not trusted further.
    public var actor: String?
    /// The role, which can only reduce the caller's rights.
    public var role: SettingRole?

    /// Makes a claim; without a role the caller has the rights of its user.
    public init(actor: String? = nil, role: SettingRole? = nil) {
        (self.actor, self.role) = (actor, role)
    }

    /// The claim of a tap on the screen: any person in front of it.
    public static let screen = CallerClaim(actor: "screen", role: .household)

    /// The fields of the claim among a method's parameters.
    static let fields = (try? JSONShape(of: Fields.self))?.fields ?? []

    fileprivate struct Fields: Codable {
        var actor: String?
        var role: SettingRole?
    }

    private struct Message: Decodable {
        let parameters: Fields?
    }

    /// Reads the claim of a call.
    init(_ message: [UInt8]) throws(ControlError) {
        let fields: Fields?
        do {
            fields = try JSON.decode(Message.self, from: message).parameters
        } catch {
            let isRole = (try? JSON.decode(ActorMessage.self, from: message)) != nil
            throw .invalidParameter(parameter: isRole ? "role" : "actor")
        }
        if let actor = fields?.actor, !SettingAuthor.isActor(actor) {
            throw .invalidParameter(parameter: "actor")
        }
        (actor, role) = (fields?.actor, fields?.role)
    }

    private struct ActorMessage: Decodable {
        struct Parameters: Decodable { let actor: String? }
        let parameters: Parameters?
    }
}

/// A method's parameters with a claim beside them.
package struct ClaimedParameters<Parameters: Codable & Sendable>: Codable, Sendable {
    /// The method's own parameters.
    package let parameters: Parameters
    /// The claim, whose fields stand beside those of ``parameters`` in the JSON.
    package let claim: CallerClaim

    /// Puts a claim beside parameters.
    package init(_ parameters: Parameters, _ claim: CallerClaim) {
        (self.parameters, self.claim) = (parameters, claim)
    }

    package init(from decoder: any Decoder) throws {
        parameters = try Parameters(from: decoder)
        let fields = try CallerClaim.Fields(from: decoder)
        claim = CallerClaim(actor: fields.actor, role: fields.role)
    }

    package func encode(to encoder: any Encoder) throws {
        try parameters.encode(to: encoder)
        try CallerClaim.Fields(actor: claim.actor, role: claim.role).encode(to: encoder)
    }
}
