package import PrayerEngine
package import Protocol

/// One moment by both clocks: limits follow the one that nobody sets, instants of the agenda the other.
package struct HookMoment: Sendable, Equatable {
    package var uptime: Double
    package var clock: Instant

    package init(uptime: Double, clock: Instant) { (self.uptime, self.clock) = (uptime, clock) }
}

/// Arrivals from the world.
package enum HookInput: Sendable, Equatable {
    /// The configuration at the start, or a new one.
    case configured(HookConfig)
    /// adhand's events begin here.
    case followed
    /// adhand has gone.
    case lost
    case event(LogEntry)
    case answered(StatusDocument, [OccasionDocument])
    /// adhand was asked and did not answer.
    case unanswered
    /// The program of that run is over.
    case ended(run: Int)
    /// The switching of that relay is over; a failure is the reason in words.
    case switched(relay: Int, isOn: Bool, failure: String?)
    /// A button's level, as it was at that moment by the clock that nobody sets.
    case button(ButtonSource, isDown: Bool, at: Double)
    /// A button cannot be read, or not any longer.
    case buttonGone(ButtonSource)
    /// Time has passed.
    case woken
    case stopping
}

/// Deeds in the world.
package enum HookEffect: Sendable, Equatable {
    case run(HookRun)
    case switchRelay(number: Int, name: String, RelayDrive, isOn: Bool)
    /// The relay is no longer in the file and off: whatever held it may be given back.
    case release(RelayDrive)
    /// Ask adhand, or the box, for what a press means.
    case press(ButtonSource, ButtonAction)
    /// Ask adhand for its status, and for the agenda from today on.
    case ask
    case report(HookReport)
}

/// Facts for the journal.
package enum HookReport: Sendable, Equatable {
    /// Too many events waited for the hook's end.
    case dropped(hook: String, HookEvent)
    case relayFailed(name: String, RelayDrive, isOn: Bool, reason: String)
    /// It was switched off in vain so often that it is left as it is.
    case relayGivenUp(name: String, RelayDrive)
}
