import Glibc
import Host
import Protocol

/// Collects the sound cards that Linux reports.
extension DoctorCollector {
    /// Whether a sound card has an output. `/proc/asound/pcm` has lines such as `00-03: HDMI 0 : HDMI 0 : playback 1`: card,
    /// device, names, directions.
    static var hasCards: Bool {
        let table = (try? FileBytes.read("/proc/asound/pcm", limit: 1 << 16)) ?? []
        return String(decoding: table, as: UTF8.self).split(separator: "\n")
            .contains { $0.contains(": playback ") }
    }

    /// The processes that have an output of a card open now: `/proc/asound/card0/pcm0p/sub0/status` names the thread.
    static func holders(in proc: String = "/proc") -> [CardHolder] {
        func text(_ path: String) -> String {
            String(decoding: (try? FileBytes.read(path, limit: 1 << 14)) ?? [], as: UTF8.self)
        }
        func names(_ directory: String, _ beginning: String) -> [String] {
            ((try? Directories.names(in: directory)) ?? []).filter { $0.hasPrefix(beginning) }
                .map { "\(directory)/\($0)" }
        }
        var holders: [CardHolder] = []
        let outputs = names("\(proc)/asound", "card").flatMap { names($0, "pcm") }.filter {
            $0.hasSuffix("p")
        }
        for status in outputs.flatMap({ names($0, "sub") }) {
            guard let thread = CardHolder.process(inStatus: text(status + "/status")),
                let owner = CardHolder.owner(inStatus: text("\(proc)/\(thread)/status"))
            else { continue }
            let program = text("\(proc)/\(owner.process)/comm").split(separator: "\n").first ?? "a program"
            // Accounts below that number belong to services.
            let account = owner.user < 1000 ? UInt32(exactly: owner.user).flatMap(Account.name) : nil
            let holder = CardHolder(
                program: String(program), process: owner.process,
                whose: CardHolder.whose(isOwn: owner.user == Int(geteuid()), account: account))
            if !holders.contains(holder) { holders.append(holder) }
        }
        return holders
    }
}
