/// The signature of one Varlink method: its name, the type of its parameters and the type of its answer. A caller passes it to the
/// client, `client.call(.mute, MuteParameters(duration: "2h"))`, so a method cannot be misspelt or its answer read as another one.
public struct MethodSignature<Parameters: Codable & Sendable, Answer: ReplyDocument>: Sendable {
    /// The name on the wire; without an interface it is a method of `org.adhand.Control`.
    public let name: String

    package init(_ name: String) { self.name = name }
}

// The methods of `org.adhand.Control`, which `ControlMethod` declares.

extension MethodSignature<NoParameters, StatusReply> {
    /// Everything about now: what is next, mute, playback and health.
    public static var getStatus: Self { Self("GetStatus") }
}

extension MethodSignature<TimesParameters, TimesReply> {
    /// The times of some days.
    public static var getTimes: Self { Self("GetTimes") }
}

extension MethodSignature<AgendaParameters, AgendaReply> {
    /// The announcements of some days, and what a display shows beside them.
    public static var getAgenda: Self { Self("GetAgenda") }
}

extension MethodSignature<MuteParameters, ChangeReply> {
    /// Silences everything for a while, until an instant, or for the next adhan alone.
    public static var mute: Self { Self("Mute") }
}

extension MethodSignature<MuteOutputParameters, ChangeReply> {
    /// Silences one output for a while.
    public static var muteOutput: Self { Self("MuteOutput") }
}

extension MethodSignature<OutputParameters, ChangeReply> {
    /// Ends the mute of one output.
    public static var unmuteOutput: Self { Self("UnmuteOutput") }
}

extension MethodSignature<PrayersParameters, ChangeReply> {
    /// Switches prayers on: they are called.
    public static var enablePrayers: Self { Self("EnablePrayers") }
    /// Switches prayers off: they are not called.
    public static var disablePrayers: Self { Self("DisablePrayers") }
}

extension MethodSignature<SkipParameters, ChangeReply> {
    /// Skips prayers of one day.
    public static var skipPrayers: Self { Self("SkipPrayers") }
    /// Undoes ``skipPrayers``.
    public static var unskipPrayers: Self { Self("UnskipPrayers") }
}

extension MethodSignature<NoParameters, SkipsReply> {
    /// The prayers that are skipped.
    public static var getSkips: Self { Self("GetSkips") }
}

extension MethodSignature<NoParameters, ChangeReply> {
    /// Ends the mute.
    public static var unmute: Self { Self("Unmute") }
    /// Fades out the sound that plays.
    public static var stop: Self { Self("Stop") }
    /// Reads the timetable in the state directory again.
    public static var reloadTimetable: Self { Self("ReloadTimetable") }
}

extension MethodSignature<TestPlayParameters, ChangeReply> {
    /// Plays a prayer's sound now, as the prayer would play it.
    public static var testPlay: Self { Self("TestPlay") }
}

extension MethodSignature<SoundParameters, ChangeReply> {
    /// Plays a sound now, by its name.
    public static var playSound: Self { Self("PlaySound") }
}

extension MethodSignature<NoParameters, OutputsReply> {
    /// The outputs, and the state of each.
    public static var getOutputs: Self { Self("GetOutputs") }
}

extension MethodSignature<NoParameters, SoundsReply> {
    /// Every sound that adhand finds.
    public static var getSounds: Self { Self("GetSounds") }
}

extension MethodSignature<NoParameters, TimetableReply> {
    /// The published timetable in force, as CSV.
    public static var getTimetable: Self { Self("GetTimetable") }
}

extension MethodSignature<ExceptionParameters, ChangeReply> {
    /// Sets one prayer of one day by hand.
    public static var setException: Self { Self("SetException") }
}

extension MethodSignature<ExceptionNameParameters, ChangeReply> {
    /// Undoes ``setException``.
    public static var removeException: Self { Self("RemoveException") }
}

extension MethodSignature<NoParameters, ExceptionsReply> {
    /// The prayers that were set by hand.
    public static var getExceptions: Self { Self("GetExceptions") }
}

extension MethodSignature<HijriDayParameters, ChangeReply> {
    /// Begins a Hijri month, as its crescent was seen.
    public static var hijriSighted: Self { Self("HijriSighted") }
    /// Gives a Hijri month thirty days.
    public static var hijriComplete: Self { Self("HijriComplete") }
}

extension MethodSignature<HijriMonthParameters, ChangeReply> {
    /// Undoes ``hijriSighted`` and ``hijriComplete`` for a month.
    public static var removeHijriPin: Self { Self("RemoveHijriPin") }
}

extension MethodSignature<NoParameters, HijriPinsReply> {
    /// The Hijri months whose beginning was set.
    public static var getHijriPins: Self { Self("GetHijriPins") }
}

extension MethodSignature<ReloadParameters, ChangeReply> {
    /// Reads the configuration again.
    public static var reload: Self { Self("Reload") }
}

extension MethodSignature<CheckParameters, CheckReply> {
    /// Whether a configuration can be used.
    public static var check: Self { Self("Check") }
}

extension MethodSignature<LogParameters, LogReply> {
    /// The last events.
    public static var getLog: Self { Self("GetLog") }
}

extension MethodSignature<HistoryParameters, HistoryReply> {
    /// The announcements of some days, with their outcomes. `ControlClient.collect` gets all of them.
    public static var getHistory: Self { Self("GetHistory") }
}

extension MethodSignature<NoParameters, TimersReply> {
    /// The instants at which adhand will act.
    public static var getTimers: Self { Self("GetTimers") }
}

extension MethodSignature<TriggerParameters, ChangeReply> {
    /// Simulates a prayer, where the configuration permits it.
    public static var trigger: Self { Self("Trigger") }
}

extension MethodSignature<DiagnosticsParameters, DiagnosticsReply> {
    /// Facts about adhand for a bug report.
    public static var getDiagnostics: Self { Self("GetDiagnostics") }
}

extension MethodSignature<MonitorParameters, MonitorReply> {
    /// Every event as it happens. `ControlMonitor` follows them, also beyond a restart.
    public static var monitor: Self { Self("Monitor") }
}

extension MethodSignature<SettingsParameters, SettingsChangedReply> {
    /// Sets keys of the configuration over its files.
    public static var setSettings: Self { Self("SetSettings") }
}

extension MethodSignature<SettingsPrefixParameters, SettingsReply> {
    /// The settings that were made by command, and those that can be.
    public static var getSettings: Self { Self("GetSettings") }
}

extension MethodSignature<SettingsChangeParameters, SettingsUndoneReply> {
    /// Undoes a change of settings.
    public static var undoSettings: Self { Self("UndoSettings") }
}

extension MethodSignature<ChangesParameters, ChangesReply> {
    /// The last changes of settings.
    public static var getChanges: Self { Self("GetChanges") }
}

extension MethodSignature<EnvelopeParameters, EnvelopeReply> {
    /// Applies a signed change of the fleet.
    public static var applyEnvelope: Self { Self("ApplyEnvelope") }
}

extension MethodSignature<NoParameters, FleetReply> {
    /// The fleet of this machine.
    public static var getFleet: Self { Self("GetFleet") }
}

extension MethodSignature<NoParameters, HealthReply> {
    /// The checks of `adhanctl doctor` that adhand makes itself.
    public static var getHealth: Self { Self("GetHealth") }
}

extension MethodSignature<NoParameters, DevicesReply> {
    /// The audio devices of this machine.
    public static var getDevices: Self { Self("GetDevices") }
}

extension MethodSignature<TestDeviceParameters, ChangeReply> {
    /// Plays the time signal on one device.
    public static var testDevice: Self { Self("TestDevice") }
}
