import Places
package import PrayerEngine
package import Settings
import Texts
package import Times

/// The configuration and the timetable that the answers result in.
extension SetupDraft {
    /// The configuration as it will be.
    package var config: Config {
        var config = inputs.config
        if let place {
            config.location = place.location
            // Another place has another height.
            if !place.isKept { config.location?.elevationMetres = 0 }
            // The file has the town's height only where it is used.
            if Method.named(method ?? config.calculation.method)?.elevation.isTown != true {
                config.location?.townElevationMetres = inputs.config.location?.townElevationMetres ?? 0
                if !place.isKept { config.location?.townElevationMetres = 0 }
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

    /// The place and method of times with this draft; `nil` while unknown.
    package var site: Site? {
        let config = config
        let zone = config.timezone.flatMap { inputs.zone($0) } ?? inputs.systemZone
        guard let location = config.location,
            let calculation = try? config.calculation.practised(
                at: (location.latitude, location.longitude), zone: zone.name, inputs.gazetteer
            ).settings.calculation(),
            let place = try? Place(
                latitude: location.latitude, longitude: location.longitude,
                elevationMetres: location.elevationMetres,
                townElevationMetres: location.townElevationMetres)
        else { return nil }
        return Site(
            name: self.place?.name ?? "", place: place, approximate: false, zone: zone,
            calculation: calculation)
    }

    /// The effect of the new place on the timetable and the exceptions; none while the place is unknown.
    package var placeMove: PlaceMove? {
        site.map {
            PlaceMove(
                inputs.belongings, from: inputs.config.location, to: $0,
                today: $0.zone.civilDate(of: inputs.now)
            )
        }
    }

    /// The place with everything that will be called there: published times and times set by hand, as far as these stay.
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
        return site.applying(table: table, exceptions: exceptions)
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
        if let message { lines.append(message.decision) }
        return lines
    }

    /// One key and its new value.
    package struct Change: Sendable, Equatable {
        package let path: [String]
        package let value: ConfigEdit.Value

        package var key: String { path.joined(separator: ".") }

        /// A correction of no minutes is none.
        var isRemoval: Bool { path.count == 3 && path[1] == "adjustments" && value == .integer(0) }

        /// The summary for the person who decides whether to save.
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
            // The name of the previous place must not remain beside other coordinates.
            let name = location.name ?? (was?.name == nil ? nil : place?.name)
            if let name { set(["location", "name"], .text(name), if: was?.name != name) }
            set(["location", "latitude"], .number(location.latitude), if: was?.latitude != location.latitude)
            set(
                ["location", "longitude"], .number(location.longitude),
                if: was?.longitude != location.longitude)
            set(
                ["location", "elevation"], .number(location.elevationMetres),
                if: was?.elevationMetres ?? 0 != location.elevationMetres,
                orMissing: false)
            set(
                ["location", "town-elevation"], .number(location.townElevationMetres),
                if: was?.townElevationMetres ?? 0 != location.townElevationMetres,
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
        if let volume { set(["adhan", "volume"], .integer(volume), if: old[.asr].volumePercent != volume) }
        if let sound { set(["adhan", "sound"], .text(sound), if: old[.asr].sound != RotatingSound([sound])) }
        if let fajrSound {
            set(
                ["adhan", "fajr", "sound"], .text(fajrSound),
                if: old[.fajr].sound != RotatingSound([fajrSound]))
        }
        for prayer in TimetableColumn.prayers {
            guard let time = iqama[prayer] else { continue }
            let path = iqamaPath(prayer)
            // A comment after the key stays there.
            let comment = text.has(path) ? "" : "  # when \(prayer.title)'s congregation stands up"
            let written = ConfigEdit.Value.toml(ConfigEdit.Value.text(time.text).toml + comment)
            set(path, written, if: old.iqama.rules[prayer]?.at != time, orMissing: false)
        }
        if let devices, old.outputs.isEmpty {
            set(["audio", "devices"], .texts(devices), if: old.devices != devices)
        }
        return changes
    }

    /// Whether the file changes.
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

    /// The file's new text, loaded once, so that its mistakes are known before it replaces the old one.
    package func newText() throws(ConfigError) -> [UInt8] { try newText(onto: inputs.text) }

    /// - Parameter current: the file's present text, where it was changed since setup began: the answers go into it,
    /// and unanswered keys stay.
    package func newText(onto current: [UInt8]?) throws(ConfigError) -> [UInt8] {
        var edit = ConfigEdit(current ?? begun())
        // Custom angles must not remain beside another method.
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

    /// A new file: the commented example with the tables that are written to, so that each value is beside its explanation.
    func begun() -> [UInt8] {
        guard let template = inputs.template else { return Array(Self.head.utf8) }
        let tables = Set(changes.map { $0.path.dropLast().joined(separator: ".") }).map { "# [\($0)]" }
        let lines = String(decoding: template, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        return Array(
            lines.map { tables.contains(String($0)) ? $0.dropFirst(2) : $0 }.joined(separator: "\n").utf8)
    }

    static let head = """
        # adhand's configuration, begun by "adhanctl setup". Every other key is explained in adhand.toml(5);
        # "adhanctl check" tells whether a change is right.


        """
}
