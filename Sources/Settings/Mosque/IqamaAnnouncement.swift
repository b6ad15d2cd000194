/// The announcement of a congregation.
package struct IqamaAnnouncement: Sendable, Equatable {
    /// The sound, as for an adhan; `silent` shows the time and makes no sound.
    package var sound: RotatingSound = "silent"
    /// Percent of perceived loudness, 0...100.
    package var volumePercent = 80
    /// Seconds before it, in the order of the file, each 1...21600, all different.
    package var reminderSeconds: [Double] = []
    package var reminderSound: RotatingSound = "signal"

    package init() {}
}
