import Announcements
package import PrayerEngine
package import Protocol
package import Settings
package import Times

/// Everything that the daemon can do to the world. The shell performs them in order.
package enum Effect: Sendable {
    /// Replaces all wall-clock timers by these.
    case arm([ArmedTimer])
    /// Tries everything that playing this will need, without a sound, and comes back with ``Event/preflight(id:_:)``.
    case preflight(id: AnnouncementID, JobOrder)
    /// Opens the first of an output's devices that will have it, without a sound, and comes back with
    /// ``Event/devicesTried(output:_:)``.
    case tryDevices(output: String, devices: [String])
    /// Makes a short tone that nobody hears on the first of an output's devices that opens, unless a sound is prepared or sounds
    /// there: a loudspeaker that falls asleep in silence stays awake. A failure comes back with
    /// ``Event/toneFailed(output:reason:)``.
    case keepAwake(output: String, devices: [String])
    /// Prepares a sound: file opened, device opened and filled.
    case cue(JobOrder)
    /// Starts a cued sound now; one that is not cued yet starts as soon as it can.
    case start(token: Int)
    /// Fades out and ends a sound on all its outputs, or drops a cued one: over each output's own fade-out, or within these seconds
    /// where that is longer. One that fades already is over within them as well.
    case stop(token: Int, withinSeconds: Double)
    /// Fades out and ends a sound on one of its outputs, over that one's own fade-out; the others know nothing of it.
    case stopPart(token: Int, output: String)
    /// Drops what was prepared on one of its outputs and has not begun there; the others know nothing of it.
    case leaveOut(token: Int, output: String)
    /// The sound is heard on one output since that instant, which may be ahead by the output's silence and latency. An output that
    /// sounds, or that starts in time, goes on as ordered. Any other joins at the clock's position as soon as it can, alone, and
    /// gives up at the sound's end.
    case setClock(token: Int, beganAt: Instant)
    /// Keeps the state on disk before anything that follows.
    case save(SavedState)
    /// Adds these lines to the history, all at once, before the state that rests on them is saved.
    case record([HistoryEntry])
    case reply(RequestID, Reply)
    /// Answers with this document, which needs the history on disk.
    case replyWithHistory(RequestID, days: Int)
    /// Answers with the sounds that are there, which takes a look at the disk.
    case replyWithSounds(RequestID)
    /// Answers with a `CheckReply` about a file, or about the files of the next start.
    case check(RequestID, file: String?)
    /// Answers with doctor's verdicts on this status and on what the shell knows besides, which takes a look at the disk.
    case replyWithHealth(RequestID, StatusDocument)
    /// Answers with the devices that the machine lists and these, each tried without a sound.
    case replyWithDevices(RequestID, named: [String])
    /// Looks whether the machine lists the device, and comes back with ``Event/deviceFound(_:isListed:)``.
    case findDevice(DeviceTest)
    /// Tells every event from now on; first of all the status, where there is one.
    case beginMonitor(RequestID, StatusDocument?)
    case publish(Notice)
    /// Keeps the texts of the configuration in force, unless they are kept already.
    case keep(KeptConfiguration)
    /// Reads the configuration and the machine's zone again, beside everything else, and comes back with `inputsLoaded` or
    /// `configRejected`.
    case readInputs(InputsChange)
    /// Reads the timetable in the state directory, and comes back with `timetableRead`.
    case readTimetable(RequestID?)
    /// Resolves the configuration that a change of settings leads to, beside everything else, and comes back with `settingsTried`.
    case trySettings(SettingsTrial)
    /// Keeps the settings on disk, and comes back with `settingsSaved`.
    case saveSettings(SettingsLayer)
    /// Looks whether this machine can use what a fleet wants, beside everything else, and comes back with `fleetTried`.
    case tryFleet(FleetTask)
    /// Tries everything that playing this will need, without a sound, and comes back with `fleetPreflight`.
    case fleetPreflight(FleetPreflight, JobOrder)
    /// Changes the timetable's file, and comes back with `timetableChanged`.
    case changeTimetable(FleetFileChange)
    /// Comes back with `envelopeSaved`: whether the state that was saved just before is on the disk.
    case reportSave
    case notifyService(ServiceState)
    /// Ends the process: everything is done.
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

/// One wall-clock timer.
package struct ArmedTimer: Sendable, Hashable {
    package enum Purpose: Sendable, Hashable {
        /// An announcement is due.
        case announcement(id: AnnouncementID)
        /// It is to be tried out without a sound.
        case preflight(id: AnnouncementID)
        /// Its sound is to be prepared.
        case cue(id: AnnouncementID)
        /// A sound that plays on is to make room for it.
        case giveWay(id: AnnouncementID)
        /// The day's plan is made again at local midnight.
        case midnight
        case muteEnds
        /// Of one output.
        case outputMuteEnds(String)
        /// An output has not said how its part ended.
        case partOverdue(id: AnnouncementID)
        /// The last of a sound that has left its devices is heard.
        case heardToItsEnd(id: AnnouncementID)
        /// The clock has passed what is known to be past, and can be trusted.
        case clockKnown
        /// While something sounds: the state notes that it still does.
        case alive
        /// Refusals that were counted are reported.
        case refusalLog
        /// Files that could not be read are looked at again.
        case readAgain
        /// A tone is due that keeps the loudspeaker awake, or is over.
        case keepAwake
        /// An envelope that waits can take effect.
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
