internal import CommandKit
internal import Reach

/// Lines on standard error, which is the journal under systemd. A line of one topic comes once in its interval, or when its text has
/// changed and the interval is short enough for that.
struct Journal {
    enum Topic: Hashable {
        case broker
        case fleetBroker
        case admission(FleetAdmission.Standing)
        case fleet
        case droppedCommand
        case delivery(String)
        case stateFile
        case textfile
        case adhand
        case thread
        case page
    }

    private var last: [Topic: Double] = [:]

    static func say(_ sentence: String) { StandardError.write("adhan-bridge: \(sentence)") }

    /// - Parameter interval: seconds within which nothing further of the topic is written.
    mutating func say(_ sentence: String, _ topic: Topic, every interval: Double, at now: Double) {
        if let last = last[topic], now - last < interval { return }
        last[topic] = now
        Self.say(sentence)
    }

    /// The next line of the topic is written whenever it comes.
    mutating func forget(_ topic: Topic) { last[topic] = nil }
}
