/// The next step that the conversation asks for.
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
    /// A test message to an address; then ``SetupConversation/told(_:)``.
    case sendMessage(address: String)
    /// All is answered: ``SetupConversation/draft`` is to be written.
    case save
    /// The end, with nothing changed.
    case leave
}

/// Lines to show, and the next step.
package struct SetupTurn: Sendable, Equatable {
    package var say: [String]
    package let next: SetupStep

    package init(_ say: [String] = [], _ next: SetupStep) {
        self.say = say
        self.next = next
    }
}

/// How the signal went.
package enum SignalOutcome: Sendable, Equatable {
    /// The device took it all; whether it was heard is for a person to say. `note` is a reason why it may not have been,
    /// such as a mixer that is turned down.
    case played(note: String?)
    case failed(reason: String)
}

/// The outcome of a recording.
package enum ImportOutcome: Sendable, Equatable {
    /// It was added under a name; the sentence has its measurement.
    case added(name: String, sentence: String)
    case refused(reason: String)
}

/// How a test message went.
package enum MessageOutcome: Sendable, Equatable {
    /// A server took it; whether it came to a person is for them to say.
    case delivered
    case failed(reason: String)
}
