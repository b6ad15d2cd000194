internal import Host
internal import PhoneRules
internal import PrayerEngine
internal import Protocol
internal import Texts

/// One call on the pairing socket. Message and answer are bytes without their terminator.
struct PairingCall {
    let gatekeeper: Gatekeeper
    /// The caller's user according to the kernel; `nil` if unknown.
    let user: UInt32?
    let url: String

    /// Dynamic users of systemd (systemd.exec(5)). The helper of taps is one, and anyone in front of the screen can use it.
    private static let dynamicUsers: ClosedRange<UInt32> = 61_184...65_519

    private struct Head: Decodable {
        let method: String
        let oneway: Bool?
    }

    private struct Holder<Parameters: Decodable>: Decodable {
        let parameters: Parameters
    }

    private struct Done<Document: Encodable>: Encodable {
        let parameters: Document
    }

    private struct Refusal: Encodable {
        let error: String
        let parameters: [String: Field]
    }

    private enum Field: Encodable {
        case text(String)
        case number(Int)

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .number(let number): try container.encode(number)
            }
        }
    }

    private struct Description: Encodable {
        let description: String
    }

    private struct InterfaceParameters: Decodable {
        let interface: String
    }

    private struct Nothing: Encodable {}

    /// - Returns: `nil` for bytes that are no call, after which the connection is closed; empty if the caller wants no answer.
    func answer(_ message: [UInt8]) -> [UInt8]? {
        guard let head = try? JSON.decode(Head.self, from: message) else { return nil }
        let answer = answer(head.method, message)
        return head.oneway == true ? [] : answer
    }

    private func answer(_ method: String, _ message: [UInt8]) -> [UInt8] {
        switch method {
        case "org.varlink.service.GetInfo":
            var info = Varlink.Info(version: adhandVersion)
            info.product = "adhan-remote"
            info.interfaces = [Varlink.serviceInterface, RemoteInterface.name]
            return reply(info)
        case "org.varlink.service.GetInterfaceDescription":
            guard let asked = try? JSON.decode(Holder<InterfaceParameters>.self, from: message).parameters
            else {
                return invalid("interface")
            }
            if asked.interface == Varlink.serviceInterface,
                case .document(let description as Varlink.Description) = Varlink.describe(asked.interface)
            {
                return reply(description)
            }
            guard asked.interface == RemoteInterface.name else {
                return refusal("org.varlink.service.InterfaceNotFound", ["interface": .text(asked.interface)])
            }
            return reply(Description(description: RemoteInterface.description))
        case RemoteInterface.openPairing.name: return open(message)
        case RemoteInterface.closePairing.name:
            gatekeeper.close()
            return reply(Nothing())
        case RemoteInterface.getPhones.name: return reply(phones)
        case RemoteInterface.revokePhone.name: return revoke(message)
        case RemoteInterface.getSetUp.name: return reply(setUp)
        case RemoteInterface.resetPhones.name: return reset()
        default: return refusal("org.varlink.service.MethodNotFound", ["method": .text(method)])
        }
    }

    private func open(_ message: [UInt8]) -> [UInt8] {
        guard let asked = try? JSON.decode(Holder<OpenPairingParameters>.self, from: message).parameters,
            let role = Role(rawValue: asked.role)
        else { return invalid("role") }
        switch gatekeeper.open(role, seconds: asked.seconds, by: opener) {
        case .success(let opening):
            let expires = Instant(unixSeconds: WallClock.now().unixSeconds + Double(opening.seconds))
            return reply(
                PairingReply(
                    code: opening.secret.code, key: opening.secret.key, url: url,
                    expires: InstantText.rfc3339(expires, in: .utc).replacing("+00:00", with: "Z")))
        case .failure(.seconds): return invalid("seconds")
        case .failure(.full): return refusal("\(RemoteInterface.name).TooManyPhones", [:])
        case .failure(.lockedOut(let seconds)):
            return refusal("\(RemoteInterface.name).PairingLocked", ["seconds": .number(seconds)])
        }
    }

    private var opener: Access.Opener {
        user.map(Self.dynamicUsers.contains) ?? true ? .touch : .command
    }

    private var phones: PhonesReply {
        PhonesReply(
            phones: gatekeeper.phones.map {
                PhonesReply.Phone(
                    id: $0.id, name: $0.name, role: $0.role.rawValue, paired: $0.paired, seen: $0.seen)
            }, open: gatekeeper.secondsOpen)
    }

    private func revoke(_ message: [UInt8]) -> [UInt8] {
        guard let asked = try? JSON.decode(Holder<RevokePhoneParameters>.self, from: message).parameters
        else {
            return invalid("id")
        }
        do throws(Gatekeeper.NotSavedError) {
            return try gatekeeper.revoke(asked.id)
                ? reply(Nothing()) : refusal("\(RemoteInterface.name).UnknownPhone", ["id": .text(asked.id)])
        } catch {
            return refusal("\(RemoteInterface.name).PhonesNotSaved", [:])
        }
    }

    /// The state of the set-up with its code and key: any caller that reaches this socket may open a window anyway.
    private var setUp: SetUpReply {
        let (state, window) = gatekeeper.setUp
        switch state {
        case .closed: return SetUpReply(.closed)
        case .claimed(let name):
            var reply = SetUpReply(.claimed)
            reply.by = name
            return reply
        case .open:
            var reply = SetUpReply(.open)
            guard let window else { return reply }
            reply.code = window.acceptsCodes ? window.secret.code : nil
            (reply.key, reply.url) = (window.secret.key, url)
            reply.seconds = Int(window.seconds.rounded(.up))
            return reply
        }
    }

    private func reset() -> [UInt8] {
        guard user == 0 else { return refusal("\(RemoteInterface.name).NotRoot", [:]) }
        do throws(Gatekeeper.NotSavedError) {
            try gatekeeper.reset()
            return reply(Nothing())
        } catch {
            return refusal("\(RemoteInterface.name).PhonesNotSaved", [:])
        }
    }

    private func invalid(_ parameter: String) -> [UInt8] {
        refusal("org.varlink.service.InvalidParameter", ["parameter": .text(parameter)])
    }

    private func reply(_ document: some Encodable) -> [UInt8] {
        (try? JSON.encode(Done(parameters: document))) ?? []
    }

    private func refusal(_ name: String, _ fields: [String: Field]) -> [UInt8] {
        (try? JSON.encode(Refusal(error: name, parameters: fields))) ?? []
    }
}
