/// The topics of which a program writes again and again.
package protocol JournalTopic: Hashable, Sendable {
    /// The program's name, which begins each line.
    static var program: String { get }
}

/// Lines on standard error, which is the journal under systemd. A line of one topic comes once in its interval.
package struct TopicJournal<Topic: JournalTopic>: Sendable {
    private var last: [Topic: Double] = [:]

    package init() {}

    package static func log(_ sentence: String) { StandardError.write("\(Topic.program): \(sentence)") }

    /// - Parameter interval: seconds within which nothing further of the topic is written.
    package mutating func log(_ sentence: String, _ topic: Topic, every interval: Double, at now: Double) {
        if let last = last[topic], now - last < interval { return }
        last[topic] = now
        Self.log(sentence)
    }

    /// The next line of the topic is written whenever it comes.
    package mutating func forget(_ topic: Topic) { last[topic] = nil }
}
