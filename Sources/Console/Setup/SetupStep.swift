/// The next step that the conversation requests.
package enum SetupStep: Sendable, Equatable {
    /// A line of text; the prompt shows the proposal that Enter accepts.
    case ask(prompt: String)
    /// A short signal on this device, at a volume in percent; then ``SetupConversation/played(_:)``.
    case play(device: String, volume: Int)
    /// A recording to be added to the sounds; then ``SetupConversation/imported(_:)``.
    case importSound(file: String)
    /// A timetable to be understood by the answers so far; then ``SetupConversation/timetableRead(_:)``.
    case readTimetable(file: String)
    /// The receiver's position is wanted; then ``SetupConversation/located(_:)``.
    case locate
    /// Send a test message to an address; then call ``SetupConversation/messageSent(_:)``.
    case sendMessage(address: String)
    /// All questions are answered: write ``SetupConversation/draft``.
    case save
    /// The end, with nothing changed.
    case leave
}

/// Lines to show, and the next step.
package struct SetupTurn: Sendable, Equatable {
    package var lines: [String]
    package let next: SetupStep

    package init(_ lines: [String] = [], _ next: SetupStep) {
        self.lines = lines
        self.next = next
    }
}

/// The outcome of the test signal.
package enum SignalOutcome: Sendable, Equatable {
    /// The device accepted all of it; a person decides whether it was heard. `note` is a reason why it may not have been, such as
    /// a mixer that is turned down.
    case played(note: String?)
    case failed(reason: String)
}

/// The outcome of a recording.
package enum ImportOutcome: Sendable, Equatable {
    /// It was added under a name; the sentence has its measurement.
    case added(name: String, sentence: String)
    case refused(reason: String)
}

/// The outcome of a test message.
package enum MessageOutcome: Sendable, Equatable {
    /// A server accepted it; the person decides whether it arrived.
    case delivered
    case failed(reason: String)
}
