package import Envelope
import Texts

extension RolloutBook {
    /// A topic that does not keep our envelope. Either it holds another envelope whose number is not lower, which stays because
    /// boxes may have accepted it; or another client keeps changing the topic.
    package struct Conflict: Sendable, Equatable {
        package let kind: FleetKind
        package let seq: Int
        /// The number of the other envelope; `nil` if another client changes the topic.
        package let found: Int?
        /// One of its topics.
        package let place: ChangePlace
        /// The number of topics with this conflict.
        package internal(set) var count = 1
    }
}

extension RolloutBook.Conflict {
    /// Adds this conflict. The first topic by name is reported, so that repeated checks report the same one.
    func note(in conflicts: inout [FleetKind: Self]) {
        guard let known = conflicts[kind] else {
            conflicts[kind] = self
            return
        }
        // An envelope with another number takes precedence, because only a person can resolve it.
        guard (known.found == nil) == (found == nil) else {
            if known.found == nil { conflicts[kind] = self }
            return
        }
        var conflict = known.place.box < place.box ? known : self
        conflict.count = known.count + 1
        conflicts[kind] = conflict
    }

    private func places(_ topics: FleetTopic) -> String {
        let others = count > 1 ? " and \(count - 1) other topics" : ""
        return topics.topic(of: place) + others
    }

    func sentence(_ topics: FleetTopic) -> String {
        guard let found else {
            return
                "Another client of the broker changes \(places(topics)) again and again, where number \(seq) of \(kind.rawValue) belongs: the watch puts it back, at longer and longer intervals. The broker's log names the clients that connect."
        }
        return
            "Number \(found) of \(kind.rawValue) stands on \(places(topics)), in place of number \(seq) that was given there: sign what is meant with a higher number."
    }

    /// The log's sentence when a topic is restored for the first time.
    package func repairSentence(_ topics: FleetTopic) -> String {
        "another client has changed \(places(topics)), where number \(seq) of \(kind.rawValue) belongs: it is given again"
    }
}
