import Announcements
package import PrayerEngine
package import Protocol
package import Settings
package import StateFile
package import Times

/// Everything that the daemon can do to the world. The shell performs the effects in order.
package enum Effect: Sendable {
    /// Replaces all wall-clock timers with these.
    case arm([ArmedTimer])
    /// Tries everything that playing this will need, without a sound, and comes back with ``Event/preflight(id:_:)``.
    case preflight(id: AnnouncementID, JobOrder)
    /// Opens the first of an output's devices that can be opened, without a sound, and comes back with
    /// ``Event/devicesTried(output:_:)``.
    case tryDevices(output: String, devices: [String])
    /// Makes a short inaudible tone on the first of an output's devices that opens, unless a sound is prepared or sounds there: a
    /// loudspeaker that falls asleep in silence stays awake. A failure comes back with ``Event/toneFailed(output:reason:)``.
    case keepAwake(output: String, devices: [String])
    /// Prepares a sound: opens the file, opens the device and fills its buffer.
    case cue(JobOrder)
    /// Starts a cued sound now; a sound that is not cued yet starts as soon as possible.
    case start(token: Int)
    /// Fades out and ends a sound on all its outputs, or drops a cued one: over each output's own fade-out, or within these
    /// seconds where that is longer. A sound that already fades also ends within them.
    case stop(token: Int, withinSeconds: Double)
    /// Fades out and ends a sound on one of its outputs, over that output's fade-out; the others are unaffected.
    case stopPart(token: Int, output: String)
    /// Drops a sound that was prepared on one of its outputs and has not begun there; the others are unaffected.
    case leaveOut(token: Int, output: String)
    /// Reports that the sound is heard on one output since that instant, which may be in the future by the output's silence and
    /// latency. An output that sounds, or that starts in time, continues as ordered. Any other joins at the clock's position as
    /// soon as it can, alone, and gives up at the sound's end.
    case setClock(token: Int, beganAt: Instant)
    /// Saves the state before any later effect.
    case save(SavedState)
    /// Appends these lines to the history, all at once, before the state that depends on them is saved.
    case record([HistoryEntry])
    case reply(RequestID, Reply)
    /// Answers with this document, which needs the history on disk.
    case replyWithHistory(RequestID, days: Int)
    /// Answers with the available sounds, which requires a look at the disk.
    case replyWithSounds(RequestID)
    /// Answers with a `CheckReply` about a file, or about the files of the next start.
    case check(RequestID, file: String?)
    /// Answers with doctor's verdicts on this status and on the shell's own facts, which requires a look at the disk.
    case replyWithHealth(RequestID, StatusDocument)
    /// Answers with these devices and those that the machine lists, each tried without a sound.
    case replyWithDevices(RequestID, named: [String])
    /// Checks whether the machine lists the device, and comes back with ``Event/deviceFound(_:isListed:)``.
    case findDevice(DeviceTest)
    /// Sends every event from now on; the status first, where there is one.
    case beginMonitor(RequestID, StatusDocument?)
    case publish(Notice)
    /// Keeps the texts of the configuration in force, unless they are already kept.
    case keep(KeptConfiguration)
    /// Reads the configuration and the zone again in the background; comes back with `inputsLoaded` or `configRejected`.
    case readInputs(InputsChange)
    /// Reads the timetable in the state directory, and comes back with `timetableRead`.
    case readTimetable(RequestID?)
    /// Resolves the configuration that results from a change of settings in the background, and comes back with `settingsTried`.
    case trySettings(SettingsTrial)
    /// Saves the settings, and comes back with `settingsSaved`.
    case saveSettings(SettingsLayer)
    /// Checks in the background whether this machine can use what a fleet sends, and comes back with `fleetTried`.
    case tryFleet(FleetTask)
    /// Tries everything that playing this will need, without a sound, and comes back with `fleetPreflight`.
    case fleetPreflight(FleetPreflight, JobOrder)
    /// Changes the timetable's file, and comes back with `timetableChanged`.
    case changeTimetable(FleetFileChange)
    /// Comes back with `envelopeSaved`: whether the state that was just saved is on disk.
    case reportSave
    case notifyService(ServiceState)
    /// Ends the process when everything is done.
    case exit
}

/// The state that systemd receives.
package enum ServiceState: Sendable, Equatable {
    case ready
    case reloading
    case stopping
    /// The text that `systemctl status` shows.
    case status(String)
}

/// A timer, and its purpose.
package struct ArmedTimer: Sendable, Hashable {
    package enum Purpose: Sendable, Hashable {
        /// An announcement is due.
        case announcement(id: AnnouncementID)
        /// An announcement is due for its preflight.
        case preflight(id: AnnouncementID)
        /// The sound of an announcement is to be prepared.
        case cue(id: AnnouncementID)
        /// A sound that still plays is to make room for an announcement.
        case giveWay(id: AnnouncementID)
        /// The day's plan is computed again at local midnight.
        case midnight
        case muteEnds
        /// The mute of one output ends.
        case outputMuteEnds(String)
        /// An output has not reported how its part ended.
        case partOverdue(id: AnnouncementID)
        /// The last of a sound that has left its devices has been heard.
        case heardToItsEnd(id: AnnouncementID)
        /// The clock has passed the latest known instant, and can be trusted.
        case clockKnown
        /// While something sounds, the state records that it still does.
        case alive
        /// Refusals that were counted are to be reported.
        case refusalLog
        /// Files that could not be read are to be read again.
        case readAgain
        /// A tone that keeps the loudspeaker awake is due, or is over.
        case keepAwake
        /// A waiting envelope can take effect.
        case envelope
    }

    package let purpose: Purpose
    package let at: Instant

    /// `asr_20261120`, `cue asr_20261120`, `midnight`: as `debug timers` shows it.
    package var name: String {
        switch purpose {
        case .announcement(let id): id.description
        case .preflight(let id): "preflight \(id)"
        case .cue(let id): "cue \(id)"
        case .giveWay(let id): "give way to \(id)"
        case .midnight: "midnight"
        case .muteEnds: "mute ends"
        case .outputMuteEnds(let output): "mute of \(output) ends"
        case .partOverdue(let id): "answers about \(id)"
        case .heardToItsEnd(let id): "\(id) is heard to its end"
        case .clockKnown: "clock can be trusted"
        case .alive: "alive"
        case .refusalLog: "refusals are reported"
        case .readAgain: "files are read again"
        case .keepAwake: "keep awake"
        case .envelope: "an envelope can take effect"
        }
    }
}
