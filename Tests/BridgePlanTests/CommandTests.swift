import Testing
import Texts

@testable import BridgePlan
@testable import Protocol

@Suite("Commands over MQTT")
struct CommandTests {
    private let topics = Topics(prefix: "adhand", box: "9f2c")
    private var all: CommandSettings {
        var settings = CommandSettings()
        settings.allowed = BridgeCommandKind.allCases
        return settings
    }

    private func read(
        _ name: String, _ payload: String, retained: Bool = false, _ settings: CommandSettings? = nil
    )
        throws -> Result<BridgeRequest, CommandRefusal>
    {
        let message = IncomingMessage(
            topic: topics.command(name), payload: Array(payload.utf8), isRetained: retained)
        let box = try Documents.box()
        return Result { () throws(CommandRefusal) in
            try BridgeCommand.read(message, topics, settings ?? all, box)
        }
    }

    @Test("Each asks what it says, and every mute has an end")
    func known() throws {
        #expect(try read("mute", "on").get() == .mute(.init(duration: "12h")))
        #expect(try read("mute", "off").get() == .unmute)
        #expect(try read("mute", #"{"duration":"2h"}"#).get() == .mute(.init(duration: "2h")))
        #expect(try read("mute", #"{"duration":"13h"}"#).get() == .mute(.init(duration: "12h")))
        #expect(try read("mute", #"{"until":"asr"}"#).get() == .mute(.init(until: "asr")))
        #expect(try read("mute", #"{"until":"13:30"}"#).get() == .mute(.init(until: "13:30")))
        // Half past eleven is tomorrow's by now, and too far.
        #expect(try read("mute", #"{"until":"11:30"}"#).get() == .mute(.init(duration: "12h")))
        #expect(try read("mute", #"{"until":"fajr"}"#).get() == .mute(.init(duration: "12h")))
        #expect(try read("mute", #"{"next":true}"#).get() == .mute(.init(next: true)))
        #expect(try read("stop", "press").get() == .stop)
        #expect(try read("test", "press").get() == .test(.init(prayer: "asr")))
        #expect(try read("test", "isha").get() == .test(.init(prayer: "isha")))
        #expect(try read("prayers/fajr", "off").get() == .disable(.init(prayers: ["fajr"])))
        #expect(try read("prayers/jumua", "on").get() == .enable(.init(prayers: ["jumua"])))
    }

    @Test(
        "Everything else is dropped",
        arguments: [
            ("mute", ""), ("mute", "ON"), ("mute", "{}"), ("mute", #"{"next":false}"#),
            ("mute", #"{"duration":"-1h"}"#),
            ("mute", #"{"duration":"2h","next":true}"#), ("mute", #"{"until":"25:00"}"#), ("mute", "[1]"),
            ("stop", "stop"), ("test", "noon"), ("prayers/noon", "on"), ("prayers/fajr", "toggle"),
            ("prayers/fajr/x", "on"),
            ("prayers", "on"), ("reload", "press"), ("", "press"),
        ])
    func unknown(name: String, payload: String) throws {
        #expect(try read(name, payload) == .failure(.unknown))
    }

    @Test("What is retained, too long, no text or not allowed is dropped, whatever it says")
    func dropped() throws {
        #expect(try read("stop", "press", retained: true) == .failure(.retained))
        #expect(try read("mute", String(repeating: "x", count: 1025)) == .failure(.oversized))
        let garbled = IncomingMessage(
            topic: topics.command("stop"), payload: [0xC3, 0x28], isRetained: false)
        #expect(throws: CommandRefusal.notText) { try BridgeCommand.read(garbled, topics, all, nil) }
        #expect(try read("stop", "press", CommandSettings()) == .failure(.notAllowed))
        var some = CommandSettings()
        some.allowed = [.stop]
        #expect(try read("mute", "off", some) == .failure(.notAllowed))
        let other = IncomingMessage(
            topic: "adhand/other/cmd/stop", payload: Array("press".utf8), isRetained: false)
        #expect(throws: CommandRefusal.unknown) { try BridgeCommand.read(other, topics, all, nil) }
    }

    @Test("One line a minute says so")
    func log() {
        var log = DropLog()
        #expect(log.dropped(.retained, "a", at: 0) != nil)
        for second in 1..<60 { #expect(log.dropped(.retained, "a", at: Double(second)) == nil) }
        #expect(log.dropped(.unknown, "a\u{1b}", at: 60)?.contains("59 more") == true)
    }
}
