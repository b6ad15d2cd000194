import Texts
import Times

extension Varlink {
    /// Parses the parameters of a method; throws the standard errors for unknown methods and wrong parameters.
    static func action(
        of method: String, in bytes: [UInt8]
    ) throws(ControlError) -> (action: Action, claim: CallerClaim) {
        guard let dot = method.lastIndex(of: ".") else { throw .methodNotFound(method: method) }
        let interface = String(method[..<dot])
        let name = String(method[method.index(after: dot)...])
        switch interface {
        case ControlError.interface:
            guard let known = ControlMethod.named[name] else { throw .methodNotFound(method: method) }
            return (.control(try known.request(bytes)), try known.claim(bytes))
        case serviceInterface: return (try serviceAction(name, method: method, in: bytes), CallerClaim())
        default: throw .interfaceNotFound(interface: interface)
        }
    }

    private static func serviceAction(_ name: String, method: String, in bytes: [UInt8]) throws(ControlError)
        -> Action
    {
        switch name {
        case "GetInfo":
            _ = try parameters(NoParameters.self, [], bytes)
            return .getInfo
        case "GetInterfaceDescription":
            return .getInterfaceDescription(
                try parameters(InterfaceParameters.self, ["interface"], bytes).interface)
        default: throw .methodNotFound(method: method)
        }
    }

    /// Reads the call's parameters; an error names the parameter that is unknown, missing or of the wrong type.
    static func parameters<Parameters: Decodable>(
        _ type: Parameters.Type, _ known: Set<String>, _ bytes: [UInt8]
    ) throws(ControlError) -> Parameters {
        do {
            let names = try JSON.decode(Holder<Names>.self, from: bytes).parameters?.names ?? []
            // Name the alphabetically first one: the decoder has no order.
            if let unknown = names.filter({ !known.contains($0) }).min() {
                throw ControlError.invalidParameter(parameter: unknown)
            }
            if let found = try JSON.decode(Holder<Parameters>.self, from: bytes).parameters { return found }
            // Parameters may be omitted altogether when none is required.
            return try JSON.decode(Parameters.self, from: Array("{}".utf8))
        } catch let error as ControlError {
            throw error
        } catch let error as DecodingError {
            throw .invalidParameter(parameter: error.parameterName ?? "parameters")
        } catch {
            throw .invalidParameter(parameter: "parameters")
        }
    }
}

/// A call of which only the parameters are read.
private struct Holder<Parameters: Decodable>: Decodable {
    let parameters: Parameters?
}

/// The parameters of `GetInterfaceDescription`.
private struct InterfaceParameters: Codable {
    let interface: String
}

/// The names of an object's members, whatever their values.
private struct Names: Decodable {
    let names: [String]

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        names = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
    }
}

extension DecodingError {
    fileprivate var parameterName: String? {
        let path: [any CodingKey]
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            path = context.codingPath
        case .keyNotFound(let key, let context): path = context.codingPath + [key]
        @unknown default: return nil
        }
        return path.dropFirst().first?.stringValue ?? path.last?.stringValue
    }
}
