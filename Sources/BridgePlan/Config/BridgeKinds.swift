import Settings
import Texts

/// Kinds of text in bridge.toml.
enum BridgeKinds {
    static let broker = TextKind.Other(
        allowed: "a broker such as \"mqtts://ha.lan:8883\" or \"mqtt://192.168.1.2\"", plural: "brokers"
    ) { text in
        if BrokerAddress(text) != nil { return nil }
        // The most likely mistake is an address without its scheme.
        let guess = "mqtts://\(text)"
        return .init(hint: !text.contains("://") && BrokerAddress(guess) != nil ? "\"\(guess)\"" : nil)
    }

    static let url = TextKind.Other(
        allowed: "an address such as \"https://ntfy.sh/our-mosque\"", plural: "addresses"
    ) { text in
        switch DeliveryAddress.read(text) {
        case .success: nil
        case .failure(let problem): .init(because: problem.reason)
        }
    }

    static let path = TextKind.Other(
        allowed: "an absolute path such as \"/etc/adhand/secret\"", plural: "paths"
    ) { text in
        isPath(text) ? nil : .init()
    }

    static let pathOrNone = TextKind.Other(allowed: "an absolute path, or \"\" for none", plural: "paths") {
        text in
        text.isEmpty || isPath(text) ? nil : .init()
    }

    static let topic = TextKind.Other(
        allowed: "the beginning of a topic such as \"adhand\" or \"home/adhand\"", plural: "topics"
    ) { text in
        let isPlain =
            text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && !text.contains(where: { "+#$".contains($0) })
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return isPlain && (1...100).contains(text.utf8.count) && parts.allSatisfy { !$0.isEmpty }
            ? nil : .init()
    }

    static let mailbox = TextKind.Other(
        allowed: "an address such as \"imam@example.org\"", plural: "addresses"
    ) { text in
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        // sendmail would treat an address with a leading minus as an option.
        let isPlain =
            text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
            && !text.contains(where: { "<>\",;:\\".contains($0) })
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && isPlain && !text.hasPrefix("-")
            && text.utf8.count <= 254 ? nil : .init()
    }

    static let loopback = TextKind.Other(
        allowed: "an address of this machine with a port, such as \"127.0.0.1:9464\", or \"\" for none",
        plural: "addresses"
    ) { text in
        guard !text.isEmpty, LoopbackAddress(text) == nil else { return nil }
        return .init(because: "the figures are for this machine alone")
    }

    static let command = words(BridgeCommandKind.allCases.map(\.rawValue), mayBeNone: true)
    static let alert = words(AlertKind.allCases.map(\.rawValue))

    private static func words(_ names: [String], mayBeNone: Bool = false) -> TextKind.Other {
        let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
        return .init(allowed: "one of \(list)", plural: "of \(list)", mayBeNone: mayBeNone) { text in
            names.contains(text) ? nil : .init(hint: NearestName.of(text, among: names).map { "\"\($0)\"" })
        }
    }

    private static func isPath(_ text: String) -> Bool {
        text.hasPrefix("/") && text.utf8.count <= 4095 && text != "/" && !text.hasSuffix("/")
    }
}
