import Glibc
import LabSupport
import SeededRandom
import Testing

@testable import BoxCard
@testable import Console

/// Damaged files by chance: `make hostile` reads 100,000 of them (`ADHAND_FUZZ`), half a minute unoptimised.
@Suite("Damaged cards of Raspberry Pi Imager")
struct ImagerFuzzTests {
    private static let count =
        unsafe getenv("ADHAND_FUZZ").flatMap { unsafe Int(String(cString: $0)) } ?? RandomCases.count(10_000)

    /// Pieces that mean something in YAML, in these files, or to a terminal.
    private static let pieces: [[UInt8]] =
        [
            "\t", "  ", "\n", "\r\n", ": ", "- ", "---\n", "\n...\n", "&a ", "*a", "!!x ", "<<: ", "[", "{}",
            "[]", "|\n", "\"", "'",
            "\\", "\\\"", "\\x00", "#", " #", "\u{1B}[0m", "\u{202E}", "\0", "null", "~", "true",
            "password: ", "hostname: ", "timezone: ",
            "    - ", "network:", "access-points:", "$(touch /tmp/x)", "`x`", "../..", "runcmd:\n- [ sh ]\n",
        ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xFF, 0xFE]]

    private static let samples: [(ImagerFile, [UInt8])] = ImagerSample.Version.allCases.flatMap { version in
        let sample = ImagerSample(
            version: version, network: Array("Café \"1\"".utf8), psk: "correct horse", isHidden: true,
            country: "GB", hostname: "masjid", timezone: "Europe/London", keyboard: "gb", user: "pi",
            passwordHash: "$5$a$b", keys: [ImagerSample.ed25519 + " me"], hasInterfaces: true,
            hasConnect: true)
        return [
            (ImagerFile.networkConfig, Array(sample.networkConfig.utf8)),
            (.userData, Array(sample.userData.utf8)),
        ]
    }

    @Test("None of them ends the reader, and what it lets through is well formed")
    func damage() {
        var random = SplitMix64(seed: 33)
        var understood = 0
        let clock = ContinuousClock()
        var slowest = Duration.zero
        for number in 0..<Self.count {
            var (kind, bytes) = Self.samples[number % Self.samples.count]
            for _ in 0..<Int.random(in: 1...4, using: &random) { Self.damage(&bytes, &random) }
            let started = clock.now
            let settings = try? kind.read(bytes) { ["Europe/London", "Asia/Riyadh"].contains($0) }
            slowest = max(slowest, clock.now - started)
            guard let settings else { continue }
            understood += 1
            #expect(Self.isWellFormed(settings), "\(number): \(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(understood > Self.count / 50 && understood < Self.count, "\(understood)")
        #expect(slowest < .seconds(5))
    }

    private static func damage(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        guard !bytes.isEmpty else { return }
        let at = Int.random(in: 0..<bytes.count, using: &random)
        let length = Int.random(in: 0...min(24, bytes.count - at), using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(at..<at + length)
        case 2: bytes.removeSubrange(at...)
        case 3: bytes.insert(contentsOf: bytes[at..<at + length], at: at)
        case 4: bytes.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: at)
        default:
            // A line elsewhere: keys at the wrong place, and twice.
            let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            let line = lines.randomElement(using: &random).map(Array.init) ?? []
            let start = bytes[at...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
            bytes.insert(contentsOf: line + [0x0A], at: start)
        }
    }

    private static func isWellFormed(_ settings: ImagerSettings) -> Bool {
        func isLabel(_ name: String) -> Bool {
            name.wholeMatch(of: /[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?/) != nil
        }
        func isSecret(_ psk: String) -> Bool {
            psk.wholeMatch(of: /[ -~]{8,63}|[0-9A-Fa-f]{64}/) != nil
        }
        return settings.wifi.allSatisfy { network in
            network.ssid.wholeMatch(of: /([0-9a-f]{2}){1,32}/) != nil && network.psk.map(isSecret) ?? true
        }
            && settings.country.map { $0.wholeMatch(of: /[A-Z]{2}/) != nil } ?? true
            && settings.hostname.map(isLabel) ?? true
            && settings.timezone.map { ["Europe/London", "Asia/Riyadh"].contains($0) } ?? true
            && settings.keys.allSatisfy { $0.wholeMatch(of: /ssh-ed25519 [A-Za-z0-9+\/=]+( .*)?/) != nil }
            && settings.skipped.allSatisfy { $0.key.wholeMatch(of: /[A-Za-z0-9_.-]{1,64}/) != nil }
    }
}
