import PrayerEngine
package import Protocol
import Settings
package import Texts
import Times

/// `setup --json`: the written settings and their meaning.
package struct SetupDocument: Codable, Sendable, Equatable {
    package struct Change: Codable, Sendable, Equatable {
        package let key: String
        /// The value in TOML.
        package let value: String
    }

    package struct Alert: Codable, Sendable, Equatable {
        /// The file of adhan-bridge.
        package let file: String
        /// The address; `null`: nobody is notified.
        @Nullable package var address: String?
        /// Whether it is in the file.
        package let saved: Bool
        /// Whether a test message was accepted; `null` where none was sent.
        @Nullable package var delivered: Bool?
        /// The result in one sentence.
        package let message: String
        /// The command that repairs what went wrong; `null` when nothing did.
        @Nullable package var fix: String?

        package init(
            file: String, address: String?, saved: Bool, delivered: Bool?, message: String, fix: String?
        ) {
            self.file = file
            self.address = address
            self.saved = saved
            self.delivered = delivered
            self.message = message
            self.fix = fix
        }

        /// Whether everything was saved and works as requested.
        package var isGood: Bool { saved && delivered != false && fix == nil }
    }

    package struct Output: Codable, Sendable, Equatable {
        package let name: String
        package let devices: [String]
    }

    package let file: String
    /// The file's content before; `null` when there was none, or nothing changed.
    @Nullable package var backup: String?
    package let changes: [Change]
    package let location: StatusDocument.Location
    package let calculation: StatusDocument.Calculation
    /// The devices of the first output, where the file names outputs.
    package let devices: [String]
    /// The outputs; omitted where the file names none.
    package var outputs: [Output]?
    package let volume: Int
    /// The recipient of alerts about missed adhans; `null` where setup did not change it.
    @Nullable package var alert: Alert?
    /// Whether a running adhand uses the file now.
    package let reloaded: Bool
    /// The result in one sentence.
    package let message: String
    /// The command that puts it in force; `null` when there is nothing to do.
    @Nullable package var fix: String?

    /// Makes the document; `nil` while the draft has no place.
    package init?(_ draft: SetupDraft, backup: String?, _ result: ReloadResult, alert: Alert? = nil) {
        guard let site = draft.site else { return nil }
        file = draft.inputs.file
        self.backup = backup
        changes = draft.changes.map { Change(key: $0.key, value: $0.value.toml) }
        location = .init(
            name: site.name, latitude: site.place.latitude, longitude: site.place.longitude,
            timezone: site.zone.name, approximate: false)
        calculation = .init(site)
        let own = draft.config.outputs.map { Output(name: $0.name, devices: $0.devices) }
        devices = own.first?.devices ?? draft.config.devices
        outputs = own.isEmpty ? nil : own
        volume = draft.volume ?? draft.proposedVolume
        self.alert = alert
        reloaded = result.reloaded
        message = result.message
        fix = result.fix
    }
}

/// `setup` for people, when it is done.
package enum SetupText {
    private static func sound(_ document: SetupDocument) -> String {
        let devices = { (names: [String]) in names.joined(separator: ", ") }
        return document.outputs?.map { "\($0.name) (\(devices($0.devices)))" }.joined(separator: ", ")
            ?? devices(document.devices)
    }

    package static func render(_ document: SetupDocument, _ style: Style) -> String {
        var text =
            document.changes.isEmpty
            ? "\(document.file) says all of this already.\n"
            : style("Saved in \(document.file).", .good) + "\n"
        let place = document.location
        let facts = [
            (
                "Place",
                "\(PlaceText.describe(place.name, place.latitude, place.longitude)), \(place.timezone)"
            ),
            (
                "Method",
                "\(document.calculation.method), Asr \(document.calculation.asr)"
                    + (document.calculation.highLatitude == HighLatitudeRule.auto.rawValue
                        ? "" : ", high latitude \(document.calculation.highLatitude)")
            ),
            ("Sound", "\(sound(document)), volume \(document.volume)"),
        ]
        var table = TextTable([.left, .left], indent: 2)
        for (name, value) in facts { table.add([.init(name, .faint), .init(value)]) }
        text += table.rendered(style)
        if let backup = document.backup {
            text += "What it was before is in \(backup); \"adhanctl setup --undo\" brings it back.\n"
        }
        text += ReloadResult.text(document.message, fix: document.fix)
        return text + (document.alert.map { ReloadResult.text($0.message, fix: $0.fix) } ?? "")
    }
}
