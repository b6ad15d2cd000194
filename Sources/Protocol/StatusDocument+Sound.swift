public import Texts

/// Playback and the health of the sound.
extension StatusDocument {
    /// The sound that plays, is about to, or is fading out.
    public struct Playback: Codable, Sendable, Equatable {
        /// The stages of a sound; `cued` is loaded and waits for its instant.
        public enum State: String, Codable, Sendable, CaseIterable {
            case idle, cued, playing, stopping
        }

        /// The stage; with `idle` all other fields are `null` or left out.
        public let state: State
        /// The announcement's identity as text, see ``AnnouncementID``; `null` while idle.
        @Nullable public var id: String?
        /// The prayer's name; `null` while idle, and for a `[[call]]`.
        @Nullable public var prayer: String?
        /// The names of the sounds, with ", " between several; `null` while idle.
        @Nullable public var sound: String?
        /// Seconds since it began, to a tenth; `null` before it begins.
        @Nullable public var positionSeconds: Double?
        /// Seconds of all its sounds, to a tenth; `null` where that is not known yet.
        @Nullable public var durationSeconds: Double?
        /// Whether the sound is audible; false while adhand looks for a device; omitted by an older adhand.
        public var audible: Bool?
        /// Why it is inaudible; omitted where all is well.
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

    /// The sound devices and their health.
    public struct Audio: Codable, Sendable, Equatable {
        /// The configured devices, the preferred one first; with several outputs, those of the first one.
        public let devices: [String]
        /// Whether one of `devices` opened at its last use or trial. False before the first.
        public let healthy: Bool
        /// Why the last use or trial failed, a sentence; `null` where it did not, or where there was none.
        @Nullable public var lastError: String?
        /// RFC 3339: when a device was last used or tried; `null` before the first time.
        @Nullable public var checkedAt: String?
        /// The device that was used or tried last; omitted by an older adhand.
        public var device: String?
        /// The last time at which sound was heard from it.
        public var heardAt: String?
        /// The outputs; omitted without configured outputs or quiet windows.
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

        /// Whether the last use or trial failed.
        public var hasFailed: Bool { !healthy && (checkedAt != nil || lastError != nil) }
    }
}
