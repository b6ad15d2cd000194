/// `network-config` as Raspberry Pi Imager writes it: the keys of `customization_generator.cpp`, read at 056cf6d and up to 2.0.11,
/// and no others.
struct NetworkConfigReader {
    private var lines: ImagerLines
    private(set) var settings = ImagerSettings()
    /// Imagers that write `ethernets` write other escapes in the names of networks.
    private var quotes = ImagerScalar.Quotes.plain

    init(_ lines: ImagerLines) { self.lines = lines }

    mutating func readFile() throws(ImagerError) {
        var file = ImagerMapping()
        while let entry = try file.next(in: &lines) {
            guard entry.key.text == "network" else { throw entry.unknown }
            try readNetwork(entry)
        }
    }

    private mutating func readNetwork(_ network: ImagerEntry) throws(ImagerError) {
        guard var mapping = try ImagerMapping(below: network, in: lines) else { return }
        var hasVersion = false
        while let entry = try mapping.next(in: &lines) {
            switch entry.key.text {
            case "version":
                guard try entry.scalar().text == "2" else {
                    throw ImagerError(entry.line, "only version 2 is read here. " + ImagerEntry.remedy)
                }
                hasVersion = true
            case "ethernets": try readCables(entry)
            case "wifis": try readRadios(entry)
            default: throw entry.unknown
            }
        }
        guard hasVersion else {
            throw ImagerError(network.line, "the line \"version: 2\" is missing below. " + ImagerEntry.remedy)
        }
    }

    /// A box uses DHCP on every cable, so nothing is kept of these.
    private mutating func readCables(_ entry: ImagerEntry) throws(ImagerError) {
        quotes = .bytes
        guard var cables = try ImagerMapping(below: entry, in: lines) else { return }
        while let cable = try cables.next(in: &lines) {
            guard cable.isName else { throw cable.unknown }
            guard var mapping = try ImagerMapping(below: cable, in: lines) else { continue }
            while let entry = try mapping.next(in: &lines) {
                guard try readAddresses(entry) else { throw entry.unknown }
            }
        }
    }

    /// Whether the key configures addresses.
    private func readAddresses(_ entry: ImagerEntry) throws(ImagerError) -> Bool {
        switch entry.key.text {
        case "dhcp4":
            guard try entry.flag() else {
                throw ImagerError(entry.line, "a box gets its address by DHCP alone: write \"dhcp4: true\"")
            }
        case "dhcp6", "optional": _ = try entry.flag()
        default: return false
        }
        return true
    }

    private mutating func readRadios(_ entry: ImagerEntry) throws(ImagerError) {
        guard var radios = try ImagerMapping(below: entry, in: lines) else { return }
        while let radio = try radios.next(in: &lines) {
            guard radio.key.text == "wlan0" else { throw radio.unknown }
            guard var mapping = try ImagerMapping(below: radio, in: lines) else { continue }
            while let entry = try mapping.next(in: &lines) {
                switch entry.key.text {
                case "regulatory-domain": settings.country = try Self.country(entry)
                case "access-points": try readNetworks(entry)
                default: guard try readAddresses(entry) else { throw entry.unknown }
                }
            }
        }
    }

    private static func country(_ entry: ImagerEntry) throws(ImagerError) -> String {
        let code = try entry.scalar().text.uppercased()
        guard code.utf8.count == 2, code.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
            throw ImagerError(entry.line, "a country is two letters, such as GB, DE or SA. Write one")
        }
        return code
    }

    private mutating func readNetworks(_ entry: ImagerEntry) throws(ImagerError) {
        guard var names = try ImagerMapping(below: entry, in: lines, quotes: quotes) else { return }
        while let network = try names.next(in: &lines) {
            let name = network.key.bytes
            guard (1...32).contains(name.count) else {
                throw ImagerError(
                    network.line, "the name of a network has 1 to 32 bytes. Look at the name of yours")
            }
            settings.wifi.append(try readNetwork(named: name, network))
        }
    }

    private mutating func readNetwork(
        named name: [UInt8], _ network: ImagerEntry
    ) throws(ImagerError) -> ImagerSettings.Network {
        var isHidden = false
        var psk: String?
        // A file that breaks off behind a name says nothing of its password, and is no open network for that.
        var isComplete = true
        if var mapping = try ImagerMapping(below: network, in: lines) {
            isComplete = false
            while let entry = try mapping.next(in: &lines) {
                switch entry.key.text {
                case "hidden": isHidden = try entry.flag()
                case "password":
                    psk = try Self.password(entry)
                    isComplete = true
                case "auth":
                    try readOpen(entry)
                    isComplete = true
                default: throw entry.unknown
                }
            }
        }
        guard isComplete else {
            throw ImagerError(network.line, "the password of this network is missing. " + ImagerEntry.remedy)
        }
        let ssid = CardNetworks.hexadecimal(name)
        return ImagerSettings.Network(ssid: ssid, psk: psk, hidden: isHidden)
    }

    /// The password; `nil` for the empty one of an open network.
    private static func password(_ entry: ImagerEntry) throws(ImagerError) -> String? {
        let scalar = try entry.scalar()
        if scalar.isQuoted, scalar.bytes.isEmpty { return nil }
        guard CardNetworks.isPassword(scalar.text) else {
            throw ImagerError(
                entry.line,
                "a password of WPA2 has 8 to 63 characters: letters from A to Z, digits, signs. Give your network such a password, or use a cable",
                hasOwnRemedy: true)
        }
        return scalar.text
    }

    /// An open network, in the words of newer Imagers.
    private mutating func readOpen(_ auth: ImagerEntry) throws(ImagerError) {
        var isOpen = false
        if var mapping = try ImagerMapping(below: auth, in: lines) {
            while let entry = try mapping.next(in: &lines) {
                guard entry.key.text == "key-management" else { throw entry.unknown }
                isOpen = try entry.scalar().text == "none"
            }
        }
        guard isOpen else {
            throw ImagerError(
                auth.line,
                "this box joins open networks and those with one password. Write wifi.txt or use a cable"
            )
        }
    }
}
