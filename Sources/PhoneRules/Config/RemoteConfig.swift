package import Settings

/// `/etc/adhand/remote.toml`: the names of the phone page, and how long phones stay paired.
package struct RemoteConfig: Sendable, Equatable {
    /// Names of this machine in addition to its own.
    package var names: [String] = []
    /// Whether a proxy on this machine provides HTTPS for these names.
    package var proxy = false
    package var pairing = Access.Limits()

    package init() {}

    package static let systemFile = "/etc/adhand/remote.toml"

    package static let schema = Schema<RemoteConfig>(
        initial: RemoteConfig(),
        parts: [
            .section(
                .init(path: ["network"], meaning: "by which names browsers call this page", keys: network)),
            .section(
                .init(path: ["pairing"], meaning: "how long a phone stays paired, and how many", keys: phones)
            ),
        ],
        check: { config, _ in
            config.proxy && config.names.isEmpty
                ? [
                    SchemaComplaint(
                        ["network", "proxy"],
                        "network.proxy is for the names in network.names, and there are none; add the name by which the proxy is called"
                    )
                ] : []
        })

    private typealias Key = ConfigKey<RemoteConfig>

    private static let network: [Key] = [
        .optionalTexts(
            "names", .texts(.hostName("box.example.org"), orOne: true), \.names, example: ["box.example.org"],
            "of this machine, beside its own name and addresses"),
        .flag("proxy", \.proxy, "a proxy on this machine does HTTPS for these names"),
    ]

    private static let phones: [Key] = [
        .integer("days", 1...3650, "days", \.pairing.days, "until a phone has to be paired again"),
        .integer("most", 1...100, "phones", \.pairing.most, "phones that may be paired at a time"),
    ]
}
