/// Answers of a name server that resolves every name to this box. A phone that has joined the box's own network therefore finds
/// the page, and its test for internet access ends here. Bytes in, bytes out.
package enum DNSAnswer {
    /// The longest question that is parsed, in bytes. A phone's has about a hundred.
    package static let longest = 512

    private static let headerLength = 12
    private static let longestName = 255
    private static let longestLabel = 63

    private enum Code: UInt8 {
        case none = 0
        case format = 1
        case notImplemented = 4
    }

    private enum Kind {
        static let address: UInt16 = 1
        static let internet: UInt16 = 1
        /// The class number in a question that matches any class.
        static let any: UInt16 = 255
    }

    /// - Parameter address: an IPv4 address of four bytes.
    /// - Returns: `nil` for bytes that are not a question. Answering an answer could start an endless exchange.
    package static func answer(_ message: [UInt8], address: [UInt8]) -> [UInt8]? {
        guard message.count >= headerLength, message.count <= longest, message[2] & 0x80 == 0 else {
            return nil
        }
        guard message[2] >> 3 & 0x0F == 0 else { return reply(to: message, .notImplemented) }
        guard number(message, 4) == 1, number(message, 6) == 0, number(message, 8) == 0,
            let end = endOfName(message), end + 4 <= message.count
        else { return reply(to: message, .format) }
        let question = message[headerLength..<(end + 4)]
        let isOfInternet = [Kind.internet, Kind.any].contains(number(message, end + 2))
        // Questions of other types, such as AAAA, get an answer without data, after which a phone uses IPv4.
        guard number(message, end) == Kind.address, isOfInternet else {
            return reply(to: message, .none, question: question)
        }
        return reply(to: message, .none, question: question, address: address)
    }

    private static func reply(
        to message: [UInt8], _ code: Code, question: ArraySlice<UInt8> = [], address: [UInt8]? = nil
    ) -> [UInt8] {
        // The flags of an authoritative answer, with the question's bit for recursion.
        let flags: [UInt8] = [0x80 | message[2] & 0x78 | 0x04 | message[2] & 0x01, 0x80 | code.rawValue]
        let counts: [UInt8] = [0, question.isEmpty ? 0 : 1, 0, address == nil ? 0 : 1, 0, 0, 0, 0]
        let head = message[..<2] + flags + counts + question
        guard let address else { return Array(head) }
        // The answer's name refers to the question's, at byte 12. Its lifetime is zero, because the next network has other
        // addresses.
        return head + [0xC0, 0x0C, 0, 1, 0, 1, 0, 0, 0, 0, 0, UInt8(address.count)] + address
    }

    /// The offset behind the question's name; `nil` if the name has no end or uses compression.
    private static func endOfName(_ message: [UInt8]) -> Int? {
        var at = headerLength
        while at < message.count, at - headerLength < longestName {
            let length = Int(message[at])
            at += 1 + length
            if length == 0 { return at }
            guard length <= longestLabel else { return nil }
        }
        return nil
    }

    private static func number(_ message: [UInt8], _ at: Int) -> UInt16 {
        UInt16(message[at]) << 8 | UInt16(message[at + 1])
    }
}
