// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The property names are Home Assistant's.
import Protocol
import Texts

/// The description of this box for Home Assistant: one device with its entities.
package struct Discovery: Encodable, Sendable, Equatable {
    package struct Device: Encodable, Sendable, Equatable {
        let identifiers: [String]
        let name: String
        let manufacturer = "adhand"
        let model = "adhand"
        let sw_version: String
    }

    package struct Origin: Encodable, Sendable, Equatable {
        let name = "adhan-bridge"
        let sw_version: String
    }

    package struct Availability: Encodable, Sendable, Equatable {
        let topic: String
        let payload_available: String
        let payload_not_available: String
    }

    /// One entity. Keys that a platform lacks are omitted.
    package struct Component: Encodable, Sendable, Equatable {
        package let platform: String
        package let unique_id: String
        package let name: String
        package var device_class: String?
        package var icon: String?
        package var state_topic: String?
        package var value_template: String?
        package var options: [String]?
        package var json_attributes_topic: String?
        package var command_topic: String?
        package var payload_on: String?
        package var payload_off: String?
        package var state_on: String?
        package var state_off: String?
        package var payload_press: String?
        package var event_types: [String]?
        package var entity_category: String?
        package var qos: Int?
        package var latest_version_topic: String?
        package var latest_version_template: String?

        init(_ platform: String, _ name: String, id: String) {
            (self.platform, self.name, unique_id) = (platform, name, id)
        }
    }

    package let device: Device
    package let origin: Origin
    package let availability: [Availability]
    package let availability_mode = "all"
    package private(set) var components: [String: Component] = [:]

    package init(
        _ box: BoxSnapshot, _ topics: Topics, _ config: BridgeConfig, programVersion: String,
        isFlashed: Bool = false
    ) {
        device = Device(
            identifiers: ["adhand_\(topics.box)"], name: config.name ?? box.name,
            sw_version: box.status.version)
        origin = Origin(sw_version: programVersion)
        availability = [
            Availability(topic: topics.status, payload_available: "online", payload_not_available: "offline"),
            Availability(topic: topics.daemon, payload_available: "up", payload_not_available: "down"),
        ]
        addPrayers(topics)
        addTimes(box, topics)
        addState(topics)
        addControls(topics, config.commands.allowed)
        if isFlashed { addUpdate(topics) }
    }

    /// Adds the running layer of a flashed box and that of its next restart. There is no command to install it, because a box
    /// restarts when nothing is due.
    private mutating func addUpdate(_ topics: Topics) {
        add("update", "update", "Update", topics) {
            $0.state_topic = topics.state
            $0.value_template = "{{ value_json.update.installed }}"
            $0.latest_version_topic = topics.state
            $0.latest_version_template = "{{ value_json.update.prepared or value_json.update.installed }}"
            $0.entity_category = "diagnostic"
        }
    }

    private mutating func add(
        _ key: String, _ platform: String, _ name: String, _ topics: Topics, _ set: (inout Component) -> Void
    ) {
        var component = Component(platform, name, id: "adhand_\(topics.box)_\(key)")
        set(&component)
        components[key] = component
    }

    private mutating func addPrayers(_ topics: Topics) {
        for (key, name) in [("next", "Next prayer"), ("last", "Last prayer")] {
            add("\(key)_prayer", "sensor", name, topics) {
                $0.device_class = "enum"
                $0.options = Prayer.allCases.map(\.rawValue)
                $0.state_topic = topics.state
                $0.value_template = "{{ value_json.\(key).prayer if value_json.\(key) else None }}"
            }
            add("\(key)_prayer_time", "sensor", "\(name) time", topics) {
                $0.device_class = "timestamp"
                $0.state_topic = topics.state
                $0.value_template = "{{ value_json.\(key).at if value_json.\(key) else None }}"
            }
        }
        add("mute_until", "sensor", "Muted until", topics) {
            $0.device_class = "timestamp"
            $0.state_topic = topics.state
            $0.value_template = "{{ value_json.muteUntil }}"
        }
    }

    /// Adds the times of the current day. Jumu'ah only has a time on Fridays.
    private mutating func addTimes(_ box: BoxSnapshot, _ topics: Topics) {
        // Some days lack an entry, and Home Assistant would log a warning for each missing key.
        func timestamp(_ key: String, _ name: String, of map: String, _ entry: String) {
            add(key, "sensor", name, topics) {
                $0.device_class = "timestamp"
                $0.state_topic = topics.times
                $0.value_template = "{{ value_json.\(map).get('\(entry)') }}"
            }
        }
        let off = Set((box.status.switchedOff ?? []).filter { $0.occasion == nil }.map(\.prayer))
        for prayer in Prayer.allCases where prayer != .jumua || !off.contains(prayer.rawValue) {
            timestamp("\(prayer.rawValue)_time", prayer.title, of: "prayers", prayer.rawValue)
        }
        timestamp("sunrise_time", "Sunrise", of: "prayers", "sunrise")
        let iqamas = Set(box.agenda.filter { $0.kind == .iqama }.compactMap(\.prayer))
        for prayer in Prayer.allCases
        where iqamas.contains(prayer.rawValue) || prayer == .jumua && !iqamas.isEmpty {
            timestamp("\(prayer.rawValue)_iqama", "\(prayer.title) iqama", of: "iqama", prayer.rawValue)
        }
    }

    private mutating func addState(_ topics: Topics) {
        add("state", "sensor", "State", topics) {
            $0.device_class = "enum"
            $0.options = StatusDocument.Playback.State.allCases.map(\.rawValue)
            $0.state_topic = topics.state
            $0.value_template = "{{ value_json.state }}"
        }
        add("problem", "binary_sensor", "Problem", topics) {
            $0.device_class = "problem"
            $0.state_topic = topics.problems
            $0.value_template = "{{ 'ON' if value_json.open else 'OFF' }}"
            ($0.payload_on, $0.payload_off) = ("ON", "OFF")
            $0.json_attributes_topic = topics.problems
            $0.entity_category = "diagnostic"
        }
        add("adhan", "event", "Adhan", topics) {
            $0.icon = "mdi:mosque"
            $0.state_topic = topics.event
            $0.event_types = EventType.allCases.map(\.rawValue)
            $0.qos = Publication.qos
        }
    }

    /// Adds controls for the allowed commands.
    private mutating func addControls(_ topics: Topics, _ allowed: [BridgeCommandKind]) {
        func toggle(_ key: String, _ name: String, _ command: String, _ value: String) {
            add(key, "switch", name, topics) {
                $0.command_topic = topics.command(command)
                ($0.payload_on, $0.payload_off) = ("on", "off")
                ($0.state_on, $0.state_off) = ("on", "off")
                $0.state_topic = topics.state
                $0.value_template = "{{ 'on' if \(value) else 'off' }}"
            }
        }
        if allowed.contains(.mute) { toggle("mute", "Mute", "mute", "value_json.muted") }
        if allowed.contains(.prayers) {
            for prayer in Prayer.allCases {
                let name = prayer.rawValue
                toggle(
                    "enable_\(name)", "Call \(prayer.title)", "prayers/\(name)",
                    "value_json.enabled.get('\(name)')")
            }
        }
        for (kind, key, name) in [(BridgeCommandKind.stop, "stop", "Stop"), (.test, "test", "Test")]
        where allowed.contains(kind) {
            add(key, "button", name, topics) {
                $0.command_topic = topics.command(key)
                $0.payload_press = "press"
            }
        }
    }
}
