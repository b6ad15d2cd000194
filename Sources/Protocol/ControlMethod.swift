package import Settings
import Texts

/// One method of `org.adhand.Control`, declared once: its signature, by which clients call it, too; who may call it by which role
/// and grant; its description; and the request that it makes, which the daemon performs.
package struct ControlMethod: Sendable {
    package enum Access: Sendable {
        /// Any user may call it.
        case reading
        /// Any user may make this one request; every other form is a change.
        case readingAs(ControlRequest, otherwise: Change)
        case change(Change)

        /// Only users who may change something. The grant is stated even if there is none.
        static func changing(_ verb: String, from role: SettingRole, grant: CommandGrant?) -> Access {
            .change(Change(verb, from: role, grant: grant))
        }
    }

    /// The rule for a change.
    package struct Change: Sendable {
        /// Its name in a sentence about a refused caller.
        package let verb: String
        /// The lowest role that may make it. Settings have one for each key.
        package let lowestRole: SettingRole
        /// The grant that permits it to a user without full rights; `nil` where none does.
        package let grant: CommandGrant?

        init(_ verb: String, from lowestRole: SettingRole, grant: CommandGrant?) {
            (self.verb, self.lowestRole, self.grant) = (verb, lowestRole, grant)
        }
    }

    package let name: String
    package let access: Access
    /// The fields of its parameters.
    package let parameters: [JSONShape.Field]
    package let answer: any ReplyDocument.Type
    /// Lines for the interface's description; empty where the name suffices.
    private let summary: String
    let request: @Sendable ([UInt8]) throws(ControlError) -> ControlRequest

    init<Parameters, Answer>(
        _ signature: MethodSignature<Parameters, Answer>, _ access: Access, _ summary: String = "",
        _ request: @escaping @Sendable (Parameters) throws(ControlError) -> ControlRequest
    ) {
        let own = (try? JSONShape(of: Parameters.self))?.fields ?? []
        // A caller that makes a change may state for whom.
        let fields = if case .change = access { own + CallerClaim.fields } else { own }
        let known = Set(fields.map(\.name))
        (name, self.access, self.summary) = (signature.name, access, summary)
        parameters = fields
        answer = Answer.self
        self.request = { bytes throws(ControlError) in
            try request(try Varlink.parameters(Parameters.self, known, bytes))
        }
    }

    init<Answer>(
        _ signature: MethodSignature<NoParameters, Answer>, _ access: Access, _ summary: String = "",
        means request: ControlRequest
    ) {
        self.init(signature, access, summary) { _ in request }
    }

    /// Reads the claim of one call.
    func claim(_ bytes: [UInt8]) throws(ControlError) -> CallerClaim {
        if case .change = access { try CallerClaim(bytes) } else { CallerClaim() }
    }

    /// The method's lines in the interface's description.
    var description: String {
        let comment = summary.split(separator: "\n").map { "# \($0)\n" }.joined()
        let parameters = self.parameters.map {
            "\($0.name): \($0.isOptional ? "?" : "")\($0.shape.described)"
        }
        return "\(comment)method \(name)(\(parameters.joined(separator: ", "))) -> (\(answer.described))"
    }

    static let named: [String: ControlMethod] = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}

extension ControlRequest {
    /// The declaration of the request's method.
    package var method: ControlMethod? { ControlMethod.named[methodName] }

    private var methodName: String {
        switch self {
        case .getStatus: name(of: .getStatus)
        case .getTimes: name(of: .getTimes)
        case .getAgenda: name(of: .getAgenda)
        case .mute: name(of: .mute)
        case .unmute: name(of: .unmute)
        case .muteOutput: name(of: .muteOutput)
        case .unmuteOutput: name(of: .unmuteOutput)
        case .enablePrayers: name(of: .enablePrayers)
        case .disablePrayers: name(of: .disablePrayers)
        case .skipPrayers: name(of: .skipPrayers)
        case .unskipPrayers: name(of: .unskipPrayers)
        case .getSkips: name(of: .getSkips)
        case .stop: name(of: .stop)
        case .testPlay: name(of: .testPlay)
        case .playSound: name(of: .playSound)
        case .reload: name(of: .reload)
        case .reloadTimetable: name(of: .reloadTimetable)
        case .getTimetable: name(of: .getTimetable)
        case .setException: name(of: .setException)
        case .removeException: name(of: .removeException)
        case .getExceptions: name(of: .getExceptions)
        case .hijriSighted: name(of: .hijriSighted)
        case .hijriComplete: name(of: .hijriComplete)
        case .removeHijriPin: name(of: .removeHijriPin)
        case .getHijriPins: name(of: .getHijriPins)
        case .setSettings: name(of: .setSettings)
        case .getSettings: name(of: .getSettings)
        case .applyEnvelope: name(of: .applyEnvelope)
        case .getFleet: name(of: .getFleet)
        case .undoSettings: name(of: .undoSettings)
        case .getChanges: name(of: .getChanges)
        case .getLog: name(of: .getLog)
        case .getHistory: name(of: .getHistory)
        case .getHealth: name(of: .getHealth)
        case .getOutputs: name(of: .getOutputs)
        case .getDevices: name(of: .getDevices)
        case .testDevice: name(of: .testDevice)
        case .getTimers: name(of: .getTimers)
        case .getSounds: name(of: .getSounds)
        case .trigger: name(of: .trigger)
        case .getDiagnostics: name(of: .getDiagnostics)
        case .check: name(of: .check)
        case .monitor: name(of: .monitor)
        }
    }

    private func name<Parameters, Answer>(of signature: MethodSignature<Parameters, Answer>) -> String {
        signature.name
    }

    /// Whether it only reads, which every user may.
    package var isReading: Bool { change == nil }

    /// The rule for the change that it makes; `nil` where it only reads.
    package var change: ControlMethod.Change? { change(declaredBy: method) }

    /// The rule of a declaration for it.
    func change(declaredBy method: ControlMethod?) -> ControlMethod.Change? {
        switch method?.access {
        case .reading?: nil
        case .readingAs(let request, let change)?: self == request ? nil : change
        case .change(let change)?: change
        // A request without a declaration is permitted to no user.
        case nil: ControlMethod.Change("an undeclared method", from: .fresh, grant: nil)
        }
    }
}

extension JSONShape {
    /// A parameter's type in the syntax of the description.
    fileprivate var described: String {
        switch self {
        case .bool: "bool"
        case .int: "int"
        case .float: "float"
        case .string: "string"
        case .choice(SettingRole.allCases.map(\.rawValue)): "Role"
        case .choice(let words): "(\(words.joined(separator: ", ")))"
        case .list(let element): "[]\(element.described)"
        case .map(let value): "[string]\(value.described)"
        case .nullable(let value): "?\(value.described)"
        case .object(let type, _): type
        }
    }
}
