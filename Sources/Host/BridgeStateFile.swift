/// A file in the state directory of adhan-bridge (``Paths/bridgeState``). `fleet leave` looks for some of them, too.
package enum BridgeStateFile: String, Sendable {
    /// The address that was set on the phone page. Units of systemd refer to it, too.
    case page = "page.json"
    case queue = "queue.jsonl"
    /// The open alerts.
    case open = "open.json"
    /// The document of `adhan-bridge status`.
    case status = "status.json"
    /// The note that a connection to a broker is young.
    case broker = "broker.json"
    /// The instant up to which the fleet knows all calls.
    case fleet = "fleet.json"
    /// The password that the box has made for the broker of its fleet.
    case membership = "fleet-password.json"

    package func path(in folder: String) -> String { folder + "/" + rawValue }
}
