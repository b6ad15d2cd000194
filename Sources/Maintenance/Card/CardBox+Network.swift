package import BoxCard
package import Host
package import Protocol
import Texts

/// The networks of a flashed box.
extension CardBox {
    /// Whether `hotspot = off` is missing in `box.txt`.
    package var hotspotIsAllowed: Bool { line(hotspot) != CardSettings.Hotspot.off.rawValue }

    package var hostName: String { line(etc + "/hostname") ?? "adhan" }

    /// The name of the box's own network.
    package var hotspotName: String { Hotspot.name(machine: line(etc + "/machine-id")) }

    /// Whether the box's own network is up.
    private var hotspotIsUp: Bool { Self.exists(run + "/hotspot") }

    /// Whether `hotspot.sh` is starting the network. From then on the radio looks like one in a network.
    private var hotspotIsComing: Bool { Self.exists(run + "/hotspot.conf") }

    /// Whether there is no radio, or `hotspot.sh` recorded that the radio cannot make a network.
    var hotspotIsImpossible: Bool { !hasRadio || Self.exists(run + "/hotspot-failed") }

    private var hasRadio: Bool { Self.exists(networkDevices + "/wlan0") }

    /// The reason why `obstacle` of `hotspot.sh` would not make the network now. `Tests/box/hotspot.py` checks that the two
    /// agree.
    private var hotspotObstacle: HotspotObstacle? {
        if !Self.exists(run + "/layer") { return .noBox }
        if !hotspotIsAllowed { return .hotspotOff }
        if Self.exists(phoneOff) { return .phoneOff }
        let cables = ((try? Directories.names(in: networkDevices)) ?? []).filter { $0.hasPrefix("e") }
        if cables.contains(where: { line("\(networkDevices)/\($0)/carrier") == "1" }) { return .cable }
        if Self.exists(run + "/joining") { return .joining }
        if line(networkDevices + "/wlan0/operstate") == "up" { return .joined }
        return hasRadio ? nil : .noRadio
    }

    /// The country in force: the card's, or that of the network that was joined last. A country that was typed with a network
    /// that could not be joined is ignored, because it may be mistyped as well.
    package var country: String? {
        wirelessText.split(separator: "\n").first { $0.hasPrefix("country=") }.map { String($0.dropFirst(8)) }
    }

    /// Whether the network known to the box comes from Raspberry Pi Imager, with a key in place of its password.
    package var hasDerivedKey: Bool {
        let source = ImagerFile.networkConfig
        guard line(state + "/networks-from")?.hasPrefix(source.rawValue) == true,
            let bytes = try? FileBytes.read(imager(source), limit: 1 << 18),
            let settings = try? JSON.decode(ImagerSettings.self, from: bytes)
        else { return false }
        return settings.hasDerivedKey(in: wirelessText)
    }

    private var wirelessText: String {
        (try? FileBytes.read(wireless, limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    package func seen(in file: String) -> [ScanResults.Seen] {
        (try? FileBytes.read(file, limit: 1 << 20)).map {
            ScanResults.read(String(decoding: $0, as: UTF8.self))
        } ?? []
    }

    /// The network that a phone requested last. Its password is not in this file.
    package var asked: AskedNetwork? {
        (try? FileBytes.read(run + "/asked.json", limit: 4096)).flatMap {
            try? JSON.decode(AskedNetwork.self, from: $0)
        }
    }

    package func keep(_ request: JoinRequest) throws(FileError) {
        func write(_ bytes: [UInt8], _ name: String) throws(FileError) {
            try AtomicFile.replace("\(run)/\(name)", mode: 0o600) { draft throws(FileError) in
                try draft.write(bytes)
            }
        }
        let configuration = CardNetworks(request, country: country).configuration
        try write(Array(configuration.utf8), "join.conf")
        let asked = AskedNetwork(
            name: request.ssid, country: request.country, secret: NetworkSecret(request.password))
        try write((try? JSON.encode(asked)) ?? [], "asked.json")
    }

    /// Makes the box start its own network, if nothing prevents it.
    package func askForHotspot() -> HotspotReply {
        func reply(_ outcome: HotspotReply.Outcome, _ message: String) -> HotspotReply {
            HotspotReply(outcome, network: hotspotName, message: message)
        }
        let key = "the key is in adhand-report.txt on the card"
        if hotspotIsUp { return reply(.up, "the box makes the network \"\(hotspotName)\"; \(key)") }
        let coming = reply(
            .coming,
            "if the box joins no network that it knows, it makes \"\(hotspotName)\" within two minutes; \(key)"
        )
        if hotspotIsComing { return coming }
        if let obstacle = hotspotObstacle {
            return reply(obstacle.outcome, obstacle.sentence(host: hostName))
        }
        return requestHotspot()
            ? coming
            : reply(
                .impossible,
                "adhan-box-hotspot-look.service was not started, so the box makes no network; use a cable or the card"
            )
    }

    /// Makes `hotspot.sh` act at once, as after three power cycles. While a request is pending, a second one does nothing,
    /// because it would only restart the minute that is reserved for known networks.
    private func requestHotspot() -> Bool {
        let asked = run + "/hotspot-asked"
        let isAsked = Self.exists(asked)
        let isNoted =
            isAsked
            || (try? AtomicFile.replace(
                asked, mode: 0o644, with: { draft throws(FileError) in try draft.write([]) })) != nil
        guard isNoted else { return false }
        let verb = isAsked ? "start" : "restart"
        return Self.runTool("systemctl", "--no-block", verb, "adhan-box-hotspot-look.service") != nil
    }

    private func line(_ path: String) -> String? {
        guard let bytes = try? FileBytes.read(path, limit: 4096) else { return nil }
        let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return line.isEmpty ? nil : line
    }
}
