public import Texts

/// The playback and the health of the sound.
extension StatusDocument {
    public struct Playback: Codable, Sendable, Equatable {
        public enum State: String, Codable, Sendable, CaseIterable {
            case idle, cued, playing, stopping
        }

        public let state: State
        @Nullable public var id: String?
        @Nullable public var prayer: String?
        @Nullable public var sound: String?
        @Nullable public var positionSeconds: Double?
        @Nullable public var durationSeconds: Double?
        /// False while something plays of which nothing is heard, because adhand looks for a device; an older adhand does not say.
        public var audible: Bool?
        /// Why that is so; left out where all is well.
        public var problem: String?

        package init(
            state: State, id: String? = nil, prayer: String? = nil, sound: String? = nil,
            positionSeconds: Double? = nil, durationSeconds: Double? = nil, audible: Bool? = nil,
            problem: String? = nil
        ) {
            self.state = state
            self.id = id
            self.prayer = prayer
            self.sound = sound
            self.positionSeconds = positionSeconds
            self.durationSeconds = durationSeconds
            self.audible = audible
            self.problem = problem
        }
    }

    public struct Audio: Codable, Sendable, Equatable {
        public let devices: [String]
        /// Whether one of `devices` opened at its last use or trial. False before the first.
        public let healthy: Bool
        @Nullable public var lastError: String?
        @Nullable public var checkedAt: String?
        /// The device that was used or tried last; an older adhand does not say.
        public var device: String?
        /// When something was last heard from it.
        public var heardAt: String?
        /// Each output; left out where the configuration has neither outputs nor quiet windows.
        public var outputs: [OutputState]?

        package init(
            devices: [String], healthy: Bool, lastError: String? = nil, checkedAt: String? = nil,
            device: String? = nil, heardAt: String? = nil, outputs: [OutputState]? = nil
        ) {
            self.outputs = outputs
            self.devices = devices
            self.healthy = healthy
            self.lastError = lastError
            self.checkedAt = checkedAt
            self.device = device
            self.heardAt = heardAt
        }

        /// Whether somebody looked, and it was not well.
        public var hasFailed: Bool { !healthy && (checkedAt != nil || lastError != nil) }
    }
}
