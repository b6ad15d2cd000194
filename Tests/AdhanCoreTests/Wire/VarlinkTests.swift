import AdhanCore
import Testing

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

    @Test("Every error survives the wire, with a sentence for people")
    func errors() throws {
        let errors: [ControlError] = [
            .unknownPrayer(prayer: "x"), .notPermitted(needed: "adhan"),
            .invalidTime(value: "1", reason: "r"),
            .soundNotFound(sound: "s"), .soundUnusable(sound: "s", reason: "r"),
            .audioUnavailable(device: "d", reason: "r"), .nothingPlaying, .busy(playing: "p"), .debugDisabled,
            .configurationInvalid(file: "f", line: 1, column: 2, reason: "r"), .stateNotSaved(reason: "r"),
            .interfaceNotFound(interface: "i"), .methodNotFound(method: "m"),
            .invalidParameter(parameter: "p"),
            .expectedMore,
        ]
        for error in errors {
            let bytes = try Varlink.reply(.refused(error)).dropLast()
            #expect(throws: error) { try Varlink.read(SaidReply.self, from: bytes) }
            #expect(!error.sentence.isEmpty)
        }
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

    @Test("Every method of the description is understood, and every request is described")
    func described() throws {
        guard case .document(let document) = Varlink.describe("org.adhand.Control"),
            let description = (document as? Varlink.Description)?.description
        else {
            Issue.record("no description")
            return
        }
        let methods = description.split(separator: "\n").filter { $0.hasPrefix("method ") }
            .compactMap { $0.dropFirst(7).split(separator: "(").first.map(String.init) }
        #expect(methods.count == 18)
        for method in methods {
            let incoming = Varlink.parse(
                Array(
                    "{\"method\":\"org.adhand.Control.\(method)\",\"parameters\":{\"?\":1},\"more\":true}"
                        .utf8))
            #expect(incoming == .refused(.invalidParameter(parameter: "?"), oneway: false), "\(method)")
        }
    }
}
