package import Places
package import PrayerEngine
package import Settings
package import Texts
package import Times

/// The answers so far, with what is proposed for the rest; and what they change in the file.
package struct SetupDraft: Sendable {
    package let inputs: SetupInputs
    package var place: SetupPlace?
    /// `nil` leaves the zone as the file, or the system, has it.
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
    /// The same for Fajr alone.
    package var fajrSound: String?
    /// When Friday's khutbas begin, where it was answered.
    package var khutbas: [IqamaTime] = []
    /// How answers on the command line were understood, where that is not what stands there.
    package var readings: [String] = []
    /// The mosque's published times.
    package var timetable: SetupTimetable?
    /// Whether the timetable that is there already stays.
    package var timetableKeeping: Keeping?
    /// Whether times that were set by hand stay.
    package var exceptionsKeeping: Keeping?
    /// When congregations stand up, where it was answered.
    package var iqama: [Prayer: IqamaTime] = [:]
    /// Minutes.
    package var adjustments: EventMinutes

    package init(_ inputs: SetupInputs) {
        self.inputs = inputs
        adjustments = inputs.config.calculation.adjustments
    }

    // MARK: - Proposals

    /// The answered place, else the configured place, else the principal place of the system's zone.
    package var proposedPlace: SetupPlace? { place ?? placeBefore }

    private var placeBefore: SetupPlace? {
        if let location = inputs.config.location {
            return SetupPlace(location, isKept: true, inputs.gazetteer)
        }
        // UTC names no place, even if the tables know one for it: it means that the zone was never set.
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

    /// Why the rule for the far north changes, where it does.
    package var highLatitudeSentence: String? {
        guard changes.contains(where: { $0.path == Self.highLatitudePath }) else { return nil }
        if let practice, let reason = practice.highLatitudeReason, practice.highLatitude == highLatitude {
            return
                "For nights that do not get dark, high-latitude is \(practice.highLatitude.rawValue): \(reason)."
        }
        return
            "high-latitude is \((config.calculation.highLatitude ?? .auto).rawValue) again: the other rule was another place's."
    }

    /// Tells that the Asr school was chosen by what is usual, where nobody answered it.
    package var asrSentence: String? {
        guard changes.contains(where: { $0.path == ["calculation", "asr"] }), let practice, let asr,
            practice.asr == asr
        else { return nil }
        let other = asr == .hanafi ? AsrSchool.standard : .hanafi
        return
            "Asr is \(asr.rawValue): \(practice.asrReason). If your mosque prays by the other school: "
            + "adhanctl set calculation.asr \(other.rawValue)."
    }

    /// Tells that a mosque's minutes stay behind where the place changes.
    package var adjustmentsSentence: String? {
        let was = inputs.config.calculation.adjustments
        let gone = Self.adjustable.filter { was[$0] != 0 && adjustments[$0] == 0 }
        guard isFarFromBefore, !gone.isEmpty else { return nil }
        let minutes = gone.map { "\($0.rawValue) \(was[$0] > 0 ? "+" : "-")\(abs(was[$0]))" }
        return
            "The minutes added to the computed times (\(minutes.joined(separator: ", "))) were for the place before, and are removed."
    }

    private static let highLatitudePath = ["calculation", "high-latitude"]

    package var proposedVolume: Int { volume ?? inputs.config[.asr].volume }

    /// The settings that the box uses as it is.
    package var inForceZone: Zone {
        config.timezone.flatMap { inputs.zone($0) } ?? inputs.systemZone
    }

    /// Takes a place. What was answered for another country, and a mosque's minutes in another town, do not go with it.
    package mutating func move(to new: SetupPlace) {
        if let place, place.countryCode != new.countryCode { (method, asr) = (nil, nil) }
        highLatitude = nil
        if place?.timezone != new.timezone { timezone = nil }
        place = new
        adjustments = isFarFromBefore ? EventMinutes() : inputs.config.calculation.adjustments
    }

    private var isFarFromBefore: Bool {
        guard let place, !place.isKept, let before = inputs.config.location else { return false }
        return GreatCircle.kilometres(
            from: (place.location.latitude, place.location.longitude), to: (before.latitude, before.longitude)
        )
            > TimetableMismatch.anotherTown
    }

    /// The zone of the place, when clocks there show another time than the one in force: what there is to decide.
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

    private func keeps(_ path: [String]) -> Bool {
        isInSameCountry && inputs.text.map { ConfigEdit($0).has(path) } ?? false
    }

    private var isInSameCountry: Bool {
        guard let place, !place.isKept else { return true }
        return placeBefore?.countryCode == place.countryCode
    }

    /// With what is proposed wherever nothing was answered; `nil` while no place is known.
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

    // MARK: - What comes of it

    /// The configuration as it will be.
    package var config: Config {
        var config = inputs.config
        if let place {
            config.location = place.location
            // Another place has another height.
            if !place.isKept { config.location?.elevation = 0 }
            // The file has the town's height only where it is used.
            if Method.named(method ?? config.calculation.method)?.elevation.isTown != true {
                config.location?.townElevation = inputs.config.location?.townElevation ?? 0
                if !place.isKept { config.location?.townElevation = 0 }
            }
        }
        config.timezone = timezone ?? config.timezone
        if let method {
            config.calculation.method = method
            if method != CalculationSettings.custom { config.calculation.angles = nil }
        }
        config.calculation.asr = asr ?? config.calculation.asr
        config.calculation.highLatitude = highLatitude ?? config.calculation.highLatitude
        config.calculation.adjustments = adjustments
        config.devices = devices ?? config.devices
        return config
    }

    /// Where and how times are calculated with it; `nil` while that is not known.
    package var site: Site? {
        let config = config
        let zone = config.timezone.flatMap { inputs.zone($0) } ?? inputs.systemZone
        guard let location = config.location,
            let calculation = try? config.calculation.practised(
                at: (location.latitude, location.longitude), zone: zone.name, inputs.gazetteer
            ).settings.calculation(),
            let place = try? Place(
                latitude: location.latitude, longitude: location.longitude, elevation: location.elevation,
                townElevation: location.townElevation)
        else { return nil }
        return Site(
            name: self.place?.name ?? "", place: place, approximate: false, zone: zone,
            calculation: calculation)
    }

    /// The effect of the change of place on what is there already; nothing while the place is not known.
    package var placeMove: PlaceMove? {
        site.map {
            PlaceMove(
                inputs.belongings, from: inputs.config.location, to: $0,
                today: $0.zone.civilDate(of: inputs.now)
            )
        }
    }

    /// The place with all that will be called there: published and set by hand, as far as these stay.
    package var decidedSite: Site? {
        guard let site else { return nil }
        let move = placeMove
        var table = inputs.belongings.table
        if timetableKeeping == .remove { table = PublishedTimetable() }
        if let own = timetable?.table {
            if move?.timetable != nil { table = PublishedTimetable() }
            table.merge(own)
        }
        let exceptions = exceptionsKeeping == .remove ? DayExceptions() : inputs.belongings.exceptions
        return site.deciding(table: table, exceptions: exceptions)
    }

    /// The future of the timetable and the times set by hand, for the question whether to save.
    package var decisions: [String] {
        let belongings = inputs.belongings
        var lines: [String] = []
        if !khutbas.isEmpty {
            lines.append("Friday's khutba at \(khutbas.map(\.text).joined(separator: ", "))")
        }
        if let timetable { lines.append("the times of \"\(timetable.file)\" are published") }
        if !belongings.table.isEmpty, let timetableKeeping, timetable == nil,
            placeMove?.timetable != nil || timetableKeeping == .remove
        {
            lines.append("the timetable that is there \(timetableKeeping == .keep ? "stays" : "is removed")")
        }
        if !belongings.exceptions.isEmpty, let exceptionsKeeping {
            lines.append("times set by hand \(exceptionsKeeping == .keep ? "stay" : "are removed")")
        }
        return lines
    }

    /// One key and what it becomes.
    package struct Change: Sendable, Equatable {
        package let path: [String]
        package let value: ConfigEdit.Value

        package var key: String { path.joined(separator: ".") }

        /// A correction of no minutes is none.
        var isRemoval: Bool { path.count == 3 && path[1] == "adjustments" && value == .integer(0) }

        /// For who is asked whether to save it.
        var text: String { isRemoval ? "\(key) is taken out" : "\(key) = \(value.toml)" }
    }

    /// The settings that the file does not have already.
    package var changes: [Change] {
        let (old, text) = (inputs.config, inputs.text.map(ConfigEdit.init) ?? ConfigEdit([]))
        var changes: [Change] = []
        /// An answer is written to the file, even where it is the default.
        func set(_ path: [String], _ value: ConfigEdit.Value, if differs: Bool, orMissing: Bool = true) {
            if differs || orMissing && !text.has(path) { changes.append(Change(path: path, value: value)) }
        }
        let new = config
        if let timezone { set(["timezone"], .text(timezone), if: old.timezone != timezone) }
        if let location = new.location {
            let was = old.location
            // The name of the place before may not stay beside other coordinates.
            let name = location.name ?? (was?.name == nil ? nil : place?.name)
            if let name { set(["location", "name"], .text(name), if: was?.name != name) }
            set(["location", "latitude"], .number(location.latitude), if: was?.latitude != location.latitude)
            set(
                ["location", "longitude"], .number(location.longitude),
                if: was?.longitude != location.longitude)
            set(
                ["location", "elevation"], .number(location.elevation),
                if: was?.elevation ?? 0 != location.elevation,
                orMissing: false)
            set(
                ["location", "town-elevation"], .number(location.townElevation),
                if: was?.townElevation ?? 0 != location.townElevation,
                orMissing: false)
        }
        let was = old.calculation
        if let method { set(["calculation", "method"], .text(method), if: was.method != method) }
        if let asr { set(["calculation", "asr"], .text(asr.rawValue), if: was.asr != asr) }
        if let highLatitude {
            set(
                Self.highLatitudePath, .text(highLatitude.rawValue),
                if: was.highLatitude ?? .auto != highLatitude,
                orMissing: highLatitude != .auto)
        }
        for event in Self.adjustable where adjustments[event] != was.adjustments[event] {
            set(["calculation", "adjustments", event.rawValue], .integer(adjustments[event]), if: true)
        }
        if let volume { set(["adhan", "volume"], .integer(volume), if: old[.asr].volume != volume) }
        if let sound { set(["adhan", "sound"], .text(sound), if: old[.asr].sound != [sound]) }
        if let fajrSound {
            set(["adhan", "fajr", "sound"], .text(fajrSound), if: old[.fajr].sound != [fajrSound])
        }
        for prayer in TimetableColumn.prayers {
            guard let time = iqama[prayer] else { continue }
            let path = iqamaPath(prayer)
            // A comment that stands behind the key stays there.
            let comment = text.has(path) ? "" : "  # when \(prayer.title)'s congregation stands up"
            let written = ConfigEdit.Value.toml(ConfigEdit.Value.text(time.text).toml + comment)
            set(path, written, if: old.iqama.rules[prayer]?.at != time, orMissing: false)
        }
        if let devices { set(["audio", "devices"], .texts(devices), if: old.devices != devices) }
        return changes
    }

    /// Whether anything goes into the file.
    package var writesFile: Bool { !changes.isEmpty || !khutbas.isEmpty }

    /// The settings that setup may write.
    package static let keys: [[String]] =
        [
            ["timezone"], ["location", "name"], ["location", "latitude"], ["location", "longitude"],
            ["location", "elevation"], ["location", "town-elevation"], ["calculation", "method"],
            ["calculation", "asr"], highLatitudePath,
        ] + adjustable.map { ["calculation", "adjustments", $0.rawValue] } + [
            ["adhan", "volume"], ["adhan", "sound"], ["adhan", "fajr", "sound"], ["audio", "devices"],
        ] + TimetableColumn.prayers.map { ["iqama", $0.rawValue] }

    package static let adjustable: [DayEvent] = [.fajr, .sunrise, .dhuhr, .asr, .maghrib, .isha]

    /// The file's new text: loaded once, so that what is wrong with it is known before it replaces anything.
    package func newText() throws(ConfigError) -> [UInt8] { try newText(onto: inputs.text) }

    /// - Parameter current: what the file says by now, where somebody has changed it since setup began: the answers go into
    ///   that, and what nobody was asked about stays.
    package func newText(onto current: [UInt8]?) throws(ConfigError) -> [UInt8] {
        var edit = ConfigEdit(current ?? begun())
        // Angles of one's own may not stand beside another method.
        if let method, method != CalculationSettings.custom, inputs.config.calculation.angles != nil {
            edit.commentOut(table: ["calculation", "angles"])
        }
        for change in changes {
            if change.isRemoval { edit.remove(change.path) } else { edit.set(change.path, change.value) }
        }
        var bytes = edit.bytes
        for khutba in khutbas {
            bytes += "\n[[jumua.slot]]\nkhutba = \(ConfigEdit.Value.text(khutba.text).toml)\n".utf8
        }
        _ = try ConfigLoader.load(text: bytes, file: inputs.file)
        return bytes
    }

    /// A new file: the commented example with the tables that are written to, so that each value stands beside what explains it.
    private func begun() -> [UInt8] {
        guard let template = inputs.template else { return Array(Self.head.utf8) }
        let tables = Set(changes.map { $0.path.dropLast().joined(separator: ".") }).map { "# [\($0)]" }
        let lines = String(decoding: template, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        return Array(
            lines.map { tables.contains(String($0)) ? $0.dropFirst(2) : $0 }.joined(separator: "\n").utf8)
    }

    private static let head = """
        # adhand's configuration, begun by "adhanctl setup". Every other key is explained in adhand.toml(5);
        # "adhanctl check" tells whether a change is right.


        """
}
