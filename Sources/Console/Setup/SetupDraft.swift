package import Places
package import PrayerEngine
package import Settings
package import Texts
import Times

/// The answers so far, with proposals for the rest, and the resulting changes of the file.
package struct SetupDraft: Sendable {
    package let inputs: SetupInputs
    package var place: SetupPlace?
    /// The time zone; `nil` leaves it as in the file, or the system.
    package var timezone: String?
    package var method: String?
    package var asr: AsrSchool?
    /// The rule that replaces a night that does not get dark.
    package var highLatitude: HighLatitudeRule?
    package var devices: [String]?
    /// Percent.
    package var volume: Int?
    /// The name of an added recording.
    package var sound: String?
    /// The sound for Fajr alone.
    package var fajrSound: String?
    /// The times of Friday's khutbas, if answered.
    package var khutbas: [IqamaTime] = []
    /// The interpretations of command-line answers that differ from their text.
    package var readings: [String] = []
    /// The mosque's published times.
    package var timetable: SetupTimetable?
    /// Whether the timetable that is there already stays.
    package var timetableKeeping: KeepOrRemove?
    /// Whether times that were set by hand stay.
    package var exceptionsKeeping: KeepOrRemove?
    /// The times of iqamas, if answered.
    package var iqama: [Prayer: IqamaTime] = [:]
    /// The recipient of alerts about missed adhans; `nil` leaves it unchanged.
    package var message: MessageAnswer?
    /// Minutes.
    package var adjustments: EventMinutes

    package init(_ inputs: SetupInputs) {
        self.inputs = inputs
        adjustments = inputs.config.calculation.adjustments
    }

    // MARK: - Proposals

    /// The answered place, else the configured place, else the principal place of the system's zone.
    package var proposedPlace: SetupPlace? { place ?? placeBefore }

    var placeBefore: SetupPlace? {
        if let location = inputs.config.location {
            return SetupPlace(location, isKept: true, inputs.gazetteer)
        }
        // UTC names no place, even if the tables contain one for it: the zone was never set.
        guard inputs.systemZone.name.contains("/"), !inputs.systemZone.name.hasPrefix("Etc/") else {
            return nil
        }
        return inputs.zonePlace.flatMap {
            inputs.gazetteer.nearest(latitude: $0.latitude, longitude: $0.longitude).map {
                SetupPlace($0.place)
            }
        }
    }

    /// The usual practice in the country of the place.
    package var practice: CountryPractice? {
        place.map {
            CountryPractice(
                code: $0.countryCode, country: $0.country,
                near: ($0.location.latitude, $0.location.longitude))
        }
    }

    /// The file's own choice where the place is still in the file's country; else the country's.
    package var proposedMethod: String {
        if let method { return method }
        let own = inputs.config.calculation.method
        let isOwn = keeps(["calculation", "method"]) && own != CalculationSettings.automatic
        return isOwn ? own : practice?.method ?? MethodChoice.generic
    }

    package var proposedAsr: AsrSchool {
        if let asr { return asr }
        let calculation = inputs.config.calculation
        guard keeps(["calculation", "asr"]) else { return practice?.asr ?? .standard }
        return calculation.asr ?? Method.named(calculation.method)?.asr ?? practice?.asr ?? .standard
    }

    package var proposedHighLatitude: HighLatitudeRule {
        let own = inputs.config.calculation.highLatitude
        return keeps(["calculation", "high-latitude"]) ? own ?? .auto : practice?.highLatitude ?? own ?? .auto
    }

    /// Why the rule for high latitudes changes, where it does.
    package var highLatitudeSentence: String? {
        guard changes.contains(where: { $0.path == Self.highLatitudePath }) else { return nil }
        if let practice, let reason = practice.highLatitudeReason, practice.highLatitude == highLatitude {
            return
                "For nights that do not get dark, high-latitude is \(practice.highLatitude.rawValue): \(reason)."
        }
        return
            "high-latitude is \((config.calculation.highLatitude ?? .auto).rawValue) again: the other rule was another place's."
    }

    /// The sentence that the Asr school follows the country's practice, where it was not answered.
    package var asrSentence: String? {
        guard changes.contains(where: { $0.path == ["calculation", "asr"] }), let practice, let asr,
            practice.asr == asr
        else { return nil }
        let other = asr == .hanafi ? AsrSchool.standard : .hanafi
        return
            "Asr is \(asr.rawValue): \(practice.asrReason). If your mosque prays by the other school: "
            + "adhanctl set calculation.asr \(other.rawValue)."
    }

    /// The sentence that a mosque's minutes stay behind when the place changes.
    package var adjustmentsSentence: String? {
        let was = inputs.config.calculation.adjustments
        let gone = Self.adjustable.filter { was[$0] != 0 && adjustments[$0] == 0 }
        guard isFarFromBefore, !gone.isEmpty else { return nil }
        let minutes = gone.map { "\($0.rawValue) \(was[$0] > 0 ? "+" : "-")\(abs(was[$0]))" }
        return
            "The minutes added to the computed times (\(minutes.joined(separator: ", "))) were for the place before, and are removed."
    }

    static let highLatitudePath = ["calculation", "high-latitude"]

    package var proposedVolume: Int { volume ?? inputs.config[.asr].volumePercent }

    /// The settings in force on the box at present.
    package var inForceZone: Zone {
        config.timezone.flatMap { inputs.zone($0) } ?? inputs.systemZone
    }

    /// Sets the place. Answers for another country, and a mosque's minutes in another town, are dropped.
    package mutating func move(to new: SetupPlace) {
        if let place, place.countryCode != new.countryCode { (method, asr) = (nil, nil) }
        highLatitude = nil
        if place?.timezone != new.timezone { timezone = nil }
        place = new
        adjustments = isFarFromBefore ? EventMinutes() : inputs.config.calculation.adjustments
    }

    var isFarFromBefore: Bool {
        guard let place, !place.isKept, let before = inputs.config.location else { return false }
        return GreatCircle.kilometres(
            from: (place.location.latitude, place.location.longitude), to: (before.latitude, before.longitude)
        )
            > TimetableMismatch.anotherTownKilometres
    }

    /// The zone of the place, when its clocks differ from those of the zone in force: the person has to decide.
    package var otherZone: (name: String, inForce: Zone)? {
        guard let place, let own = inputs.zone(place.timezone) else { return nil }
        let inForce = inputs.config.timezone.flatMap { inputs.zone($0) } ?? inputs.systemZone
        // A person who uses the other clock of the place chose it.
        if let second = place.secondClock, let other = inputs.zone(second.timezone),
            inputs.areAlike(other, inForce)
        {
            return nil
        }
        return inputs.areAlike(own, inForce) ? nil : (place.timezone, inForce)
    }

    func keeps(_ path: [String]) -> Bool {
        isInSameCountry && inputs.text.map { ConfigEdit($0).has(path) } ?? false
    }

    var isInSameCountry: Bool {
        guard let place, !place.isKept else { return true }
        return placeBefore?.countryCode == place.countryCode
    }

    /// The draft with proposals in place of missing answers; `nil` while no place is known.
    package var completed: SetupDraft? {
        var draft = self
        guard let chosen = proposedPlace else { return nil }
        if place == nil { draft.move(to: chosen) }
        draft.timezone = timezone ?? draft.otherZone?.name
        draft.method = method ?? draft.proposedMethod
        draft.asr = asr ?? draft.proposedAsr
        draft.highLatitude = highLatitude ?? draft.proposedHighLatitude
        draft.devices = devices ?? inputs.config.devices
        draft.volume = volume ?? proposedVolume
        return draft
    }
}
