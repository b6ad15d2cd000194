package import PrayerEngine
package import Protocol

/// A moment by two clocks: time limits use the monotonic one, instants of the agenda the wall clock.
package struct HookMoment: Sendable, Equatable {
    package var uptime: Double
    package var clock: Instant

    package init(uptime: Double, clock: Instant) { (self.uptime, self.clock) = (uptime, clock) }
}

/// The inputs of the state machine.
package enum HookInput: Sendable, Equatable {
    /// The configuration at the start, or a new one.
    case configured(HookConfig)
    /// The connection to adhand's events is established.
    case followed
    /// The connection to adhand is lost.
    case lost
    case event(LogEntry)
    case answered(StatusDocument, [OccasionDocument])
    /// adhand did not answer a request.
    case unanswered
    /// The program of that run has ended.
    case ended(run: Int)
    /// Switching that relay has ended; a failure has its reason in words.
    case switched(relay: Int, isOn: Bool, failure: String?)
    /// A button's level at a moment of the monotonic clock.
    case button(ButtonSource, isDown: Bool, at: Double)
    /// A button cannot be read, or no longer.
    case buttonGone(ButtonSource)
    /// Time has passed.
    case woken
    case stopping
}

/// The effects that the program performs.
package enum HookEffect: Sendable, Equatable {
    case run(HookRun)
    case switchRelay(number: Int, name: String, RelayDrive, isOn: Bool)
    /// The relay was removed from the file and is off: its device can be closed.
    case release(RelayDrive)
    /// Sends the request of a press to adhand, or to the box.
    case press(ButtonSource, ButtonAction)
    /// Requests adhand's status, and the agenda from today on.
    case ask
    case report(HookReport)
}

/// Facts for the journal.
package enum HookReport: Sendable, Equatable {
    /// An event was dropped because too many waited for the hook to end.
    case dropped(hook: String, HookEvent)
    case relayFailed(name: String, RelayDrive, isOn: Bool, reason: String)
    /// Switching the relay off failed so often that it is left as it is.
    case relayGivenUp(name: String, RelayDrive)
}
