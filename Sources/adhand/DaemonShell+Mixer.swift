internal import Daemon
internal import Dispatch
internal import Playback

/// Checks a device while it sounds: it may accept every sound and still be silent. The state of minutes before may have been
/// changed since, even by the person whom the preflight warned.
extension DaemonShell {
    /// Seconds between two checks of a silent device.
    private static let mixerLookSeconds = 10.0

    /// Checks whether a sound that has begun on an output is audible, and again as long as it is not.
    func checkMixer(of device: String, token: Int, output: String, afterSeconds: Double) {
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
                daemon.checkMixer(
                    of: device, token: token, output: output, afterSeconds: Self.mixerLookSeconds)
            }
        }
    }
}
