internal import Settings
package import Texts

/// Edits the `[[alert]]` in bridge.toml that `adhan-bridge alert` writes for a person who only knows an address. Everything
/// else in the file stays as it is.
package struct AlertEdit: Sendable {
    package struct Refusal: Error, Sendable, Equatable {
        package let reason: String

        package init(reason: String) { self.reason = reason }
    }

    /// The name of the `[[alert]]` if none is given.
    package static let usualName = "phone"

    private let file: String
    private let text: [UInt8]
    private let name: String
    private let before: AlertDestination?

    /// - Parameters:
    ///   - file: the file's name, for sentences.
    ///   - text: its text; `nil` if it does not exist.
    ///   - config: the meaning of that text, without drop-ins.
    package init(_ file: String, _ text: [UInt8]?, _ config: BridgeConfig, name: String) throws(Refusal) {
        (self.file, self.text, self.name) = (file, text ?? Self.head, name)
        before = config.destinations.first { $0.name == name }
        guard TextKind.other(.name).fault(in: name) == nil else {
            throw Refusal(
                reason:
                    "the name of an alert has a to z, 0 to 9 and -, at most 32, unlike \"\(PlainText.visible(name))\""
            )
        }
    }

    /// The text with this address added or changed.
    package func setting(_ address: DeliveryAddress, _ format: AlertDestination.Format?) throws(Refusal)
        -> [UInt8]
    {
        var edit = ConfigEdit(text)
        guard let before else {
            edit.append(
                toList: "alert",
                [
                    ("name", .text(name)), ("kind", .text(AlertDestination.Kind.webhook.rawValue)),
                    ("url", .text(address.text)),
                    ("format", .text((format ?? Self.format(of: address)).rawValue)),
                ])
            return edit.bytes
        }
        guard before.kind == .webhook else {
            throw Refusal(
                reason:
                    "the alert \"\(name)\" in \"\(file)\" is of the kind \"\(before.kind.rawValue)\" and has no address; "
                    + "give another name: --name NAME")
        }
        if let secret = before.urlFile {
            throw Refusal(
                reason:
                    "the address of the alert \"\(name)\" stands in \"\(secret)\"; write the new one there")
        }
        let host = before.url.flatMap { try? DeliveryAddress.read($0).get() }?.host
        let wanted = format ?? (host == address.host ? before.format : Self.format(of: address))
        var fields: [(key: String, value: ConfigEdit.Value)] = [("url", .text(address.text))]
        if wanted != before.format { fields.append(("format", .text(wanted.rawValue))) }
        guard edit.set(inList: "alert", where: "name", is: name, fields) else { throw unreachable }
        return edit.bytes
    }

    /// The text without the alert; `nil` if it has none.
    package func removing() throws(Refusal) -> [UInt8]? {
        guard before != nil else { return nil }
        var edit = ConfigEdit(text)
        guard edit.remove(fromList: "alert", where: "name", is: name) else { throw unreachable }
        return edit.bytes
    }

    private var unreachable: Refusal {
        Refusal(reason: "the alert \"\(name)\" in \"\(file)\" is written in braces; change it there")
    }

    /// The format for the server of an address. Most accept plain text, and ntfy's headers do no harm there.
    static func format(of address: DeliveryAddress) -> AlertDestination.Format {
        let host = address.host.lowercased()
        let isSlack =
            host == "hooks.slack.com" || host.hasPrefix("discord") && address.text.hasSuffix("/slack")
        return isSlack ? .slack : .ntfy
    }

    private static let head = Array(
        """
        # What adhan-bridge tells whom, begun by "adhan-bridge alert". Other keys: "adhan-bridge --print-config" shows all of them, and
        # docs/HOME.md examples; "adhan-bridge --check" tells whether a change is right.

        """.utf8)
}
