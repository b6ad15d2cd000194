/// The settings in files: their values, and the limits of changes by command.
package struct LayerFiles: Sendable, Equatable {
    /// Each key that a file sets.
    package let settings: [String: ConfigSetting]
    /// Keys and tables that commands cannot change.
    package let pins: [String]
    /// The place of the list of pins.
    private let pinned: ConfigSetting.Place
    package let loudest: Int
    package let household: HouseholdRights

    package init(_ files: EffectiveConfig, display: [ConfigSetting] = []) {
        let named = display.map { $0.named("\(SettableKey.Home.displayTable).\($0.key)") }
        settings = Dictionary((files.settings + named).map { ($0.key, $0) }) { $1 }
        pins = files.config.control.pinned
        loudest = files.config.control.loudestPercent
        household = files.config.control.household
        let setting = settings["control.pinned"]
        pinned = .init(file: setting?.file ?? "", line: setting?.line ?? 0)
    }

    /// The pin that covers a key, with its place.
    package func pin(of key: String) -> (name: String, place: ConfigSetting.Place)? {
        pins.pin(of: key).map { ($0, pinned) }
    }

    /// Why a volume is too loud to be set by command; `nil` where it is not.
    func excess(_ value: SettingValue, of key: SettableKey) -> String? {
        guard key.isVolume, let volume = value.integer, volume > loudest else { return nil }
        return "\(volume) is above \(loudest), the loudest that [control] loudest lets commands set"
    }
}
