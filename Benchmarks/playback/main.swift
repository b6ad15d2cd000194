import Foundation
import Playback
import Recording

// Figures about playback that only a release build can give, a line each:
//   bench-playback lateness DEVICE FILE STARTS   how late cued sounds start, and whether anything drops out
//   bench-playback play DEVICE FILE SECONDS      plays FILE again and again for SECONDS, and what came of it
//   bench-playback together FILE STARTS SECONDS DEVICE[@LATENCY]...  how far apart outputs start that are to start at once
//   bench-playback measure FILE                  what sound import finds out about FILE
// Priority, load and device are the caller's business.

func usage() -> Never {
    print(
        "usage: bench-playback lateness DEVICE FILE STARTS | play DEVICE FILE SECONDS"
            + " | together FILE STARTS SECONDS DEVICE[@LATENCY]... | measure FILE")
    exit(64)
}

func fixed(_ value: Double, _ places: Int = 2) -> String { String(format: "%.\(places)f", value) }

/// The smallest value that `share` of all values do not exceed.
func percentile(_ share: Double, of sorted: [Double]) -> Double {
    sorted[max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1)]
}

func lateness(device: String, file: String, starts: Int) {
    var late: [Double] = []
    var (dropouts, silent) = (0, 0)
    for round in 0..<max(1, starts) {
        // A quarter of a second is enough to open the device; the thread then sleeps until the instant.
        let instant = Date().timeIntervalSince1970 + 0.25
        let order = PlayerOrder(
            id: "start \(round)", sounds: [SoundFile(path: file)], devices: [device], limitSeconds: 0.05,
            heardAtUnixSeconds: instant)
        let proof = Run().play(order)
        dropouts += proof.dropouts
        guard let began = proof.startedAtUnixSeconds else {
            silent += 1
            continue
        }
        late.append(1000 * (began - instant))
    }
    guard !late.isEmpty else { return print("not one of \(starts) starts was heard") }
    late.sort()
    let missing = silent == 0 ? "" : ", \(silent) NOT HEARD"
    print("\(marks(late)) ms; \(starts) starts, \(dropouts) dropouts\(missing)")
}

func marks(_ sorted: [Double]) -> String {
    [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("max", 1)]
        .map { "\($0.0) \(fixed(percentile($0.1, of: sorted)))" }.joined(separator: "  ")
}

func together(file: String, starts: Int, seconds: Double, devices: [String]) {
    let found = Together().play(
        file, starts: starts, seconds: seconds, on: devices.map { Together.Place($0) })
    guard !found.spreads.isEmpty else { return print("not one of \(starts) starts was heard") }
    let missing = found.silent == 0 ? "" : ", \(found.silent) NOT HEARD"
    print(
        "\(marks(found.spreads.map { 1000 * $0 })) ms apart; \(starts) starts, \(found.dropouts) dropouts\(missing)"
    )
    print("    the last is late by \(marks(found.late.map { 1000 * $0 })) ms")
}

func play(device: String, file: String, seconds: Double) throws {
    let length = max(0.1, try SoundProbe.measure(path: file).info.durationSeconds)
    let sounds = [SoundFile](repeating: SoundFile(path: file), count: Int((seconds / length).rounded(.up)))
    let run = Run()
    let proof = run.play(
        PlayerOrder(
            id: "play", sounds: sounds, devices: [device], limitSeconds: seconds,
            heardAtUnixSeconds: Date().timeIntervalSince1970 + 1))
    let rate = Double(max(1, proof.rateHz))
    for trouble in run.troubles { print("  \(trouble)") }
    print(
        "\(fixed(Double(proof.framesPlayed) / rate, 1)) of \(fixed(seconds, 1)) s heard, "
            + "\(proof.dropouts) dropouts, \(proof.outcome)")
}

let arguments = CommandLine.arguments
do {
    switch (arguments.dropFirst().first, arguments.count) {
    case ("measure", 3): print(try SoundProbe.measure(path: arguments[2]))
    case ("lateness", 5): lateness(device: arguments[2], file: arguments[3], starts: Int(arguments[4]) ?? 100)
    case ("together", 6...):
        together(
            file: arguments[2], starts: Int(arguments[3]) ?? 100, seconds: Double(arguments[4]) ?? 0.05,
            devices: Array(arguments[5...]))
    case ("play", 5): try play(device: arguments[2], file: arguments[3], seconds: Double(arguments[4]) ?? 10)
    default: usage()
    }
} catch {
    print(error)
    exit(65)
}
