/// The topics about which a program logs repeatedly.
package protocol JournalTopic: Hashable, Sendable {
    /// The program's name, which each line begins with.
    static var program: String { get }
}

/// Lines on standard error, which is the journal under systemd. Each topic is logged at most once in its interval.
package struct TopicJournal<Topic: JournalTopic>: Sendable {
    private var last: [Topic: Double] = [:]

    package init() {}

    package static func log(_ sentence: String) { StandardError.write("\(Topic.program): \(sentence)") }

    /// - Parameter interval: the seconds for which the topic is not logged again.
    package mutating func log(_ sentence: String, _ topic: Topic, every interval: Double, at now: Double) {
        if let last = last[topic], now - last < interval { return }
        last[topic] = now
        Self.log(sentence)
    }

    /// Resets a topic, so that its next line is logged at once.
    package mutating func forget(_ topic: Topic) { last[topic] = nil }
}
