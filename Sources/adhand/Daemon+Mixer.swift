internal import Daemon
internal import Dispatch
internal import Playback

/// A device that takes every sound may still be silent. Somebody has to look while it sounds: what was so minutes before may have
/// been changed since, by the very person whom the preflight warned.
extension Daemon {
    /// Seconds between two looks at a device that nobody hears.
    private static let mixerLookSeconds = 10.0

    /// ALSA's own name for no sound. Whoever configures it, as a machine does that only counts, wants none, and hears so from the
    /// preflight and from `doctor`.
    private static let none = "null"

    /// Looks whether what has begun on an output can be heard, and again as long as it cannot.
    func lookAtMixer(of device: String, token: Int, output: String, afterSeconds: Double) {
        guard device != Self.none else { return }
        mixers.asyncAfter(deadline: .now() + afterSeconds) { [self] in
            let silence = MixerState.silence(of: device)
            enter { daemon in
                guard daemon.state.isSounding(token: token, on: output, from: device) else { return }
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
