import PrayerEngine
import StateFile

/// The disk of the saved state, as its last answers show it.
package struct DiskRecord: Sendable {
    /// Why the state cannot be saved; `nil` when it can.
    package internal(set) var problem: String?
    /// Since when it cannot be saved; `nil` where only an untrusted clock could tell.
    var problemSince: Instant?
    /// The state as last handed to the disk.
    var persisted: SavedState?
}
