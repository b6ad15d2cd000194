import BoxCard
import CommandKit
import Console
import ControlClient
import DisplayFeed
import Glibc
import Host
import PrayerEngine
import Protocol
import Settings
import Times

/// Imports files before adhand starts: network, keys, configuration, screen.
extension CardImport {
    package func runBefore() {
        applyKept("wifi.txt", at: box.wireless, applyNetworks)
        applyKept("box.txt", at: box.upgradesAdhand, applySettings)
        applyKept("authorized_keys", at: box.keys, applyKeys)
        applyKept("adhand.toml", at: box.configuration, applyConfiguration)
        applyKept("fleet.toml", at: box.fleet, applyFleet)
        applyKept("display.toml", at: box.screen, applyScreen)
        applyImager()
        do throws(FileError) { _ = try box.hotspotKey.ensure() } catch {
            StandardError.write("the hotspot has no key: \(error.message)")
        }
        applyPairing()
    }

    // MARK: The phone page

    /// Applies the pairing code. It is valid for one start, so it is applied at each, and disappears with the card.
    private func applyPairing() {
        let name = CardPairing.fileName
        guard let path = box.file(name) else {
            _ = unsafe unlink(box.pairing)
            return
        }
        do throws(CardRefusal) {
            guard let size = CardBox.size(of: path), size <= CardNames.mostBytes(name) else {
                throw CardRefusal("it is no file for this box: a word has one line")
            }
            let pairing = try CardPairing(try text(path))
            guard let start = BootIdentity.current(in: .process) else {
                throw CardRefusal("the box does not know one start from another")
            }
            try replace(box.pairing, pairing.handedOver(start: start), mode: 0o600)
            store.report(CardRecord(name, .taken, pairing.notes))
        } catch {
            _ = unsafe unlink(box.pairing)
            refuse(name, error)
        }
    }

    private static let phoneUnits = [
        "adhan-remote.socket", "adhan-remote-pairing.socket", "adhan-remote-setup.socket",
        "adhan-intake.socket", "adhan-remote.service",
    ]

    /// Turns the phone page on or off without waiting for units, because they may wait for this one.
    private func applyPhone(_ choice: CardSettings.Switch?) throws(CardRefusal) {
        if choice == .off {
            try replace(box.phoneOff, [])
            for unit in Self.phoneUnits { CardBox.runTool("systemctl", "--no-block", "stop", unit) }
            return
        }
        let wasOff = unsafe unlink(box.phoneOff) == 0
        for unit in Self.phoneUnits {
            if choice == .on { CardBox.runTool("systemctl", "--quiet", "enable", unit) }
            if wasOff || choice == .on { CardBox.runTool("systemctl", "--no-block", "start", unit) }
        }
    }

    private func applyNetworks(_ path: String) throws(CardRefusal) -> Result {
        let text = try text(path)
        if CardText.isEmpty(text) { return .nothing }
        try CardText.checkLines(text)
        try join(try CardNetworks(text))
        return .imported([])
    }

    func join(_ networks: CardNetworks) throws(CardRefusal) {
        try replace(box.wireless, Array(networks.configuration.utf8), mode: 0o600)
        CardBox.runTool("systemctl", "--no-block", "try-restart", "wpa_supplicant@wlan0.service")
    }

    private func applySettings(_ path: String) throws(CardRefusal) -> Result {
        let text = try text(path)
        if CardText.isEmpty(text) { return .nothing }
        try CardText.checkLines(text)
        let settings = try CardSettings(text)
        try applyPhone(settings.phone)
        try replace(box.hotspot, Array("\(settings.hotspot.rawValue)\n".utf8))
        try replace(box.upgradesAdhand, Array("\(settings.upgradesAdhand.rawValue)\n".utf8))
        return .imported([])
    }

    // MARK: Access

    private func applyKeys(_ path: String) throws(CardRefusal) -> Result {
        let text = try text(path)
        if CardText.isEmpty(text) {
            guard isInForce("authorized_keys") else { return .nothing }
            try replace(box.keys, [])
            return .removed(["the keys were removed: nobody may log in with one of this card"])
        }
        try CardText.checkLines(text)
        try checkKeys(text)
        try admit(text)
        return .imported([])
    }

    /// Permits logins with these keys.
    func admit(_ keys: [UInt8]) throws(CardRefusal) {
        try replace(box.keys, keys)
        try replace(box.etc + "/ssh/sshd_config.d/adhan-box.conf", try self.text(box.library + "/sshd.conf"))
        // Generate the box's own keys now, when they are first needed.
        guard CardBox.runTool("ssh-keygen", "-A", "-f", Directories.parent(of: box.etc)) != nil,
            CardBox.runTool("systemctl", "--quiet", "enable", "ssh.service") != nil,
            CardBox.runTool("systemctl", "--no-block", "restart", "ssh.service") != nil
        else { throw CardRefusal("the server for logging in cannot be started") }
    }

    /// Checks that each line is a public key. Other lines are not quoted, because they may be secrets.
    private func checkKeys(_ text: [UInt8]) throws(CardRefusal) {
        let fullText = String(decoding: text, as: UTF8.self)
        if fullText.contains("PRIVATE KEY") && fullText.contains("BEGIN ")
            || fullText.contains("PuTTY-User-Key-File")
        {
            throw CardRefusal([
                "this is a private key, which is for you alone: write what is in the file that ends in .pub, and as whoever holds this card",
                "can read it, make yourself a new key",
            ])
        }
        let draft = "\(box.run)/key-\(getpid())"
        defer { _ = unsafe unlink(draft) }
        var complaints: [String] = []
        for (index, line) in CardText.lines(text).enumerated() where !CardText.isRemark(line) {
            try replace(draft, line + [UInt8(ascii: "\n")], mode: 0o600)
            if CardBox.runTool("ssh-keygen", "-l", "-f", draft) == nil {
                complaints.append(
                    "line \(index + 1): this is no public SSH key: one begins with ssh-ed25519 or ssh-rsa, and is one long line"
                )
            }
        }
        if !complaints.isEmpty { throw CardRefusal(complaints) }
    }

    // MARK: Configurations

    private func applyConfiguration(_ path: String) throws(CardRefusal) -> Result {
        let text = try text(path)
        if CardText.isEmpty(text) { return .nothing }
        // Put the draft where adhand's user can read it, because the check runs with its rights.
        let draft = box.configuration + ".card"
        try replace(draft, text)
        defer { _ = unsafe unlink(draft) }
        // Do not ask through the socket: adhand waits for this program to finish, although its socket is open.
        let found: CheckDocument
        do throws(CommandError) {
            found = try CheckRunner(daemon: ControlClient(socket: box.run + "/none"), file: draft).document()
        } catch {
            throw CardRefusal(error.message.replacing(draft, with: "adhand.toml"))
        }
        // A missing sound or device does not make the text invalid: adhand runs with it, and the report mentions it.
        guard found.valid else { throw mistakes(found.problems) }
        // Refuse a configuration with only a zone, because the times of some other town, or of Greenwich, would be called.
        guard found.location?.approximate == false else {
            throw CardRefusal(
                "it says not where the box is: under [location] write latitude and longitude, both without a \"#\" before them"
            )
        }
        // Keep the box's former configuration beside the new one, even if an earlier run was interrupted after the replacement.
        if let current = try currentContent(box.configuration), current != text {
            try replace(box.configuration + ".before-card", current)
        }
        try replace(box.state + "/adhand.toml", text)
        try replace(box.configuration, text)
        try replace(box.configured, [])
        return .imported([])
    }

    /// The box's content at a path; `nil` if there is none. A file that cannot be read is not overwritten.
    private func currentContent(_ path: String) throws(CardRefusal) -> [UInt8]? {
        do throws(FileError) {
            return try FileBytes.read(path, limit: 32 << 20)
        } catch {
            if error.isMissing { return nil }
            throw CardRefusal("what the box has stays: \(plainly(error.message))")
        }
    }

    private func applyScreen(_ path: String) throws(CardRefusal) -> Result {
        let text = try text(path)
        if CardText.isEmpty(text) { return .nothing }
        let draft = box.screen + ".card"
        try replace(draft, text)
        defer { _ = unsafe unlink(draft) }
        if let found = DisplayCheckRunner(file: draft).document(), !found.valid {
            throw mistakes(found.problems)
        }
        try replace(box.screen, text)
        CardBox.runTool("systemctl", "--quiet", "try-restart", "adhan-display.service")
        return .imported([])
    }

    /// The mistakes of a text, one on each line.
    private func mistakes(_ problems: [CheckProblem]) -> CardRefusal {
        CardRefusal(
            problems.filter { $0.severity == .problem }.map {
                "line \($0.line.map(String.init) ?? "?"): \(plainly($0.message))"
            })
    }

    // MARK: The zone

    /// Sets the zone of the box: the configured one, else that of the configured place, else that of `user-data`. Any other would
    /// be wrong by an hour somewhere.
    package func setZone() {
        guard let zone = zoneOfConfiguration ?? importedSettings(.userData)?.timezone else { return }
        let (file, link) = ("/usr/share/zoneinfo/\(zone)", box.etc + "/localtime")
        guard CardBox.exists(file), Links.target(link) != file else { return }
        _ = unsafe unlink(link + ".new")
        guard unsafe symlink(file, link + ".new") == 0, unsafe rename(link + ".new", link) == 0 else {
            return
        }
        try? Output(json: false).write("the box uses the time zone \(zone)\n")
    }

    /// The configured zone; `nil` if neither the configuration nor a setting by command or phone names a zone or a place.
    var zoneOfConfiguration: String? {
        let set = LocalSettings.saved(in: named.state ?? Paths.systemState)
        guard
            let configuration = try? CardBox.exists(box.configuration)
                ? LocalConfiguration(file: box.configuration, over: set) : LocalConfiguration(over: set),
            configuration.config.timezone != nil || configuration.config.location != nil,
            let site = try? configuration.daemonSite()
        else { return nil }
        if configuration.config.timezone == nil, let location = configuration.config.location,
            let place = SetupPlace(location, .embedded)
        {
            return place.timezone
        }
        return site.zone.name
    }
}
