package import Recording

/// A trial without sound, in time for a person to act: whether the files decode to their end, a device opens, and the mixer is
/// up.
package struct Preflight: Sendable, Equatable {
    package struct DeviceProblem: Sendable, Equatable {
        package let reason: String
        /// The next step of playback.
        package var next: String?
        /// The reason and the next step, in one sentence.
        package var step: String { [reason, next].compactMap(\.self).joined(separator: "; ") }
    }

    package struct Measured: Sendable, Equatable {
        package let info: SoundInfo
        package let loudness: Loudness
    }

    /// The measurements of the recordings that decode, by their paths.
    package var measured: [String: Measured] = [:]
    /// Sentences about the recordings; empty when all is well.
    package var soundProblems: [String] = []
    /// Problems of devices and mixer, in the order in which playback would meet them.
    package var deviceProblems: [DeviceProblem] = []
    /// All problems, in sentences.
    package var problems: [String] { soundProblems + deviceProblems.map(\.step) }
    /// The device that will be used, and its rate; nil where none can be opened.
    package var device: String?
    /// Why that device would be inaudible although it opens.
    package var silence: MixerState.Silence?
    package var isSilent: Bool { silence != nil }
    package var rateHz: Int?
    /// Seconds of sound; nil where nothing is playable.
    package var durationSeconds: Double?

    /// Decodes every sound of the order to its end and opens the first usable device, closing it again.
    ///
    /// Blocks for as long as that takes (about a second for ten minutes of sound); not to be called on the playback thread.
    /// - Parameter busy: whether a sound is being played now. Its device is in use then, and is not opened.
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
    /// The result when a file or a device gave no answer, so that nothing is known.
    package init(unanswered reason: String) {
        self.init(soundProblems: [reason])
    }
}
