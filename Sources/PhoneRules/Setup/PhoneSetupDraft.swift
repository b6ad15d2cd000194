package import Places
package import PrayerEngine
internal import Protocol
package import Settings
internal import Texts

/// The answers of a set-up so far. They take effect when all are saved as one change.
package struct PhoneSetupDraft: Sendable, Equatable {
    package enum Step: String, Sendable, CaseIterable {
        case place, town, method, asr, loudspeaker, volume, done
    }

    package private(set) var town: GazetteerPlace?
    /// The towns with the name that was typed, if there are several.
    package private(set) var towns: [GazetteerPlace] = []
    package private(set) var method: String?
    package private(set) var asr: AsrSchool?
    /// The device that has played a tone and waits for "do you hear it?". Empty stands for the configured devices.
    package private(set) var asked: String?
    /// Devices that the person did not hear.
    package private(set) var unheard: [String] = []
    /// Empty if the configured devices are kept.
    package private(set) var device: String?
    package private(set) var volume: Int?
    /// Whether only the loudspeaker is set up, on a box that is otherwise set up.
    package private(set) var isOfLoudspeaker = false
    /// The result of answers that were saved, for a form that is sent twice; `nil` for a new set-up.
    package private(set) var result: PageDone?

    package init() {}

    /// A set-up whose answers were saved. The next answer begins a new one.
    package static func over(_ result: PageDone) -> PhoneSetupDraft {
        var draft = PhoneSetupDraft()
        draft.result = result
        return draft
    }

    package static var loudspeakerAlone: PhoneSetupDraft {
        var draft = PhoneSetupDraft()
        draft.isOfLoudspeaker = true
        return draft
    }

    package var step: Step {
        if isOfLoudspeaker { return device == nil ? .loudspeaker : .done }
        if town == nil { return towns.isEmpty ? .place : .town }
        if method == nil { return .method }
        if asr == nil { return .asr }
        if device == nil { return .loudspeaker }
        return volume == nil ? .volume : .done
    }

    /// Takes the answer of one step, and discards the answers to later steps.
    /// - Parameter gazetteer: called only to find a town.
    package mutating func answer(
        _ step: Step, _ form: Form, gazetteer: () -> Gazetteer
    ) throws(FieldRefusal) {
        let fields = ActFields(form: form)
        switch step {
        case .place:
            let found = TownMeant(try fields.text("place", longest: 100), gazetteer())
            self = PhoneSetupDraft()
            switch found {
            case .one(let place): town = place
            case .several(let places): towns = places
            case .none: throw FieldRefusal("place", .unknown)
            }
        case .town:
            let rank = try fields.number("town")
            guard let place = towns.first(where: { $0.rank == rank }) else {
                throw FieldRefusal("town", .unknown)
            }
            (town, towns) = (place, [])
        case .method:
            guard town != nil else { throw FieldRefusal("place", .missing) }
            let name = try fields.text("method", longest: 40)
            guard Self.methods.contains(name) else { throw FieldRefusal("method", .unknown) }
            method = name
        case .asr:
            guard method != nil else { throw FieldRefusal("method", .missing) }
            asr = try fields.choice("asr") as AsrSchool
        case .loudspeaker:
            guard asr != nil || isOfLoudspeaker else { throw FieldRefusal("asr", .missing) }
            guard let name = form["device"] else { throw FieldRefusal("device", .missing) }
            // A tone is played first, even on devices that are kept.
            (device, asked) = (nil, name.isEmpty ? name : try fields.text("device", longest: 200))
        case .volume:
            guard device != nil else { throw FieldRefusal("device", .missing) }
            let percent = try fields.number("volume")
            guard (0...100).contains(percent) else { throw FieldRefusal("volume", .range) }
            volume = percent
        case .done:
            guard self.step == .done || result != nil else { throw FieldRefusal("step", .missing) }
        }
    }

    /// Goes back to the previous question, and discards its answer.
    package mutating func goBack() {
        guard asked == nil else {
            asked = nil
            return
        }
        switch step {
        case .place, .town, .method: self = PhoneSetupDraft()
        case .asr: method = nil
        case .loudspeaker where isOfLoudspeaker: self = PhoneSetupDraft()
        case .loudspeaker: (asr, unheard) = (nil, [])
        case .volume: device = nil
        case .done where isOfLoudspeaker: device = nil
        case .done: volume = nil
        }
    }

    /// The answer to "do you hear it?".
    package mutating func answerTone(_ name: String, _ isHeard: Bool) throws(FieldRefusal) {
        guard asked == name else { throw FieldRefusal("device", .stale) }
        asked = nil
        if isHeard { device = name } else { unheard.append(name) }
    }

    /// The methods to choose from: the automatic one, and all named ones, sorted by their authorities.
    package static let methods =
        [CalculationSettings.automatic]
        + Method.all.sorted { ($0.title, $0.name) < ($1.title, $1.name) }.map(\.name)

    /// The keys with their values in TOML.
    private var values: [(key: String, value: String)] {
        let ofDevice = device.flatMap {
            $0.isEmpty ? nil : [("audio.devices", "[\(TOMLEscapes.quote($0))]")]
        }
        if isOfLoudspeaker { return ofDevice ?? [] }
        guard let town else { return [] }
        var values = [
            ("timezone", TOMLEscapes.quote(town.timezone)), ("location.name", TOMLEscapes.quote(town.label)),
            ("location.latitude", "\(town.latitude)"), ("location.longitude", "\(town.longitude)"),
            ("location.town-elevation", "\(town.elevationMetres)"),
        ]
        if let method { values.append(("calculation.method", TOMLEscapes.quote(method))) }
        if let asr { values.append(("calculation.asr", TOMLEscapes.quote(asr.rawValue))) }
        values += ofDevice ?? []
        if let volume { values.append(("adhan.volume", "\(volume)")) }
        return values
    }

    /// The field of the question whose answer is the value of a key.
    package static func field(of key: String) -> String {
        switch key {
        case "adhan.volume": "volume"
        case "audio.devices": "device"
        case "calculation.method": "method"
        case "calculation.asr": "asr"
        default: "place"
        }
    }

    /// The changes for the answer to one question.
    package func changes(of step: Step) -> SettingsChangeSet {
        let name =
            switch step {
            case .place, .town: "place"
            case .loudspeaker: "device"
            default: step.rawValue
            }
        return SettingsChangeSet(
            values.filter { Self.field(of: $0.key) == name }.map {
                SettingChange(key: $0.key, value: $0.value)
            })
    }

    /// Whether a value can only be checked together with others.
    package static func isOfWhole(_ key: String) -> Bool {
        !["volume", "device"].contains(field(of: key))
    }

    /// The answers so far as one change, which is empty before the first.
    package var changes: SettingsChangeSet {
        SettingsChangeSet(values.map { SettingChange(key: $0.key, value: $0.value) })
    }

    /// The configuration for showing times before anything is saved; `nil` while an answer is missing.
    package var config: Config? {
        guard step == .done, !isOfLoudspeaker else { return nil }
        let lines = values.filter { $0.key != "audio.devices" }.map { "\($0.key) = \($0.value)\n" }.joined()
        return try? ConfigLoader.load([ConfigSource(file: "", text: Array(lines.utf8))]).config
    }
}
