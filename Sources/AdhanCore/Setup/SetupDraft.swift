package import PrayerEngine

/// The answers so far, with what is proposed for the rest; and what they change in the file.
package struct SetupDraft: Sendable {
    package let world: SetupWorld
    package var place: SetupPlace?
    /// `nil` leaves the zone as the file, or the system, has it.
    package var timezone: String?
    package var method: String?
    package var asr: AsrSchool?
    /// What stands in for a night that does not get dark.
    package var highLatitude: HighLatitudeRule?
    package var devices: [String]?
    /// Percent.
    package var volume: Int?
    /// The name of an added recording.
    package var sound: String?
    /// Minutes.
    package var adjustments: EventMinutes

    package init(_ world: SetupWorld) {
        self.world = world
        adjustments = world.config.calculation.adjustments
    }

    // MARK: - Proposals

    /// What was answered, else the configured place, else the principal place of the system's zone.
    package var proposedPlace: SetupPlace? { place ?? placeBefore }

    private var placeBefore: SetupPlace? {
        if let location = world.config.location {
            return SetupPlace(location, isKept: true, world.gazetteer)
        }
        // UTC is nobody's place, even if the tables know one for it: it means that nobody has set the zone.
        guard world.systemZone.name.contains("/"), !world.systemZone.name.hasPrefix("Etc/") else {
            return nil
        }
        return world.zonePlace.flatMap {
            world.gazetteer.nearest(latitude: $0.latitude, longitude: $0.longitude).map {
                SetupPlace($0.place)
            }
        }
    }

    /// What is usual in the country of the place.
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
        return keeps(["calculation", "method"]) ? world.config.calculation.method : practice?.method ?? "mwl"
    }

    package var proposedAsr: AsrSchool {
        if let asr { return asr }
        let calculation = world.config.calculation
        guard keeps(["calculation", "asr"]) else { return practice?.asr ?? .standard }
        return calculation.asr ?? Method.named(calculation.method)?.asr ?? .hanafi
    }

    package var proposedHighLatitude: HighLatitudeRule {
        let own = world.config.calculation.highLatitude
        return keeps(["calculation", "high-latitude"]) ? own : practice?.highLatitude ?? own
    }

    /// Why the rule for the far north changes, where it does.
    package var highLatitudeSentence: String? {
        guard changes.contains(where: { $0.path == Self.highLatitudePath }) else { return nil }
        if let practice, let reason = practice.highLatitudeReason, practice.highLatitude == highLatitude {
            return
                "For nights that do not get dark, high-latitude is \(practice.highLatitude.rawValue): \(reason)."
        }
        return
            "high-latitude is \(config.calculation.highLatitude.rawValue) again: the other rule was another place's."
    }

    private static let highLatitudePath = ["calculation", "high-latitude"]

    package var proposedVolume: Int { volume ?? world.config[.asr].volume }

    /// What the box goes by as it is.
    package var inForceZone: Zone {
        config.timezone.flatMap { world.zone($0) } ?? world.systemZone
    }

    /// Takes a place. What was answered for another country, and a mosque's minutes in another town, do not go with it.
    package mutating func move(to new: SetupPlace) {
        if let place, place.countryCode != new.countryCode { (method, asr) = (nil, nil) }
        highLatitude = nil
        if place?.timezone != new.timezone { timezone = nil }
        place = new
        adjustments = isFarFromBefore ? EventMinutes() : world.config.calculation.adjustments
    }

    /// Kilometres beyond which another mosque is meant.
    private static let anotherTown = 25.0

    private var isFarFromBefore: Bool {
        guard let place, !place.isKept, let before = world.config.location else { return false }
        return Gazetteer.kilometres(
            from: (place.location.latitude, place.location.longitude), to: (before.latitude, before.longitude)
        )
            > Self.anotherTown
    }

    /// The zone of the place, when clocks there show another time than the one in force: what there is to decide.
    package var otherZone: (name: String, inForce: Zone)? {
        guard let place, let own = world.zone(place.timezone) else { return nil }
        let inForce = world.config.timezone.flatMap { world.zone($0) } ?? world.systemZone
        // Who goes by the other clock of the place chose it.
        if let second = place.secondClock, let other = world.zone(second.timezone),
            world.areAlike(other, inForce)
        {
            return nil
        }
        return world.areAlike(own, inForce) ? nil : (place.timezone, inForce)
    }

    private func keeps(_ path: [String]) -> Bool {
        isInSameCountry && world.text.map { ConfigEdit($0).has(path) } ?? false
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
        draft.devices = devices ?? world.config.devices
        draft.volume = volume ?? proposedVolume
        return draft
    }

    // MARK: - What comes of it

    /// The configuration as it will be.
    package var config: Config {
        var config = world.config
        if let place {
            config.location = place.location
            // Another place has another height.
            if !place.isKept { config.location?.elevation = 0 }
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
        guard let location = config.location, let calculation = try? config.calculation.calculation(),
            let place = try? Place(
                latitude: location.latitude, longitude: location.longitude, elevation: location.elevation)
        else { return nil }
        let zone = config.timezone.flatMap { world.zone($0) } ?? world.systemZone
        return Site(
            name: self.place?.name ?? "", place: place, approximate: false, zone: zone,
            calculation: calculation)
    }

    /// One key and what it becomes.
    package struct Change: Sendable, Equatable {
        package let path: [String]
        package let value: ConfigEdit.Value

        package var key: String { path.joined(separator: ".") }
    }

    /// What the file does not say already.
    package var changes: [Change] {
        let (old, text) = (world.config, world.text.map(ConfigEdit.init) ?? ConfigEdit([]))
        var changes: [Change] = []
        /// What is answered stands in the file, even where it is the default.
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
        }
        let was = old.calculation
        if let method { set(["calculation", "method"], .text(method), if: was.method != method) }
        if let asr { set(["calculation", "asr"], .text(asr.rawValue), if: was.asr != asr) }
        if let highLatitude {
            set(
                Self.highLatitudePath, .text(highLatitude.rawValue), if: was.highLatitude != highLatitude,
                orMissing: highLatitude != .auto)
        }
        for event in Self.adjustable where adjustments[event] != was.adjustments[event] {
            set(["calculation", "adjustments", event.rawValue], .integer(adjustments[event]), if: true)
        }
        if let volume { set(["adhan", "volume"], .integer(volume), if: old[.asr].volume != volume) }
        if let sound { set(["adhan", "sound"], .text(sound), if: old[.asr].sound != [sound]) }
        if let devices { set(["audio", "devices"], .texts(devices), if: old.devices != devices) }
        return changes
    }

    /// What setup may write.
    package static let keys: [[String]] =
        [
            ["timezone"], ["location", "name"], ["location", "latitude"], ["location", "longitude"],
            ["location", "elevation"], ["calculation", "method"], ["calculation", "asr"],
            highLatitudePath,
        ] + adjustable.map { ["calculation", "adjustments", $0.rawValue] } + [
            ["adhan", "volume"], ["adhan", "sound"], ["audio", "devices"],
        ]

    package static let adjustable: [DayEvent] = [.fajr, .sunrise, .dhuhr, .asr, .maghrib, .isha]

    /// The file's new text: loaded once, so that what is wrong with it is known before it replaces anything.
    package func newText() throws(ConfigError) -> [UInt8] {
        var edit = ConfigEdit(world.text ?? begun())
        // Angles of one's own may not stand beside another method.
        if let method, method != CalculationSettings.custom, world.config.calculation.angles != nil {
            edit.commentOut(table: ["calculation", "angles"])
        }
        for change in changes { edit.set(change.path, change.value) }
        _ = try ConfigLoader.load(text: edit.bytes, file: world.file)
        return edit.bytes
    }

    /// A new file: the commented example with the tables that are written to, so that each value stands beside what explains it.
    private func begun() -> [UInt8] {
        guard let template = world.template else { return Array(Self.head.utf8) }
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
