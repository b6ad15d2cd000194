/// The description of the control interface, for callers and their tools.
extension Varlink {
    static let controlDescription = """
        # Controls a daemon that calls the adhan. Anyone may call Get… and Monitor; root, the daemon's own user and the
        # members of its control group may call the rest, and a user of [control.grants] what is granted there, as a household.
        interface org.adhand.Control

        type Location (name: string, latitude: float, longitude: float, timezone: string, approximate: bool)
        type Calculation (
          method: string, asr: string, highLatitude: string, methodChosenBy: ?(place, configuration, option),
          methodPlace: ?string, methodNeighbour: ?MethodNeighbour, methodBefore: ?MethodBefore,
          hijriCalendar: ?string, hijriCalendarChosenBy: ?(place, configuration, option), hijriCalendarBefore: ?string,
          hijriAdjustment: ?int
        )
        # Who chose the method; for "place" the town whose country's practice it is, a country that is as near with its method, and
        # what an earlier version of adhand took while nobody has confirmed it. hijriCalendar: whose months the calendar has.
        # hijriAdjustment: days added to it.
        type MethodBefore (method: string, asr: string, highLatitude: ?string)
        type MethodNeighbour (country: string, method: string)
        type Clock (synchronized: bool, trusted: bool, seen: ?string)
        # Of a mute of one adhan, id and at name that adhan. It is not active, and obstacle says why, while that adhan
        # would not be called anyway; no other is silent in its place. by: who muted, where that is known.
        type MuteState (
          active: bool, until: ?string, scope: ?string, id: ?string, at: ?string,
          obstacle: ?(skipped, disabled, missing), by: ?string
        )
        # Where an instant comes from.
        type Source (computed, published, rule, exception)
        type Next (
          id: string, prayer: string, at: string, inSeconds: float, source: ?Source, outputs: ?[]OutputPlan
        )
        # What will sound where, windows of [[quiet]] considered. quiet: the window's name that made the volume; 0 is silence.
        type OutputPlan (name: string, volume: int, quiet: ?string)
        # outputs, here and of Next: only where the configuration has outputs or a quiet window; empty where no output plays it.
        type PrayerState (
          id: ?string, prayer: string, at: string, enabled: bool, sound: []string, volume: int, state: string,
          source: ?Source, outputs: ?[]OutputPlan
        )
        # audible: false while nothing is heard of what plays, because adhand looks for a device; problem says why.
        type Playback (
          state: (idle, cued, playing, stopping),
          id: ?string, prayer: ?string, sound: ?string, positionSeconds: ?float, durationSeconds: ?float,
          audible: ?bool, problem: ?string
        )
        # An output as it stands. healthy: one of its devices opened at its last use or trial. stuck: it did not answer, and has said
        # nothing since. quiet, quietUntil: the window, or "mute", that silences an adhan there now.
        type OutputState (
          name: string, devices: []string, healthy: bool, required: bool, state: (idle, cued, playing, stopping, stuck),
          device: ?string, lastError: ?string, checkedAt: ?string, quiet: ?string, quietUntil: ?string
        )
        # Of several outputs devices are the first one's, and healthy says that all required ones are. outputs: only where the
        # configuration has outputs or a quiet window.
        type Audio (
          devices: []string, healthy: bool, lastError: ?string, checkedAt: ?string, device: ?string, heardAt: ?string,
          outputs: ?[]OutputState
        )
        type Timer (id: string, at: string)
        # awaiting: what has to come before anything is called.
        type Status (
          version: string, now: string, startedAt: string, configuration: string,
          configurationLookedFor: ?[]string, location: Location,
          calculation: Calculation, clock: Clock, mute: MuteState, next: ?Next, prayers: []PrayerState,
          playback: Playback, audio: Audio, timers: []Timer,
          configurationProblem: ?ConfigurationProblem, stateProblem: ?string, stateLoss: ?StateLoss, stateDirectory: ?string,
          audioDirectory: ?string, timetable: ?Timetable, switchedOff: ?[]SwitchedOff, zoneProblem: ?Problem,
          placeProblem: ?Problem, skips: ?[]Skip, zoneWarning: ?Problem,
          exceptionProblem: ?ExceptionProblem, internalProblem: ?Problem, settingsProblem: ?Problem,
          problems: ?[]StatusProblem, awaiting: ?(place, clock)
        )
        # What is wrong now. since: of missed and failed the adhan's own instant; null where only a clock that cannot be trusted
        # could tell. unknown: a later version wrote it.
        type StatusProblem (
          kind: (missed, failed, partial, inaudible, device, clock, place, timetable, configuration, disk, unknown),
          severity: (problem, warning), since: ?string, message: string, fix: ?string
        )
        # A prayer that is switched off, by "disable" or in the configuration, or that has no sound, whatever day it is.
        # occasion: what goes with the prayer and has no sound (reminder, iqama, wake, imsak, takbirat), and not its adhan.
        type SwitchedOff (
          prayer: string, slot: ?int, how: (command, configuration, volume, sound), occasion: ?string
        )
        # The mosque's published times: how many days, which events of today, what is called on days without a row, what is
        # amiss with it, whether it can hardly be meant for this place, the place for which it was imported where that is another
        # one, and why the one on disk is not in force.
        type Timetable (
          days: int, everyYear: int, first: ?string, last: ?string, published: []string,
          missing: (compute, silent), isSilent: ?bool, warning: ?string, mismatch: ?(sun, elsewhere),
          importedFor: ?string, problem: ?string
        )
        # The first time set by hand that can hardly be meant for this place.
        type ExceptionProblem (date: string, prayer: string, message: string, fix: string)
        # A prayer of one day that is not called; at is left out of days that are far.
        type Skip (date: string, prayer: string, at: ?string)
        # What is wrong with the configuration on disk while an older one is in force.
        type ConfigurationProblem (file: string, line: int, column: int, message: string, fix: ?string, cause: ?string)
        # The state on disk was lost at a start: that is reported until somebody reloads and gets an answer. restored: what was
        # decided by hand came back from its copy.
        type StateLoss (
          cause: (gone, damaged, unreadable), at: string, restored: bool, message: string, fix: string
        )
        # What is wrong with the machine's time zone ("unreadable") or with the place: "no-place", or "approximate" on a box that
        # does not call for a place that nobody named. Nothing is called while there is a problem with the place.
        # A warning of the zone files: "outdated" where a change of this zone is not in them, "old" where they are older than a year.
        # settingsProblem: what was set by command could not be read at a start ("damaged").
        # internalProblem: a contradiction in the daemon's own state, which is a mistake in adhand; it goes on calling.
        type Problem (code: string, message: string, fix: ?string)
        type TimesLocation (
          name: string, latitude: float, longitude: float, elevation: float, townElevation: ?float, timezone: string,
          approximate: bool
        )
        type TimesCalculation (
          method: string, asr: string, highLatitude: string, rounding: string, midnight: string,
          methodChosenBy: ?(place, configuration, option), methodPlace: ?string, methodNeighbour: ?MethodNeighbour,
          hijriCalendar: ?string, hijriCalendarChosenBy: ?(place, configuration, option)
        )
        type Hijri (year: int, month: int, day: int, text: string)
        type FridayTimes (slot: int, adhan: ?string, khutba: ?string, prayer: ?string)
        # published, exceptions: the events that come from the timetable, and those that were set by hand. These and what
        # follows them are left out where there is nothing but the computation. off: the prayers of the day that are switched
        # off; skipped: those that are skipped on this day alone; both left out where there is none.
        type Day (
          date: string, hijri: Hijri, events: [string]?string, notes: [string]string, published: ?[]string,
          exceptions: ?[]string, iqama: ?[string]string, jumua: ?[]FridayTimes, off: ?[]string,
          skipped: ?[]string, prayers: ?[]string
        )
        # kind: adhan, iqama, khutba, reminder, imsak, iftar, wake, takbirat, sunrise, eid, tarawih, qiyam or call.
        # source: where the instant comes from. prayer and slot are null for what belongs to no prayer; sounds are empty
        # for what is only shown. state: a prayer's state; unknown for what is past and nothing is known about; passed for
        # what is only shown. outputs: of what is announced, and only where the configuration has outputs or a quiet window.
        type Occasion (
          id: string, kind: string, prayer: ?string, slot: ?int, at: string,
          source: Source, sounds: []string, enabled: bool, state: string,
          outputs: ?[]OutputPlan
        )
        type Times (location: TimesLocation, calculation: TimesCalculation, days: []Day, zoneWarning: ?Problem)
        # What became of an announcement on one output.
        type OutputProof (
          name: string, outcome: (played, failed, interrupted, quiet), volume: int, quiet: ?string, started: ?string,
          latenessMs: ?float, device: ?string, rate: ?int, framesDecoded: int, framesPlayed: int, dropouts: int,
          gainDb: ?float, reason: ?string
        )
        # quiet: the quiet window that silenced it or made it quieter. outputs: only where the configuration has outputs or a quiet
        # window; device, rate, started and the rest are then those of the first that sounded.
        type Announcement (
          id: string, prayer: string, scheduled: string, started: ?string, latenessMs: ?float, outcome: string,
          reason: ?string, endedBy: ?string, cause: ?EndCause, gaveWayTo: ?string, sound: []string, device: ?string,
          rate: ?int, framesDecoded: int, framesPlayed: int, dropouts: int, gainDb: ?float, source: ?Source,
          quiet: ?string, outputs: ?[]OutputProof
        )
        # partial: heard, but not on every output; left out where there is none and the configuration has neither outputs nor a quiet window.
        type History (
          days: int, due: int, played: int, partial: ?int, announcements: []Announcement, omitted: ?int
        )
        # actor, user: for whom something was changed, as the caller says, and the caller's user. change, setting: of a setting.
        # output: whose part of a sound it is about.
        type Event (
          at: string, event: string, level: string, message: string, id: ?string, prayer: ?string,
          scheduled: ?string, latenessMs: ?float, durationMs: ?float, frames: ?int, dropouts: ?int,
          device: ?string, reason: ?string, cause: ?EndCause, actor: ?string, user: ?string, change: ?int, setting: ?string,
          output: ?string
        )
        # Why what sounded ended: toggle: its prayer was switched off or skipped; announcement: another was due; left out where
        # nothing sounded; unknown: a later version wrote it.
        type EndCause (end, stop, mute, toggle, announcement, device, shutdown, unknown)

        # Times are HH:MM.
        type Exception (date: string, prayer: string, adhan: ?string, iqama: ?string, reason: ?string)
        # date: the civil day of the month's first daylight. inForce: false where the configuration says otherwise.
        type HijriPin (
          month: string, name: string, date: string, source: (configuration, command), inForce: bool
        )
        type CheckProblem (
          kind: (configuration, lost, place, zone, access, sound, device, times), severity: (problem, warning), message: string, fix: ?string,
          file: ?string, line: ?int, column: ?int, key: ?string
        )
        # description: for people; only of GetDevices, as is "untried".
        type CheckedDevice (
          name: string, description: ?string, state: (opens, busy, fails, hangs, untried), reason: ?string,
          silence: ?string, silenceReason: ?string, silenceFix: ?string, needsServer: ?bool)
        type CheckedSound (
          sound: string, prayers: []string, reminder: bool, occasion: ?string, path: ?string, shipped: bool,
          state: (decodes, doubtful, broken, missing, unreadable, unread), seconds: ?float, reason: ?string
        )
        # A verdict of doctor: ok; warning, where the adhan is called but may fail; problem, where one was or will not be called, or
        # comes at a wrong time. fix: the command that mends it. output: of a verdict on one output that the configuration names.
        type HealthCheck (name: string, verdict: (ok, warning, problem), message: string, fix: ?string, output: ?string)
        type SettingPlace (file: string, line: int)
        # by, at: of one that was set by command.
        type CheckedSetting (
          key: string, value: string, file: string, line: int, overridden: []SettingPlace, by: ?string, at: ?string
        )
        type Check (
          file: string, valid: bool, usable: bool, view: (daemon, service, own, text), user: string,
          problems: []CheckProblem, files: []string, settings: []CheckedSetting, location: ?Location, calculation: ?Calculation, devices: []CheckedDevice,
          untried: ?string, sounds: []CheckedSound
        )

        # One file of a sound: for one prayer, or for every prayer that has none of its own.
        type SoundFile (
          file: string, prayer: ?string, rate: ?int, channels: ?int, durationSeconds: ?float, loudnessLufs: ?float,
          truePeakDb: ?float, gainDb: ?float, problem: ?string
        )
        # usedBy: the configuration's keys that play one of its files.
        type Sound (name: string, origin: (added, shipped), files: []SoundFile, usedBy: []string)

        # value as TOML writes it; null takes the setting away.
        type SettingChange (key: string, value: ?string)
        # A setting is in force unless a file pins its key, a file was changed after it was set, the whole would not be valid with
        # it, or this version does not understand it. by: whom it was set for; user: whose program set it.
        type Setting (
          key: string, value: string, state: (set, pinned, superseded, invalid, unknown), default: string,
          inForce: string, by: string, user: string, at: string, change: int, file: ?string, line: ?int,
          reason: ?string
        )
        # allowed completes "it must be …". pinned: the name in [control] pinned that keeps it from being set.
        # file: the one that sets it.
        type SettableKey (
          key: string, kind: string, allowed: string, role: Role, pinned: ?string, inForce: ?string,
          file: ?string
        )
        type Step (key: string, before: ?string, after: ?string)
        type Change (change: int, at: string, by: string, user: string, undoes: ?int, steps: []Step)

        # The newest envelope of each kind. state: scheduled, trial, confirmed, reverted or refused. reason: why it was refused or
        # reverted. at: of one that is scheduled, when it takes effect. signing: the public key that signs.
        type Applied (kind: string, seq: int, digest: string, state: string, reason: ?string, at: string)
        type Fleet (org: string, groups: []string, signing: string, applied: []Applied)

        # A caller that changes something may say for whom: actor is logged beside the caller's user, and role only reduces
        # what the caller may do.
        type Role (household, keeper, fresh)

        \(ControlMethod.all.map(\.description).joined(separator: "\n"))

        error UnknownPrayer (prayer: string, allowed: []string)
        # role: the lowest that may, where the caller acts for somebody of a lower one; else empty.
        error NotPermitted (needed: string, role: string)
        error InvalidTime (value: string, reason: string)
        error SoundNotFound (sound: string)
        error SoundUnusable (sound: string, reason: string)
        error AudioUnavailable (device: string, reason: string)
        error NothingPlaying ()
        error Busy (playing: string)
        # until: when the window ends; empty if that is more than a year ahead.
        error Quiet (window: string, until: string)
        error UnknownOutput (output: string, allowed: []string)
        error DebugDisabled ()
        error ConfigurationInvalid (file: string, line: int, column: int, reason: string)
        # done: the change is in force until the next restart. Otherwise it has no effect.
        error StateNotSaved (reason: string, done: bool)
        error HistoryUnreadable (reason: string)
        # The timetable on disk cannot be used; the one before stays in force.
        error TimetableInvalid (reason: string)
        # There is no such thing to remove.
        error NothingSet (reason: string)
        error UnknownSetting (key: string, near: ?string)
        error SettingInvalid (key: string, value: string, reason: string)
        error SettingPinned (key: string, file: string, line: int)
        # One of the keys was changed since the change that the caller expected.
        error SettingConflict (key: string, change: int, by: string)
        # reason: malformed, type, unknown-key, signature, foreign, clock, too-early, expired, older, reverted-before or invalid.
        error EnvelopeRefused (reason: string, detail: string)

        """
}
