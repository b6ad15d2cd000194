internal import Daemon
internal import Dispatch
internal import Playback

/// A device that takes every sound may still be silent. Somebody has to look while it sounds: what was so minutes before may have
/// been changed since, by the very person whom the preflight warned.
extension DaemonShell {
    /// Seconds between two looks at a device that nobody hears.
    private static let mixerLookSeconds = 10.0

    /// Looks whether what has begun on an output can be heard, and again as long as it cannot.
    func lookAtMixer(of device: String, token: Int, output: String, afterSeconds: Double) {
        mixers.asyncAfter(deadline: .now() + afterSeconds) { [self] in
            let silence = MixerState.silence(of: device)
            enter { daemon in
                guard daemon.state.caresForSilence(of: device, token: token, on: output) else { return }
                guard let silence else {
                    return daemon.handle(
                        .playback(token: token, output: output, .deviceAudible(device: device)))
                }
                daemon.handle(
                    .playback(
                        token: token, output: output, .deviceSilent(device: device, reason: silence.reason)))
                daemon.lookAtMixer(
                    of: device, token: token, output: output, afterSeconds: Self.mixerLookSeconds)
            }
        }
    }
}
