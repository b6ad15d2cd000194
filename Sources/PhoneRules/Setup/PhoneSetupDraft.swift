package import Places
package import PrayerEngine
internal import Protocol
package import Settings
internal import Texts

/// The answers of a set-up so far. Nothing is in force before all of them are saved as one change.
package struct PhoneSetupDraft: Sendable, Equatable {
    package enum Step: String, Sendable, CaseIterable {
        case place, town, method, asr, loudspeaker, volume, done
    }

    package private(set) var town: GazetteerPlace?
    /// Towns of the name that was typed, where several have it.
    package private(set) var towns: [GazetteerPlace] = []
    package private(set) var method: String?
    package private(set) var asr: AsrSchool?
    /// The device that plays a tone now, and waits for "do you hear it?". Empty: those of the configuration.
    package private(set) var asked: String?
    /// Devices of which nothing was heard.
    package private(set) var unheard: [String] = []
    /// Empty: the devices of the configuration stay.
    package private(set) var device: String?
    package private(set) var volume: Int?
    /// Whether the loudspeaker alone is asked for, on a box that is set up.
    package private(set) var isOfLoudspeaker = false
    /// The result of the answers that were saved, for a form that is sent twice; `nil` for a set-up that begins.
    package private(set) var result: PageDone?

    package init() {}

    /// A set-up whose answers were saved. The next one begins with its first answer.
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

    /// Takes the answer of one step; what was answered after it counts no longer.
    /// - Parameter gazetteer: only asked for a town.
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
            // A tone is heard first, also from the devices that stay.
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

    /// The question before this one again; what was answered to it counts no longer.
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
    package mutating func heard(_ name: String, _ isHeard: Bool) throws(FieldRefusal) {
        guard asked == name else { throw FieldRefusal("device", .stale) }
        asked = nil
        if isHeard { device = name } else { unheard.append(name) }
    }

    /// Methods to choose from: the one of the place, and all that have a name, in the order of their authorities'.
    package static let methods =
        [CalculationSettings.automatic]
        + Method.all.sorted { ($0.title, $0.name) < ($1.title, $1.name) }.map(\.name)

    /// Keys and their values as TOML writes them.
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

    /// The answer of one question.
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

    /// Whether a value is possible beside some others alone.
    package static func isOfWhole(_ key: String) -> Bool {
        !["volume", "device"].contains(field(of: key))
    }

    /// The answers so far as one change; none before the first.
    package var changes: SettingsChangeSet {
        SettingsChangeSet(values.map { SettingChange(key: $0.key, value: $0.value) })
    }

    /// The configuration that times are shown by before anything is saved; `nil` while something is open.
    package var config: Config? {
        guard step == .done, !isOfLoudspeaker else { return nil }
        let lines = values.filter { $0.key != "audio.devices" }.map { "\($0.key) = \($0.value)\n" }.joined()
        return try? ConfigLoader.load([ConfigSource(file: "", text: Array(lines.utf8))]).config
    }
}
