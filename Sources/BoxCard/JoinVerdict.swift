package import Protocol

/// Decides whether a network was joined, by the events of wpa_supplicant and by whether an address came.
package enum JoinVerdict {
    /// - Parameters:
    ///   - log: the events of `wpa_cli`, one a line.
    ///   - hasAddress: whether the network has assigned the box an address.
    ///   - asked: the network that was tried.
    ///   - seen: the networks in range.
    /// - Returns: `nil` once the box is in the network.
    package static func failure(
        _ log: [Substring], hasAddress: Bool, asked: AskedNetwork? = nil, seen: [ScanResults.Seen] = []
    ) -> NetworkDocument.Failure? {
        if hasAddress { return nil }
        // The last one counts: a password that is taken at the second try is right.
        for event in log.reversed().compactMap(Event.init) {
            switch event.name {
            case "CTRL-EVENT-CONNECTED": return .noAddress
            case "CTRL-EVENT-SSID-TEMP-DISABLED" where event.words.last == "reason=WRONG_KEY":
                return .wrongPassword
            case "CTRL-EVENT-AUTH-REJECT" where event.hasWrongPassword: return .wrongPassword
            case "CTRL-EVENT-ASSOC-REJECT", "CTRL-EVENT-AUTH-REJECT": return .refused
            default: continue
            }
        }
        guard let asked, !log.contains(where: isAttempt) else { return .notFound }
        // wpa_supplicant passes over a network without a way in for this password, as if it were not there.
        let found = seen.filter { $0.network.ssid == asked.name }
        let isClosed = !found.isEmpty && found.allSatisfy { !$0.security.admits(asked.secret) }
        return isClosed ? .refused : .notFound
    }

    /// `wlan0: SME: Trying to authenticate with …`: there is a way in.
    private static func isAttempt(_ line: Substring) -> Bool {
        line.split(separator: " ").drop { $0.hasSuffix(":") }.first == "Trying"
    }

    /// A line of wpa_supplicant, such as `wlan0: CTRL-EVENT-CONNECTED - Connection to …`. Some contain the name of a network, which says
    /// nothing.
    private struct Event {
        let name: Substring
        let words: [Substring]

        init?(_ line: Substring) {
            let words = line.split(separator: " ")
            // Before the event stands the radio, as "wlan0:".
            let rest = words.first?.hasSuffix(":") == true ? words.dropFirst() : words[...]
            guard let name = rest.first, name.hasPrefix("CTRL-EVENT-") else { return nil }
            (self.name, self.words) = (name, Array(rest.dropFirst()))
        }

        /// The answer of a network of WPA3 to a wrong password: its check by SAE (3) has failed at the second message, which routers
        /// call a failed challenge (15) or no more than a failure (1). wpa_supplicant calls that no wrong key. `join.sh` counts the same
        /// lines.
        var hasWrongPassword: Bool {
            words.contains("auth_type=3") && words.contains("auth_transaction=2")
                && (words.contains("status_code=15") || words.contains("status_code=1"))
        }
    }
}

/// The networks around, as `wpa_cli scan_results` lists them.
package enum ScanResults {
    package struct Seen: Sendable {
        let megahertz: Int
        let security: NetworkSecurity
        let network: NetworkDocument.Network
    }

    /// The most that a page lists.
    private static let most = 40

    package static func read(_ text: String) -> [Seen] {
        text.split(separator: "\n").compactMap { line in
            // bssid, frequency, signal level, flags, ssid; a name may be empty, and has its odd bytes as \xNN.
            let fields = line.split(separator: "\t", maxSplits: 4, omittingEmptySubsequences: false)
            guard fields.count == 5, let megahertz = Int(fields[1]), let signal = Int(fields[2]) else {
                return nil
            }
            let security = NetworkSecurity(flags: fields[3])
            return Seen(
                megahertz: megahertz, security: security,
                network: .init(ssid: plain(fields[4]), signal: signal, secured: security.needsPassword))
        }
    }

    /// The networks for the page: each name once, the strongest first. A name that is open somewhere needs no password.
    package static func networks(_ seen: [Seen]) -> [NetworkDocument.Network] {
        var names: Set<String> = []
        let open = Set(seen.filter { !$0.network.secured }.map(\.network.ssid))
        let byStrength = seen.map(\.network).sorted { ($1.signal, $0.ssid) < ($0.signal, $1.ssid) }
        return byStrength.filter { !$0.ssid.isEmpty && names.insert($0.ssid).inserted }.prefix(most).map {
            .init(ssid: $0.ssid, signal: $0.signal, secured: !open.contains($0.ssid))
        }
    }

    /// The channel of 1, 6 and 11 with the least signal around it. 2.4 GHz alone: every phone has it, and no radar is there.
    package static func channel(_ seen: [Seen]) -> Int {
        func load(_ channel: Int) -> Double {
            let middle = 2407 + 5 * channel
            return seen.filter { abs($0.megahertz - middle) < 25 }
                .map { power(Double($0.network.signal)) }.reduce(0, +)
        }
        return [1, 6, 11].min { load($0) < load($1) } ?? 6
    }

    /// Milliwatts of dBm, as far as one is to be compared with another: each 10 dB are ten times as much.
    private static func power(_ decibels: Double) -> Double {
        var (rest, power) = (decibels, 1.0)
        while rest >= 10 { (rest, power) = (rest - 10, power * 10) }
        while rest < 0 { (rest, power) = (rest + 10, power / 10) }
        return power * (1 + rest * 0.9)
    }

    /// `caf\xc3\xa9` as `café`.
    private static func plain(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let next = rest.popFirst() else {
                bytes.append(byte)
                continue
            }
            switch next {
            case UInt8(ascii: "x"):
                let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                rest = rest.dropFirst(2)
                if let value = UInt8(digits, radix: 16) { bytes.append(value) }
            case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "e"): continue
            default: bytes.append(next)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension CardNetworks {
    /// A network that a phone named. As in `wifi.txt`, a network may be hidden or not.
    /// - Parameter country: the country in force, for a phone that named none.
    package init(_ request: JoinRequest, country: String?) {
        let country = (request.country ?? country).map { "country=\($0)\n" } ?? ""
        self.init(
            configuration: "ctrl_interface=/run/wpa_supplicant\n" + country
                + Self.block(Self.hexadecimal(request.ssid.utf8), request.password, isHidden: request.hidden))
    }
}

/// The configuration of wpa_supplicant for the box's own network: WPA2 with the hotspot's key, on one channel.
package struct HotspotNetwork {
    package let configuration: String

    /// - Parameter country: the card's country, or `00`, whose rules apply everywhere.
    package init(name: String, key: String, channel: Int, country: String?) {
        configuration = """
            ctrl_interface=/run/wpa_supplicant
            country=\(country ?? "00")
            network={
            \tssid=\(CardNetworks.hexadecimal(name.utf8))
            \tmode=2
            \tfrequency=\(2407 + 5 * channel)
            \tkey_mgmt=WPA-PSK
            \tproto=RSN
            \tpairwise=CCMP
            \tgroup=CCMP
            \tpsk="\(key)"
            }

            """
    }
}
