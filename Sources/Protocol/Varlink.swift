import Texts

/// Varlink messages (varlink.org): JSON objects, each ended by a NUL byte. Parses and writes them.
package enum Varlink {
    package static let terminator: UInt8 = 0

    /// The content of a client's message.
    package enum Incoming: Sendable, Equatable {
        case call(Call)
        /// A well-formed call that this service does not support.
        case refused(ControlError, oneway: Bool)
        /// Not a Varlink call at all: the connection has to be closed.
        case malformed
    }

    package struct Call: Sendable, Equatable {
        package let action: Action
        /// Whether the client accepts several replies.
        package let more: Bool
        /// Whether the client wants no reply.
        package let oneway: Bool
        package let claim: CallerClaim

        package init(action: Action, more: Bool, oneway: Bool, claim: CallerClaim = CallerClaim()) {
            self.action = action
            self.more = more
            self.oneway = oneway
            self.claim = claim
        }
    }

    package enum Action: Sendable, Equatable {
        case control(ControlRequest)
        case getInfo
        case getInterfaceDescription(String)
    }

    /// Reads one message, without its terminator.
    package static func parse(_ message: some Sequence<UInt8>) -> Incoming {
        let bytes = Array(message)
        guard let head = try? JSON.decode(CallHead.self, from: bytes) else { return .malformed }
        let oneway = head.oneway ?? false
        do {
            let (action, claim) = try action(of: head.method, in: bytes)
            if case .control(.monitor) = action, head.more != true {
                return .refused(.expectedMore, oneway: oneway)
            }
            return .call(Call(action: action, more: head.more ?? false, oneway: oneway, claim: claim))
        } catch {
            return .refused(error, oneway: oneway)
        }
    }

    /// One call, as a client sends it.
    package static func call<Parameters, Answer>(
        _ method: MethodSignature<Parameters, Answer>, _ parameters: Parameters, as claim: CallerClaim? = nil,
        more: Bool = false
    ) throws -> [UInt8] {
        guard let claim else { return try call(method.name, parameters, more: more) }
        return try call(method.name, ClaimedParameters(parameters, claim), more: more)
    }

    /// One call of any name, known or not, with any parameters: a test tries the service with wrong ones, too.
    package static func call(
        _ method: String, _ parameters: some Codable & Sendable, more: Bool = false
    ) throws -> [UInt8] {
        let method = method.contains(".") ? method : "\(ControlError.interface).\(method)"
        return try JSON.encode(OutgoingCall(method: method, parameters: parameters, more: more ? true : nil))
            + [terminator]
    }

    /// Writes one reply of the service. `continues`: more replies follow.
    package static func reply(_ reply: Reply, continues: Bool = false) throws -> [UInt8] {
        switch reply {
        case .document(let document): try encode(document, continues: continues)
        case .refused(let error):
            try JSON.encode(ErrorMessage(error: error.name, parameters: error.parameters)) + [terminator]
        }
    }

    /// Reads the parameters of a reply, without anything that a terminal would obey; throws the service's refusal.
    package static func read<Document: ReplyDocument>(
        _ type: Document.Type, from message: some Sequence<UInt8>
    ) throws -> (document: Document, continues: Bool) {
        let bytes = PlainText.visible(json: message, keepingLines: Document.hasLines)
        let head = try JSON.decode(ReplyHead.self, from: bytes)
        if let name = head.error {
            let fields = try? JSON.decode(ErrorMessage.self, from: bytes).parameters
            throw ControlError(name: name, parameters: fields ?? ControlError.Parameters())
        }
        let body = try JSON.decode(ReplyMessage<Document>.self, from: bytes)
        return (body.parameters, head.continues ?? false)
    }

    private static func encode(_ document: some ReplyDocument, continues: Bool) throws -> [UInt8] {
        try JSON.encode(ReplyMessage(parameters: document, continues: continues ? true : nil)) + [terminator]
    }
}

/// A call without its parameters.
private struct CallHead: Decodable {
    let method: String
    let more: Bool?
    let oneway: Bool?
}

/// A reply without its parameters.
private struct ReplyHead: Decodable {
    let error: String?
    let continues: Bool?
}

/// A call that is sent.
private struct OutgoingCall<Parameters: Encodable>: Encodable {
    let method: String
    let parameters: Parameters
    let more: Bool?
}

/// A reply with its document.
private struct ReplyMessage<Document: Codable>: Codable {
    let parameters: Document
    let continues: Bool?
}

/// A reply that is an error.
private struct ErrorMessage: Codable {
    let error: String
    let parameters: ControlError.Parameters
}
