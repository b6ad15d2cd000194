@testable import BoxCard
@testable import Console

/// The files that Raspberry Pi Imager writes for one set of answers, in our words: the keys and their places are those of
/// `customization_generator.cpp` at each version.
struct ImagerSample {
    /// Imagers whose files differ.
    enum Version: CaseIterable {
        /// 2.0.0, 2.0.1, and 056cf6d between them and 2.0.2.
        case first
        /// 2.0.3 to 2.0.6: cables, open networks, more escapes.
        case cables
        /// 2.0.7 and 2.0.8: keys in quotes.
        case quotedKeys
        /// 2.0.10 and 2.0.11: one user, and names of networks by byte.
        case oneUser
    }

    var version = Version.first
    var network: [UInt8]?
    var psk: String?
    var isHidden = false
    var country: String?
    var hostname: String?
    var timezone: String?
    var keyboard: String?
    var user: String?
    var passwordHash: String?
    var keys: [String] = []
    var hasInterfaces = false
    var hasConnect = false

    static let key = String(repeating: "0123456789abcdef", count: 4)
    /// Made for these tests; nobody has the other half.
    static let ed25519 =
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g"

    var networkConfig: String {
        guard let network else { return "" }
        var lines = ["network:", "  version: 2"]
        if version != .first {
            lines += [
                "  ethernets:", "    eth0:", "      dhcp4: true", "      dhcp6: true", "      optional: true",
            ]
        }
        lines += ["  wifis:", "    wlan0:", "      dhcp4: true"]
        if let country { lines.append("      regulatory-domain: \"\(country)\"") }
        lines += ["      access-points:", "        \"\(escaped(network))\":"]
        if isHidden { lines.append("          hidden: true") }
        if psk == nil, version != .first {
            lines += ["          auth:", "            key-management: none"]
        } else {
            lines.append("          password: \"\((psk ?? "").replacing("\"", with: "\\\""))\"")
        }
        return (lines + ["      optional: true", ""]).joined(separator: "\n")
    }

    private func escaped(_ name: [UInt8]) -> String {
        let text = String(decoding: name, as: UTF8.self)
        switch version {
        case .first: return text.replacing("\"", with: "\\\"")
        case .cables, .quotedKeys:
            return text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                .replacing("\t", with: "\\t")
        case .oneUser:
            return name.map { byte in
                switch byte {
                case 0x5C: "\\\\"
                case 0x22: "\\\""
                case 0x09: "\\t"
                case 0: "\\0"
                case 0x20..<0x7F: String(Unicode.Scalar(byte))
                default: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
                }
            }.joined()
        }
    }

    var userData: String {
        var lines = ["#cloud-config"]
        if version != .first { lines += ["manage_resolv_conf: false", ""] }
        if let hostname {
            lines += [
                "hostname: \(hostname)", "manage_etc_hosts: true", "packages:", "- avahi-daemon", "apt:",
            ]
            if version != .first { lines.append("  preserve_sources_list: true") }
            lines += ["  conf: |", "    Acquire {", "      Check-Date \"false\";", "    };"]
        }
        if let timezone { lines.append("timezone: \(timezone)") }
        if let keyboard { lines += ["keyboard:", "  model: pc105", "  layout: \"\(keyboard)\""] }
        if let user { lines += version == .oneUser ? oneUser(user) : userList(user) }
        if hasInterfaces {
            lines += ["rpi:", "  interfaces:", "    i2c: true", "    serial:", "      console: true"]
        }
        if hasConnect {
            lines += ["runcmd:", "  - [ sh, -c, \"install -o \(user ?? "pi") -m 700 -d /home/pi/.config\" ]"]
            lines.append(
                "  - [ sh, -c, \"printf '%s\\n' 'a: \\\"b' > /home/pi/key && chmod 600 /home/pi/key\" ]")
        }
        return (lines + [""]).joined(separator: "\n")
    }

    private func userList(_ user: String) -> [String] {
        var lines = ["enable_ssh: true", "users:", "- name: \(user)", "  groups: users,adm,dialout,sudo"]
        lines.append("  shell: /bin/bash")
        if let passwordHash { lines += ["  lock_passwd: false", "  passwd: \(passwordHash)"] }
        guard !keys.isEmpty else { return lines + ["ssh_pwauth: true"] }
        lines.append("  ssh_authorized_keys:")
        lines += keys.map { version == .quotedKeys ? "    - \"\($0)\"" : "    - \($0)" }
        return lines + ["  sudo: ALL=(ALL) NOPASSWD:ALL"]
    }

    private func oneUser(_ user: String) -> [String] {
        var lines = ["user:", "  name: \(user)", "  shell: /bin/bash"]
        if let passwordHash { lines += ["  lock_passwd: false", "  passwd: \"\(passwordHash)\""] }
        if !keys.isEmpty { lines += ["  ssh_authorized_keys:"] + keys.map { "    - \"\($0)\"" } }
        return lines + ["  sudo: null", "ssh_pwauth: \(keys.isEmpty)"]
    }
}

extension ImagerFile {
    /// Reads a text where the machine has a few zones.
    func read(_ text: String) throws(ImagerError) -> ImagerSettings {
        try read(Array(text.utf8)) { ["Europe/London", "Asia/Riyadh", "Etc/UTC"].contains($0) }
    }
}
