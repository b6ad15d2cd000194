internal import Places
package import PrayerEngine
package import Protocol
internal import Texts

/// `/r/setup`: one question per page.
package struct SetupFacts: Sendable, Equatable {
    package struct Option: Sendable, Equatable {
        package let value: String
        package let text: String
        /// Whether a device would play silence.
        package let isSilent: Bool

        package init(_ value: String, _ text: String, isSilent: Bool = false) {
            (self.value, self.text, self.isSilent) = (value, text, isSilent)
        }
    }

    package struct Time: Sendable, Equatable {
        package let prayer: String
        package let time: String
        /// The future volume in percent: a prayer with a volume of its own keeps it.
        package let volume: Int?

        package init(_ prayer: String, _ time: String, volume: Int? = nil) {
            (self.prayer, self.time, self.volume) = (prayer, time, volume)
        }
    }

    package let step: PhoneSetupDraft.Step
    package let options: [Option]
    /// The suggested answer.
    package let chosen: String
    /// The device that has just played a tone and waits for an answer.
    package let asked: String?
    /// The description of the device that has just played, or was selected. Empty stands for the configured devices.
    package let device: String?
    /// The names of the box's outputs, if its file names any: their devices are set in the file and are kept.
    package let outputs: [String]
    /// Whether a device was not heard.
    package let wasUnheard: Bool
    /// The town, once known.
    package let town: String?
    /// The answers and today's times by them, at the end.
    package let method: String?
    package let asr: AsrSchool?
    package let times: [Time]
    /// Whether only the loudspeaker is set up.
    package var isOfLoudspeaker = false
    /// The screen's language, at the end of a complete set-up.
    package var screen: ScreenLanguage?
    /// Whether the page is on the box's own network, where it first suggests to join another one.
    package var offersNetwork = false

    package init(
        step: PhoneSetupDraft.Step, options: [Option] = [], chosen: String = "", asked: String? = nil,
        wasUnheard: Bool = false, town: String? = nil, times: [Time] = [], outputs: [String] = []
    ) {
        (self.step, self.options, self.chosen) = (step, options, chosen)
        (self.asked, self.wasUnheard, self.town, self.times) = (asked, wasUnheard, town, times)
        (method, asr, device, self.outputs) = (nil, nil, asked, outputs)
    }

    /// A method such as `Muslim World League (mwl)`.
    static func methodName(_ name: String) -> String {
        Method.named(name).map { "\($0.title) (\(name))" } ?? name
    }

    /// - Parameters:
    ///   - devices: the devices of `GetDevices`, for the step that selects one.
    ///   - deviceTexts: the listed descriptions, by the devices' names.
    ///   - times: today's, for the last step.
    package init(
        _ draft: PhoneSetupDraft, devices: [SoundFacts.Device] = [], deviceTexts: [String: String] = [:],
        volume: String, times: [Time] = [], outputs: [String] = []
    ) {
        (step, isOfLoudspeaker) = (draft.step, draft.isOfLoudspeaker)
        self.outputs = outputs
        asked = draft.asked
        wasUnheard = !draft.unheard.isEmpty
        town = draft.town?.label
        (method, asr) = (draft.method.map(Self.methodName), draft.asr)
        device = (draft.asked ?? draft.device).map { deviceTexts[$0] ?? $0 }
        self.times = times
        switch draft.step {
        case .place: (options, chosen) = ([], "")
        case .town:
            options = draft.towns.map { Option("\($0.rank)", $0.label) }
            chosen = options.first?.value ?? ""
        case .method:
            options = PhoneSetupDraft.methods.map { name in
                Option(name, Self.methodName(name))
            }
            chosen = "auto"
        case .asr:
            (options, chosen) = (AsrSchool.allCases.map { Option($0.rawValue, $0.rawValue) }, "standard")
        case .loudspeaker:
            // Devices that were not heard, do not open, or are silent are listed last.
            let devices = outputs.isEmpty ? devices : []
            let all = devices.filter {
                $0.state != .fails && $0.silence == nil && !draft.unheard.contains($0.name)
            }
            let rest = devices.filter { !all.contains($0) }
            options = (all + rest).map {
                Option($0.name, deviceTexts[$0.name] ?? $0.name, isSilent: $0.silence != nil)
            }
            chosen = options.first?.value ?? ""
        case .volume: (options, chosen) = ([], volume)
        case .done: (options, chosen) = ([], "")
        }
    }
}

extension SetupFacts {
    /// Descriptions of devices by their names: `USB Audio Device` for ALSA's "USB Audio Device, USB Audio, Hardware device with
    /// all software conversions". Several ways to one card have the same words, with a number from the second one on.
    package static func texts(_ devices: [SoundFacts.Device]) -> [String: String] {
        var texts: [String: String] = [:]
        var counts: [String: Int] = [:]
        for device in devices {
            let first = String((device.description ?? "").prefix { $0 != "," })
            let words = first.isEmpty ? device.name : first
            let count = (counts[words] ?? 0) + 1
            counts[words] = count
            texts[device.name] = count == 1 ? words : "\(words) (\(count))"
        }
        return texts
    }
}

/// The volumes before a set-up, which sets the volume of all prayers.
package struct SetupVolumes: Sendable, Equatable {
    /// The value as a form shows it.
    package let shared: String
    private let own: [String: Int]

    package init(_ reply: SettingsReply) {
        let inForce = Dictionary(
            reply.keys.map { ($0.key, $0.inForce ?? "") }, uniquingKeysWith: { $1 })
        let shared = inForce["adhan.volume"] ?? ""
        self.shared = shared
        own = Dictionary(
            uniqueKeysWithValues: Prayer.allCases.compactMap { prayer in
                guard let text = inForce["adhan.\(prayer.rawValue).volume"], text != shared,
                    let volume = Int(text)
                else { return nil }
                return (prayer.rawValue, volume)
            })
    }

    package func volume(of prayer: String, all: Int?) -> Int? { own[prayer] ?? all ?? Int(shared) }
}
