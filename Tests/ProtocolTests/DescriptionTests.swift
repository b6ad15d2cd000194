import Foundation
import LabSupport
import Protocol
import Settings
import Testing
import Texts

/// The interface description matches the wire: every declared method, answer and error.
@Suite("The interface's description")
struct DescriptionTests {
    private func described(_ interface: String = ControlError.interface) throws -> InterfaceDescription {
        guard case .document(let document) = Varlink.describe(interface) else {
            throw ControlError.interfaceNotFound(interface: interface)
        }
        return try InterfaceDescription(try #require(document as? Varlink.Description).description)
    }

    @Test("Every method is described, and no other")
    func methods() throws {
        let names = ControlMethod.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(try Set(described().answers.keys) == Set(names))
    }

    @Test("Every method has the role and the grant that Fixtures/control-methods.txt names")
    func rights() throws {
        let table = ControlMethod.all.map { "\($0.name): \($0.right)\n" }.joined()
        try ExpectedText.expect(table, in: "control-methods.txt", of: .module)
        #expect(ControlRequest.mute(MuteParameters()).change?.grant == .mute)
        #expect(ControlRequest.reload().change?.lowestRole == .fresh && ControlRequest.getFleet.isReading)
    }

    @Test(
        "A method makes the request that has its name, and the request finds its method",
        arguments: ControlMethod.all.map(\.name))
    func requests(name: String) throws {
        let method = try #require(ControlMethod.all.first { $0.name == name })
        let text = method.sampleCall
        guard case .call(let call) = Varlink.parse(text.utf8), case .control(let request) = call.action else {
            Issue.record("not understood: \(text)")
            return
        }
        #expect(request.method?.name == name)
    }

    @Test(
        "The parameters of every method are what it is said to take", arguments: ControlMethod.all.map(\.name)
    )
    func parameters(name: String) throws {
        let method = try #require(ControlMethod.all.first { $0.name == name })
        let description = try described()
        let documented = try #require(description.parameters[name])
        #expect(description.differences(method.parameters, from: documented, in: name).isEmpty)
    }

    private func expectDescribed<Answer: ReplyDocument>(
        _ type: Answer.Type, _ name: String, in description: InterfaceDescription
    ) throws {
        let shape = try JSONShape(of: type)
        let documented = try #require(description.answers[name])
        let differences = description.differences(shape.fields, from: documented, in: name)
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
        // The shape is what is encoded: with every field set it comes back as it was.
        let sample = shape.sample
        let back = try JSON.encode(try JSON.decode(type, from: sample.utf8))
        #expect(String(decoding: back, as: UTF8.self) == sample)
    }

    @Test("Every answer is as it is described: its names, which of them may be missing, and their types")
    func answers() throws {
        let description = try described()
        for method in ControlMethod.all { try expectDescribed(method.answer, method.name, in: description) }
        let service = try described(Varlink.serviceInterface)
        try expectDescribed(Varlink.Info.self, "GetInfo", in: service)
        try expectDescribed(Varlink.Description.self, "GetInterfaceDescription", in: service)
    }

    @Test(
        "Every error is as it is described, survives the wire, and has a sentence",
        arguments: ControlError.Code.allCases)
    func errors(code: ControlError.Code) throws {
        let all = try JSONShape(of: ControlError.Parameters.self)
        let error = ControlError(
            name: code.rawValue,
            parameters: try JSON.decode(ControlError.Parameters.self, from: all.sample.utf8))
        #expect(error.code == code && error.name == code.rawValue && !error.sentence.isEmpty)
        let bytes = try Varlink.reply(.refused(error)).dropLast()
        #expect(throws: error) { try Varlink.read(ChangeReply.self, from: bytes) }

        let (interface, name) = try #require(
            code.rawValue.lastIndex(of: ".").map { dot in
                (String(code.rawValue[..<dot]), String(code.rawValue[code.rawValue.index(after: dot)...]))
            })
        let description = try described(interface)
        let documented = try #require(description.errors[name])
        let parameters = String(decoding: try JSON.encode(error.parameters), as: UTF8.self)
        // Every field of an error is always told, but for the name that was probably meant.
        let accepted = all.fields.filter { parameters.contains("\"\($0.name)\":") }
            .map { JSONShape.Field(name: $0.name, isOptional: $0.name == "near", shape: $0.shape) }
        #expect(description.differences(accepted, from: documented, in: name).isEmpty)
    }

    @Test(
        "A change that is lost at a restart and one that was not made keep their sentences on the wire",
        arguments: [
            (
                ControlError.stateNotSaved(reason: "full"), true,
                "done, but it will be forgotten at the next restart: full"
            ),
            (.changeNotSaved(reason: "full"), false, "it has no effect, since it cannot be saved: full"),
        ])
    func notSaved(error: ControlError, isDone: Bool, sentence: String) throws {
        #expect(error.code == .stateNotSaved && error.parameters.done == isDone)
        #expect(error.sentence == sentence)
        let bytes = try Varlink.reply(.refused(error)).dropLast()
        #expect(throws: error) { try Varlink.read(ChangeReply.self, from: bytes) }
    }

    @Test("No error is described that nothing throws")
    func noOther() throws {
        let described = try described().errors.keys.map { "\(ControlError.interface).\($0)" }
        #expect(Set(described).isSubset(of: ControlError.Code.allCases.map(\.rawValue)))
    }
}

extension ControlMethod {
    /// The method's line in the table of rights.
    fileprivate var right: String {
        switch access {
        case .reading: "reading"
        case .readingAs(_, let change): "reading, otherwise \(change.right)"
        case .change(let change): change.right
        }
    }
}

extension ControlMethod.Change {
    fileprivate var right: String { "from \(lowestRole), grant \(grant?.rawValue ?? "none")" }
}
