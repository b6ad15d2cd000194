internal import Settings
package import Texts

/// `/etc/adhand/bridge.toml`: which broker, which alerts and where to, which heartbeats.
package struct BridgeConfig: Sendable, Equatable {
    /// The box's name for people; `nil`: its location.
    package var name: String?
    package var mqtt = MQTTSettings()
    package var fleet = FleetLinkSettings()
    package var commands = CommandSettings()
    package var homeAssistant = HomeAssistantSettings()
    package var alerts = AlertSettings()
    package var destinations: [AlertDestination] = []
    package var heartbeats: [HeartbeatTarget] = []
    package var prometheus = PrometheusSettings()

    package init() {}

    package static let systemFile = "/etc/adhand/bridge.toml"
}

package struct MQTTSettings: Sendable, Equatable {
    /// Tried in turn; none: no MQTT at all.
    package var brokers: [String] = []
    package var username: String?
    package var passwordFile: String?
    package var caFile = "/etc/ssl/certs/ca-certificates.crt"
    package var certificateFile: String?
    package var keyFile: String?
    package var prefix = "adhand"
    package var keepaliveSeconds = 60.0

    package var isOn: Bool { !brokers.isEmpty }
    package var addresses: [BrokerAddress] { brokers.compactMap { BrokerAddress($0) } }
}

/// `[fleet]`: the broker of the fleet, beside that of the house.
package struct FleetLinkSettings: Sendable, Equatable {
    /// Tried in turn; none: no fleet.
    package var brokers: [String] = []
    /// The user name; `nil`: the name of the box.
    package var username: String?
    package var passwordFile: String?
    /// The word of a card; the box makes its password itself.
    package var tokenFile: String?
    package var caFile = "/etc/ssl/certs/ca-certificates.crt"
    package var beatSeconds = 60.0

    package var isOn: Bool { !brokers.isEmpty }
    package var addresses: [BrokerAddress] { brokers.compactMap { BrokerAddress($0) } }
}

/// Commands that are accepted over MQTT: a second lock besides adhand's `[control.grants]`.
package struct CommandSettings: Sendable, Equatable {
    package var allowed: [BridgeCommandKind] = []
    /// No mute over MQTT is longer.
    package var maxMuteSeconds = 12 * 3600.0
}

package enum BridgeCommandKind: String, Sendable, CaseIterable, Codable {
    case mute, stop, prayers, test
}

package struct HomeAssistantSettings: Sendable, Equatable {
    package var isEnabled = true
    package var discoveryPrefix = "homeassistant"
    /// Seconds before an adhan at which the event `upcoming` comes.
    package var upcomingSeconds = 600.0
}

package struct AlertSettings: Sendable, Equatable {
    /// Between two reminders of what lasts; 0: none.
    package var repeatSeconds = 86_400.0
    /// Days before the timetable's end from which on there is an alert.
    package var timetableDays = 14
    /// Seconds for which a condition lasts before its alert begins, if different from ``AlertKind/after``.
    package var after: [AlertKind: Double] = [:]

    package func afterSeconds(_ kind: AlertKind) -> Double { after[kind] ?? kind.afterSeconds }
}

/// One `[[alert]]`: where alerts go.
package struct AlertDestination: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable { case webhook, mail, mqtt }
    package enum Format: String, Sendable, CaseIterable { case json, ntfy, slack, text }

    package var name = ""
    package var kind = Kind.webhook
    package var url: String?
    package var urlFile: String?
    /// Lines `Name: value`.
    package var headerFile: String?
    package var format = Format.json
    /// Empty: every kind.
    package var on: [AlertKind] = []
    package var to: [String] = []
    package var from: String?
    package var sendmail = "/usr/sbin/sendmail"

    package init() {}

    /// Whether alerts of a kind go there. An alert that no broker answers is not sent by MQTT.
    package func takes(_ kind: AlertKind) -> Bool {
        guard on.isEmpty || on.contains(kind) else { return false }
        return self.kind != .mqtt || kind != .mqtt
    }
}

/// One `[[heartbeat]]`: requested while adhand is right, and silent otherwise.
package struct HeartbeatTarget: Sendable, Equatable {
    package var name = ""
    package var url: String?
    package var urlFile: String?
    /// The address that is requested once when adhand stops being right; `nil`: the usual one with `/fail`.
    package var failURL: String?
    package var everySeconds = 60.0

    package init() {}
}

package struct PrometheusSettings: Sendable, Equatable {
    /// Empty: none.
    package var textfile = "/run/adhan-bridge/adhand.prom"
    /// On loopback; empty: none.
    package var listen = ""
}
