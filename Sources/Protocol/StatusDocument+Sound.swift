package import Texts

/// The playback and the health of the sound.
extension StatusDocument {
    package struct Playback: Codable, Sendable, Equatable {
        package enum State: String, Codable, Sendable, CaseIterable {
            case idle, cued, playing, stopping
        }

        package let state: State
        @Nullable package var id: String?
        @Nullable package var prayer: String?
        @Nullable package var sound: String?
        @Nullable package var positionSeconds: Double?
        @Nullable package var durationSeconds: Double?
        /// False while something plays of which nothing is heard, because adhand looks for a device; an older adhand does not say.
        package var audible: Bool?
        /// Why that is so; left out where all is well.
        package var problem: String?

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

    package struct Audio: Codable, Sendable, Equatable {
        package let devices: [String]
        /// Whether one of `devices` opened when it was last used or tried. False as long as nobody has looked.
        package let healthy: Bool
        @Nullable package var lastError: String?
        @Nullable package var checkedAt: String?
        /// The device that was used or tried last; an older adhand does not say.
        package var device: String?
        /// When something was last heard from it.
        package var heardAt: String?

        package init(
            devices: [String], healthy: Bool, lastError: String? = nil, checkedAt: String? = nil,
            device: String? = nil, heardAt: String? = nil
        ) {
            self.devices = devices
            self.healthy = healthy
            self.lastError = lastError
            self.checkedAt = checkedAt
            self.device = device
            self.heardAt = heardAt
        }

        /// Whether somebody looked, and it was not well.
        package var hasFailed: Bool { !healthy && (checkedAt != nil || lastError != nil) }
    }
}
