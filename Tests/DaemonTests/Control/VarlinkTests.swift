import Announcements
import BoxSupport
import Daemon
import Protocol
import Testing
import Texts

@Suite("Varlink messages")
struct VarlinkTests {
    @Test("A call is read with its parameters and flags")
    func call() {
        let incoming = Varlink.parse(
            Array(#"{"method":"org.adhand.Control.Mute","parameters":{"duration":"2h"},"oneway":true}"#.utf8))
        #expect(
            incoming
                == .call(
                    .init(action: .control(.mute(MuteParameters(duration: "2h"))), more: false, oneway: true))
        )
    }

    @Test(
        "What does not fit is refused by the standard errors",
        arguments: [
            (
                #"{"method":"org.adhand.Control.Nope"}"#,
                ControlError.methodNotFound(method: "org.adhand.Control.Nope")
            ),
            (#"{"method":"org.other.X"}"#, .interfaceNotFound(interface: "org.other")),
            (#"{"method":"x"}"#, .methodNotFound(method: "x")),
            (
                #"{"method":"org.adhand.Control.Mute","parameters":{"dur":"2h"}}"#,
                .invalidParameter(parameter: "dur")
            ),
            (
                #"{"method":"org.adhand.Control.Mute","parameters":{"duration":2}}"#,
                .invalidParameter(parameter: "duration")
            ),
            (#"{"method":"org.adhand.Control.TestPlay"}"#, .invalidParameter(parameter: "prayer")),
            (
                #"{"method":"org.adhand.Control.GetStatus","parameters":{"x":1}}"#,
                .invalidParameter(parameter: "x")
            ),
            (#"{"method":"org.adhand.Control.Monitor"}"#, .expectedMore),
            (
                #"{"method":"org.adhand.Control.Reload","parameters":{"written":"adhand.toml"}}"#,
                .invalidParameter(parameter: "written")
            ),
            (
                #"{"method":"org.adhand.Control.TestPlay","parameters":{"prayer":"asr","seconds":-1}}"#,
                .invalidParameter(parameter: "seconds")
            ),
        ])
    func refused(text: String, error: ControlError) {
        #expect(Varlink.parse(Array(text.utf8)) == .refused(error, oneway: false))
    }

    @Test(
        "What is not a call at all closes the connection",
        arguments: [
            "", "x", "[]", "{}", "null", "{\"method\":1}", "\u{FF}", String(repeating: "[", count: 60_000),
        ])
    func malformed(text: String) {
        #expect(Varlink.parse(Array(text.utf8)) == .malformed)
    }

    @Test("An unknown prayer is answered with those that there are")
    func allowed() throws {
        let unknown = try Varlink.reply(.refused(.unknownPrayer(prayer: "x"))).dropLast()
        #expect(
            String(decoding: unknown, as: UTF8.self).contains(
                #""allowed":["fajr","dhuhr","asr","maghrib","isha","jumua"]"#))
    }

    @Test("A status carries its nulls, as the contract shows it")
    func nulls() throws {
        let box = try Box()
        let bytes = try Varlink.reply(.document(StatusReply(status: box.state.status(at: box.now))))
        let text = String(decoding: bytes.dropLast(), as: UTF8.self)
        #expect(bytes.last == 0)
        #expect(text.contains(#""mute":{"active":false,"scope":null,"until":null}"#))
        #expect(
            text.contains(
                #""playback":{"durationSeconds":null,"id":null,"positionSeconds":null,"prayer":null,"sound":null,"state":"idle"}"#
            ))
        let back = try Varlink.read(StatusReply.self, from: bytes.dropLast()).document
        #expect(back.status == box.state.status(at: box.now))
    }

    /// The lines of the description that begin with a word.
    private func described(_ word: String) throws -> [Substring] {
        guard case .document(let document) = Varlink.describe("org.adhand.Control") else { return [] }
        let description = try #require(document as? Varlink.Description).description
        return description.split(separator: "\n").filter { $0.hasPrefix(word + " ") }
            .map { $0.dropFirst(word.count + 1) }
    }

    /// A value of a described type.
    private func value(of type: Substring) throws -> String {
        switch type {
        case "string": "\"/asr\""
        case "[]string": "[\"asr\"]"
        case "int": "3"
        case "float": "2.5"
        case "bool": "true"
        case "Role": "\"keeper\""
        case "[]SettingChange": "[{\"key\":\"adhan.volume\",\"value\":\"45\"}]"
        default: try #require(nil as String?, "no value of the type \(type)")
        }
    }

    private func call(_ name: String, _ parameters: [String]) -> String {
        let parameters = parameters.joined(separator: ",")
        return "{\"method\":\"org.adhand.Control.\(name)\",\"parameters\":{\(parameters)},\"more\":true}"
    }

    @Test("Every described method is understood with every described parameter, and means what it is called")
    func describedMethods() throws {
        for line in try described("method") {
            let name = String(line.prefix { $0 != "(" })
            let parameters = line.dropFirst(name.count + 1).prefix { $0 != ")" }.split(separator: ",")
            var required: [String] = []
            var all: [String] = []
            for parameter in parameters {
                let parts = parameter.split(separator: ":").map { $0.drop { $0 == " " } }
                try #require(parts.count == 2, "\(line)")
                let isOptional = parts[1].hasPrefix("?")
                let pair = "\"\(parts[0])\":\(try value(of: parts[1].drop { $0 == "?" }))"
                all.append(pair)
                if !isOptional { required.append(pair) }
            }
            for pairs in [all, required] {
                let text = call(name, pairs)
                guard case .call(let call) = Varlink.parse(Array(text.utf8)),
                    case .control(let request) = call.action
                else {
                    Issue.record("not understood: \(text)")
                    continue
                }
                // getStatus for GetStatus
                let meaning = "\(request)".prefix { $0 != "(" }
                #expect(meaning == name.prefix(1).lowercased() + name.dropFirst())
            }
            for pair in required {
                let text = call(name, required.filter { $0 != pair })
                let missing = String(pair.dropFirst().prefix { $0 != "\"" })
                #expect(
                    Varlink.parse(Array(text.utf8))
                        == .refused(.invalidParameter(parameter: missing), oneway: false))
            }
        }
    }
}
