internal import Host
internal import PhoneRules
internal import Texts

/// The codes that the service manager passes to this program on a flashed box, as files (`LoadCredential=`).
struct SetUpCredentials {
    private static let longest = 1024

    let rules: SetUpRules

    /// Reads the credentials. A missing or malformed code is `nil`.
    init(in environment: Environment) {
        let folder = environment.value("CREDENTIALS_DIRECTORY")
        func text(_ name: String) -> String? {
            folder.flatMap { try? FileBytes.read("\($0)/\(name)", limit: Self.longest) }.map {
                String(decoding: $0, as: UTF8.self)
            }
        }
        let key = text("hotspot-key").flatMap { HotspotKey($0.prefix { $0 != "\n" }) }
        rules = SetUpRules(
            hotspotKey: key.flatMap { PairingWord($0.text) },
            card: text("card-pairing").flatMap { SetUpRules.Card(text: $0) })
    }
}
