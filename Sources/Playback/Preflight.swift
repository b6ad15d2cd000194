package import Recording

/// A trial without sound, in time for a person to act: do the files decode to their end, does a device
/// open, is the mixer up?
package struct Preflight: Sendable, Equatable {
    package struct DeviceProblem: Sendable, Equatable {
        package let reason: String
        /// The outcome that playing would have.
        package var next: String?
        /// Both, in a sentence.
        package var step: String { [reason, next].compactMap(\.self).joined(separator: "; ") }
    }

    package struct Measured: Sendable, Equatable {
        package let info: SoundInfo
        package let loudness: Loudness
    }

    /// The recordings as they are now, by their paths: those that decode.
    package var measured: [String: Measured] = [:]
    /// Sentences about the recordings; empty when all is well.
    package var soundProblems: [String] = []
    /// Problems of devices and mixer, in the order in which playing would meet them.
    package var deviceProblems: [DeviceProblem] = []
    /// All of them, in sentences.
    package var problems: [String] { soundProblems + deviceProblems.map(\.step) }
    /// The device that will be used, and the rate it will run at; nil where none can be opened.
    package var device: String?
    /// Why nobody would hear that device although it opens.
    package var silence: MixerState.Silence?
    package var isSilent: Bool { silence != nil }
    package var rateHz: Int?
    /// Seconds of sound; nil where nothing is playable.
    package var durationSeconds: Double?

    /// Decodes every sound of the order to its end and opens the first device that will have it, closing it
    /// again.
    ///
    /// Blocks for as long as that takes (about a second for ten minutes of sound); not to be called on the
    /// playback thread.
    /// - Parameter busy: whether a sound is being played now. Then its device is in use, and not opening it
    ///   proves nothing.
    package static func check(_ order: PlayerOrder, busy: Bool = false) -> Preflight {
        var result = Preflight()
        var rate = 0
        for sound in order.sounds {
            do throws(RecordingError) {
                let (info, loudness) = try SoundProbe.measure(path: sound.path)
                result.measured[sound.path] = Measured(info: info, loudness: loudness)
                result.durationSeconds = (result.durationSeconds ?? 0) + info.durationSeconds
                rate = rate == 0 ? info.rateHz : rate
                if let objection = sound.unaccepted(info.objection) {
                    let instead = objection.isReplaced ? "; \(substitute(for: order))" : ""
                    result.soundProblems.append(
                        "\(RecordingError.unfit(path: sound.path, objection))\(instead)")
                }
            } catch {
                result.soundProblems.append("\(error); \(substitute(for: order))")
            }
        }
        guard !busy else { return result }
        if order.devices.isEmpty {
            result.deviceProblems.append(DeviceProblem(reason: "no sound device is named"))
        }
        for (index, name) in order.devices.enumerated() {
            do throws(DeviceError) {
                let device = try PcmDevice(name: name, rate: rate == 0 ? 44100 : rate)
                (result.device, result.rateHz) = (name, device.parameters.rateHz)
                break
            } catch {
                let next =
                    index + 1 < order.devices.count
                    ? "\"\(order.devices[index + 1])\" will be tried" : "no device is left"
                result.deviceProblems.append(DeviceProblem(reason: error.description, next: next))
            }
        }
        if let device = result.device, let silence = MixerState.silence(of: device) {
            result.silence = silence
            result.deviceProblems.append(DeviceProblem(reason: "\(silence.reason); \(silence.fix)"))
        }
        return result
    }

    private static func substitute(for order: PlayerOrder) -> String {
        guard let fallback = order.fallback else { return "nothing can replace it" }
        do throws(RecordingError) {
            _ = try SoundProbe.measure(path: fallback.path)
            return "\"\(fallback.path)\" will be played instead"
        } catch {
            return "and what should stand in fails too: \(error)"
        }
    }
}

extension Preflight {
    /// Says that nothing is known, because a file or a device gave no answer.
    package init(unanswered reason: String) {
        self.init(soundProblems: [reason])
    }
}
