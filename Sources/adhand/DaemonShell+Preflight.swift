internal import Daemon
internal import Dispatch
internal import Host
internal import Playback
internal import PrayerEngine
internal import Protocol
internal import Recording

/// Tries sounds without playing them, beside the daemon's queue: decoding whole files takes a moment, and opening a device may.
extension DaemonShell {
    /// Seconds until a check or a measurement is given up, so that the next can run: a slow machine takes ten to decode the
    /// longest recording.
    static let checkLimitSeconds = 60.0
    private static let unanswered =
        "opening the devices takes longer than it may: is a sound server stuck?"

    func tryDevices(_ devices: [String], of output: String) {
        preflights.async { [self] in
            let order = PlayerOrder(id: "devices", sounds: [], devices: devices)
            let found = TimeLimit.run(on: "devices of \(output)", seconds: Self.checkLimitSeconds) {
                Preflight.check(order)
            }
            let problems =
                found.map { $0.deviceProblems.map(\.reason) }
                ?? [Self.unanswered]
            let trial = DeviceTrial(
                devices: devices, device: found?.device,
                problems: found?.device == nil || found?.isSilent == true ? problems : [])
            enter { $0.handle(.devicesTried(output: output, trial)) }
        }
    }

    /// Runs the preflight for a fleet's change, which waits for the answer even if there is nothing to play.
    func preflight(_ preflight: FleetPreflight, _ job: JobOrder) {
        guard library.orders(for: job).parts.isEmpty else {
            return self.preflight(job) { .fleetPreflight(preflight, $0) }
        }
        let nothing = PreflightResult(soundProblems: [], durationSeconds: nil, outputs: [])
        pending.append(.fleetPreflight(preflight, nothing))
    }

    func preflight(_ job: JobOrder, outcome: @escaping @Sendable (PreflightResult) -> Event) {
        let (parts, missing) = library.orders(for: job)
        guard let first = parts.first else { return }
        // An output that sounds now is not tried: its device is open.
        let busy = Set(parts.map(\.output).filter { !players.isIdle($0) })
        preflights.async { [self] in
            let stamps = first.order.sounds.map { SoundFolders.stamp(of: $0.path) }
            let isOne = parts.count == 1
            let found = Self.check(first.order, busy: !isOne || busy.contains(first.output))
            let outputs = parts.map { part in
                isOne ? part.finding(found) : Self.tryDevices(of: part, busy: busy.contains(part.output))
            }
            let looked = zip(first.order.sounds, stamps).compactMap {
                sound, stamp -> (String, SoundLibrary.Found)? in
                guard let stamp, let measured = found.measured[sound.path] else { return nil }
                return (sound.path, .init(stamp: stamp, info: measured.info, loudness: measured.loudness))
            }
            let problems = missing.map { name, searched in
                "there is no sound \"\(name)\" (looked for \(searched.joined(separator: ", "))); the signal will be played"
            }
            let result = PreflightResult(
                soundProblems: problems + found.soundProblems, durationSeconds: found.durationSeconds,
                outputs: outputs)
            enter { daemon in
                for (path, found) in looked { daemon.library.remember(path, found, in: daemon.journal) }
                daemon.handle(outcome(result))
            }
        }
    }

    nonisolated private static func check(_ order: PlayerOrder, busy: Bool) -> Preflight {
        let files = order.sounds.isEmpty ? "nothing" : order.sounds.map(\.path).joined(separator: ", ")
        return TimeLimit.run(on: "preflight of \(files)", seconds: checkLimitSeconds) {
            Preflight.check(order, busy: busy)
        }
            ?? Preflight(
                unanswered:
                    "checking \(files) and the devices did not end within \(Int(checkLimitSeconds)) s: a file system or a sound server does not answer"
            )
    }

    /// Tries one output's devices; its sounds were examined together with the others'.
    nonisolated private static func tryDevices(of part: SoundLibrary.PlacedOrder, busy: Bool)
        -> PreflightResult.OutputFinding
    {
        var order = part.order
        order.sounds = []
        // Each has a name of its own: one that does not answer proves nothing about the others.
        let found = TimeLimit.run(on: "devices of \(part.output)", seconds: checkLimitSeconds) {
            [order] in Preflight.check(order, busy: busy)
        }
        return found.map(part.finding) ?? .init(output: part.output, device: nil, problems: [unanswered])
    }
}

extension SoundLibrary.PlacedOrder {
    fileprivate func finding(_ found: Preflight) -> PreflightResult.OutputFinding {
        .init(
            output: output, device: found.device, problems: found.deviceProblems.map(\.reason),
            steps: found.deviceProblems.map(\.step), silence: found.silence?.reason)
    }
}
