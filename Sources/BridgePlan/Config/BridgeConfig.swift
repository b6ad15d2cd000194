internal import Settings
package import Texts

/// `/etc/adhand/bridge.toml`: the broker, the alerts with their destinations, and the heartbeats.
package struct BridgeConfig: Sendable, Equatable {
    /// The box's name for people; `nil` for its location.
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

/// `[mqtt]`: the house's broker, and the connection with it.
package struct MQTTSettings: Sendable, Equatable {
    /// The brokers in the order in which they are tried; empty to use no MQTT.
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

/// `[fleet]`: the broker of the fleet, besides that of the house.
package struct FleetLinkSettings: Sendable, Equatable {
    /// The brokers in the order in which they are tried; empty for no fleet.
    package var brokers: [String] = []
    /// The user name; `nil` for the box's name.
    package var username: String?
    package var passwordFile: String?
    /// The file with a card's word, with which the box creates its password itself.
    package var tokenFile: String?
    package var caFile = "/etc/ssl/certs/ca-certificates.crt"
    package var beatSeconds = 60.0

    package var isOn: Bool { !brokers.isEmpty }
    package var addresses: [BrokerAddress] { brokers.compactMap { BrokerAddress($0) } }
}

/// Commands that are accepted over MQTT, in addition to the check by adhand's `[control.grants]`.
package struct CommandSettings: Sendable, Equatable {
    package var allowed: [BridgeCommandKind] = []
    /// The longest mute over MQTT.
    package var maxMuteSeconds = 12 * 3600.0
}

/// Kinds of commands that the broker's clients may be allowed.
package enum BridgeCommandKind: String, Sendable, CaseIterable, Codable {
    case mute, stop, prayers, test
}

/// `[homeassistant]`: the entities in Home Assistant.
package struct HomeAssistantSettings: Sendable, Equatable {
    package var isEnabled = true
    package var discoveryPrefix = "homeassistant"
    /// Seconds before an adhan at which the event `upcoming` is sent.
    package var upcomingSeconds = 600.0
}

/// `[alerts]`: when alerts begin and are repeated.
package struct AlertSettings: Sendable, Equatable {
    /// Seconds between two reminders of a lasting problem; 0 for none.
    package var repeatSeconds = 86_400.0
    /// Days before the timetable's end from which there is an alert.
    package var timetableDays = 14
    /// Seconds that a problem must last before its alert begins, if they differ from ``AlertKind/afterSeconds``.
    package var after: [AlertKind: Double] = [:]

    package func afterSeconds(_ kind: AlertKind) -> Double { after[kind] ?? kind.afterSeconds }
}

/// One `[[alert]]`: a destination for alerts.
package struct AlertDestination: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable { case webhook, mail, mqtt }
    package enum Format: String, Sendable, CaseIterable { case json, ntfy, slack, text }

    package var name = ""
    package var kind = Kind.webhook
    package var url: String?
    package var urlFile: String?
    /// A file with lines of the form `Name: value`.
    package var headerFile: String?
    package var format = Format.json
    /// The kinds of alerts; empty for all.
    package var on: [AlertKind] = []
    package var to: [String] = []
    package var from: String?
    package var sendmail = "/usr/sbin/sendmail"

    package init() {}

    /// Whether alerts of this kind are sent there. MQTT cannot carry the alert that no broker answers.
    package func accepts(_ kind: AlertKind) -> Bool {
        guard on.isEmpty || on.contains(kind) else { return false }
        return self.kind != .mqtt || kind != .mqtt
    }
}

/// One `[[heartbeat]]`: an address that is requested only while adhand is well.
package struct HeartbeatTarget: Sendable, Equatable {
    package var name = ""
    package var url: String?
    package var urlFile: String?
    /// The address that is requested once when adhand stops being well; `nil` for the usual one with `/fail`.
    package var failURL: String?
    package var everySeconds = 60.0

    package init() {}
}

/// `[prometheus]`: the places of the figures.
package struct PrometheusSettings: Sendable, Equatable {
    /// The file for figures; empty for none.
    package var textfile = "/run/adhan-bridge/adhand.prom"
    /// The address for figures on loopback; empty for none.
    package var listen = ""
}
