extension ImagerSettings {
    /// A summary for people, without passwords and keys.
    package var summary: [(name: String, text: String)] {
        var lines: [(name: String, text: String)] = []
        func add(_ name: String, _ text: String?) { if let text { lines.append((name, text)) } }
        for network in wifi {
            let name = "\"\(CardNetworks.name(network.ssid[...]))\""
            let notes = [network.psk == nil ? "open" : nil, network.hidden ? "hidden" : nil].compactMap(
                \.self)
            add("Wireless network", name + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))"))
        }
        add("Country", country)
        add("Name of the box", hostname)
        add("Time zone", timezone)
        add("Public SSH keys", keys.isEmpty ? nil : String(keys.count))
        for skipped in skipped { add("Skipped", "line \(skipped.line): \(skipped.key)") }
        return lines
    }

    // MARK: The report on the card

    /// The notes on `network-config`. The networks themselves are named in a line of their own.
    package var networkNotes: [String] {
        if wifi.isEmpty { return ["it names no wireless network"] }
        guard hasDerivedKey else { return [] }
        return [
            "Imager keeps a key in place of the password, and networks of WPA3 alone cannot use it.",
            "If the box does not join the network, write its name and password into wifi.txt.",
        ]
    }

    /// The notes on `user-data`.
    /// - Parameters:
    ///   - keysOutrank: whether the keys of `authorized_keys` are in force.
    ///   - zoneInForce: the configured zone, if a zone or a place is configured.
    package func userNotes(keysOutrank: Bool, zoneInForce: String?) -> [String] {
        var lines: [String] = []
        if let hostname { lines.append("name of the box: \(hostname), on its network \(hostname).local") }
        if let timezone {
            let comesFirst = zoneInForce.map { ", but adhand.toml comes first: \($0)" } ?? ""
            lines.append("time zone: \(timezone)" + (zoneInForce == timezone ? "" : comesFirst))
        }
        if !keys.isEmpty {
            let number = keys.count == 1 ? "1 public SSH key" : "\(keys.count) public SSH keys"
            lines.append(number + (keysOutrank ? ", but authorized_keys comes first" : " for root"))
        }
        return lines + skipped.map { "line \($0.line): \($0.key) is skipped, since a box has no use for it" }
    }
}

extension ImagerFile {
    /// The effect of a refusal, and what to do.
    package func consequence(of error: ImagerError) -> String {
        switch self {
        case .networkConfig where error.hasOwnRemedy: "the wireless network was not taken over"
        case .networkConfig:
            "the wireless network was not taken over: flash the card again, or write wifi.txt"
        case .userData: "name, time zone and keys were not taken over: flash the card again"
        }
    }
}
