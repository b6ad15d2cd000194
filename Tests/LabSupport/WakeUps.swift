import Foundation

/// How often a program's threads were woken, by how often they went to sleep of themselves.
package enum WakeUps {
    private static func counts(_ process: Int32) -> [String: Int] {
        let folder = "/proc/\(process)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var counts: [String: Int] = [:]
        for thread in threads {
            // A thread that has just ended has no file any more.
            let status = (try? String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
            if let number = line?.split(separator: "\t").last { counts[thread] = Int(number) }
        }
        return counts
    }

    /// - Returns: the wake-ups of `process` within the next `seconds`, of threads that end on the way too.
    package static func count(_ process: Int32, over seconds: Int) async throws -> Int {
        var (last, sum) = (counts(process), 0)
        for _ in 0..<(seconds * 2) {
            try await Task.sleep(for: .milliseconds(500))
            let next = counts(process)
            sum += next.reduce(0) { $0 + $1.value - last[$1.key, default: 0] }
            last = next
        }
        return sum
    }
}
