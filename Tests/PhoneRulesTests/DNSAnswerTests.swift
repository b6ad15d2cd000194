import LabSupport
import PhoneRules
import SeededRandom
import Testing

@Suite("Names in the box's own network")
struct DNSAnswerTests {
    private static let address: [UInt8] = [10, 77, 77, 1]

    private func query(_ name: String, kind: UInt16 = 1, flags: [UInt8] = [0x01, 0x00], tail: [UInt8] = [])
        -> [UInt8]
    {
        let labels = name.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        let additional: UInt8 = tail.isEmpty ? 0 : 1
        return [0xAB, 0xCD] + flags + [0, 1, 0, 0, 0, 0, 0, additional] + labels + [0] + [
            UInt8(kind >> 8), UInt8(kind & 255), 0, 1,
        ] + tail
    }

    private func answer(_ message: [UInt8]) -> [UInt8]? { DNSAnswer.answer(message, address: Self.address) }

    @Test(
        "Every name has the box's address, for no time",
        arguments: ["connectivitycheck.gstatic.com", "captive.apple.com", "www.msftconnecttest.com", "x", ""])
    func names(name: String) throws {
        // With and without the extension that phones add.
        for tail in [[], [0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 0]] as [[UInt8]] {
            let question = query(name, tail: tail)
            let reply = try #require(answer(question))
            let asked = question[12..<(question.count - tail.count)]
            #expect(reply[..<12] == [0xAB, 0xCD, 0x85, 0x80, 0, 1, 0, 1, 0, 0, 0, 0])
            #expect(reply[12..<(12 + asked.count)] == asked)
            #expect(reply[(12 + asked.count)...] == [0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 10, 77, 77, 1])
        }
    }

    @Test(
        "Other kinds have no data, so that a phone goes on with IPv4",
        arguments: [28, 2, 5, 6, 12, 15, 16, 33, 64, 65, 255] as [UInt16])
    func kinds(kind: UInt16) throws {
        let question = query("example.org", kind: kind)
        let reply = try #require(answer(question))
        #expect(reply[2...] == [0x85, 0x80, 0, 1, 0, 0, 0, 0, 0, 0] + question[12...])
    }

    @Test("Answers, half questions and long ones get nothing back; damaged and other ones a reason")
    func refusals() {
        let good = query("example.org")
        #expect(answer(query("example.org", flags: [0x81, 0x80])) == nil)
        for count in 0..<12 { #expect(answer(Array(good[..<count])) == nil) }
        for count in 12..<good.count { #expect(answer(Array(good[..<count]))?[3] == 0x81) }
        #expect(answer(good + [UInt8](repeating: 0, count: 600)) == nil)
        #expect(answer(query("example.org", flags: [0x28, 0]))?[3] == 0x84)
        var two = good
        two[5] = 2
        #expect(answer(two)?[3] == 0x81 && answer(two)?.count == 12)
        // A name that refers to itself, a label that is too long, a name without an end.
        for name in [
            [0xC0, 12], [64] + [UInt8](repeating: 97, count: 64) + [0], [UInt8](repeating: 1, count: 300),
        ] as [[UInt8]] {
            #expect(answer(Array(good[..<12]) + name + [0, 1, 0, 1])?[3] == 0x81)
        }
    }

    @Test("Whatever comes, the reply is short, is an answer, and is none to an answer")
    func anything() {
        var random = SplitMix64(seed: 53)
        let good = query("captive.apple.com")
        for round in 0..<RandomCases.count(200_000) {
            var message =
                round % 2 == 0
                ? good
                : (0..<Int.random(in: 0...80, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
            for _ in 0..<Int.random(in: 0...3, using: &random) where !message.isEmpty {
                message[Int.random(in: 0..<message.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            guard let reply = answer(message) else { continue }
            #expect(reply.count <= message.count + 16 && reply[2] & 0x80 != 0 && answer(reply) == nil)
            #expect(reply[..<2] == message[..<2])
        }
    }
}
