package import Places
package import PrayerEngine
package import Settings
package import Texts

/// Facts that `setup` collects before it asks anything.
package struct SetupInputs: Sendable {
    /// A device that may have a loudspeaker.
    package struct Device: Sendable, Equatable {
        /// ALSA's name for it: `hdmi:CARD=PCH,DEV=0`.
        package let name: String
        /// A description for people; may be empty.
        package let description: String

        package init(name: String, description: String) {
            self.name = name
            self.description = description
        }
    }

    package let gazetteer: Gazetteer
    /// The file that will be written, and its present text; `nil` where there is none yet.
    package let file: String
    package let text: [UInt8]?
    /// The meaning of ``text``; the embedded default where there is none.
    package let config: Config
    package let devices: [Device]
    package let systemZone: Zone
    /// The zone with a name; `nil` where the system does not have it.
    package let zone: @Sendable (String) -> Zone?
    /// The principal place of the system's zone; `nil` for a zone such as UTC.
    package let zonePlace: ZonePlace?
    package let now: Instant
    /// Whether a recording can be added on the way.
    package let acceptsRecordings: Bool
    /// Whether a timetable can be kept.
    package let acceptsTimetables: Bool
    /// The decisions for the place before.
    package let belongings: PlaceBelongings
    /// Whether a satellite receiver can be asked for the position.
    package let hasReceiver: Bool
    /// The possibilities to alert people about missed adhans.
    package let messages: SetupMessages
    /// The beginning of a new file: the commented example, where the system has it.
    package let template: [UInt8]?

    package init(
        gazetteer: Gazetteer, file: String, text: [UInt8]?, config: Config, devices: [Device],
        systemZone: Zone, zonePlace: ZonePlace?, now: Instant, acceptsRecordings: Bool,
        acceptsTimetables: Bool = false, belongings: PlaceBelongings = PlaceBelongings(),
        hasReceiver: Bool = false, messages: SetupMessages = .unavailable, template: [UInt8]? = nil,
        zone: @escaping @Sendable (String) -> Zone?
    ) {
        self.gazetteer = gazetteer
        self.file = file
        self.text = text
        self.config = config
        self.devices = devices
        self.systemZone = systemZone
        self.zonePlace = zonePlace
        self.now = now
        self.acceptsRecordings = acceptsRecordings
        self.acceptsTimetables = acceptsTimetables
        self.belongings = belongings
        self.hasReceiver = hasReceiver
        self.messages = messages
        self.template = template
        self.zone = zone
    }

    /// Whether clocks in two zones will show the same throughout the coming year, whatever the zones' names.
    package func areAlike(_ a: Zone, _ b: Zone) -> Bool {
        (0...53).allSatisfy { week in
            let instant = Instant(unixSeconds: now.unixSeconds + Double(week) * 7 * 86_400)
            return a.offset(at: instant) == b.offset(at: instant)
        }
    }
}
