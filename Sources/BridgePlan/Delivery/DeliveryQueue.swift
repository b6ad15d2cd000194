import Texts

/// Messages that wait for delivery, in the order of each destination. Each is saved before the first attempt (`queue.jsonl`).
package struct DeliveryQueue: Sendable, Equatable {
    package struct Item: Codable, Sendable, Equatable {
        /// The name of the `[[alert]]`.
        package let destination: String
        package let message: AlertMessage
        package internal(set) var attempts: Int
        /// The earliest time of the next attempt by the monotonic clock, in seconds. A restart retries at once.
        var notBefore = 0.0
        /// The number of bytes of its line in the file.
        fileprivate var size = 0

        private enum CodingKeys: String, CodingKey { case destination, message, attempts }

        package var id: String { "\(destination) \(message.idempotencyKey)" }
    }

    /// The result of one attempt.
    package enum Outcome: Sendable, Equatable {
        case delivered
        /// The HTTP status of a refusal.
        case refused(status: Int)
        /// There was no usable answer: no network, no such host, or a program that failed.
        case failed
    }

    /// The next step for a message after an attempt.
    package enum Fate: Sendable, Equatable {
        case delivered
        /// The message is retried after this many seconds.
        case retried(afterSeconds: Double)
        case dropped
        /// The message is no longer in the queue.
        case unknown
    }

    package private(set) var items: [Item] = []
    /// The number of messages dropped for lack of room since the start.
    package private(set) var dropped = 0

    package static let mostMessages = 200
    package static let mostBytes = 256 * 1024
    /// The most messages while the disk refuses writes.
    package static let mostInMemory = 50

    /// Whether the last save succeeded.
    package var isKept = true {
        didSet { if !isKept { shrink() } }
    }

    package init() {}

    package var count: Int { items.count }

    /// - Returns: whether anything changed, so that the file must be written before any attempt.
    @discardableResult
    package mutating func add(_ messages: [AlertMessage], to destinations: [AlertDestination]) -> Bool {
        let before = items
        for message in messages {
            for destination in destinations where destination.accepts(message.alert) {
                let item = Item(destination: destination.name, message: message, attempts: 0).measured
                guard !items.contains(where: { $0.id == item.id }) else { continue }
                items.append(item)
            }
        }
        shrink()
        return items != before
    }

    /// The next message for a destination, once its time has come.
    package func next(for destination: String, at uptime: Double) -> Item? {
        items.first { $0.destination == destination }.flatMap { $0.notBefore <= uptime ? $0 : nil }
    }

    /// The time of the next attempt for a destination; `nil` if nothing waits for it.
    package func due(for destination: String) -> Double? {
        items.first { $0.destination == destination }?.notBefore
    }

    package mutating func tried(_ item: Item, _ outcome: Outcome, at uptime: Double) -> Fate {
        guard let index = items.firstIndex(where: { $0.id == item.id }) else { return .unknown }
        if outcome == .delivered {
            items.remove(at: index)
            return .delivered
        }
        items[index].attempts += 1
        let attempts = items[index].attempts
        guard let seconds = RetrySchedule.seconds(after: attempts, outcome) else {
            items.remove(at: index)
            dropped += 1
            return .dropped
        }
        items[index].notBefore = uptime + seconds
        return .retried(afterSeconds: seconds)
    }

    /// Removes messages whose destination is no longer configured.
    package mutating func keep(_ destinations: [AlertDestination]) {
        items.removeAll { item in !destinations.contains { $0.name == item.destination } }
    }

    // MARK: Room

    /// Makes room: removes the oldest reminder first, then the oldest begin with its end, then an end whose begin is delivered,
    /// and never a begin whose end is unknown.
    private mutating func shrink() {
        while isTooMuch, let victims = victims() {
            items = items.enumerated().filter { !victims.contains($0.offset) }.map(\.element)
            dropped += victims.count
        }
        // Only begins remain, of which the newest are dropped.
        while isTooMuch {
            items.removeLast()
            dropped += 1
        }
    }

    private var isTooMuch: Bool {
        items.count > (isKept ? Self.mostMessages : Self.mostInMemory)
            || items.reduce(0) { $0 + $1.size } > Self.mostBytes
    }

    private func victims() -> Set<Int>? {
        if let reminder = items.firstIndex(where: { $0.message.phase == .reminder }) { return [reminder] }
        for (index, item) in items.enumerated() where item.message.phase == .begin {
            let end = items.firstIndex {
                $0.destination == item.destination && $0.message.key == item.message.key
                    && $0.message.phase == .end
            }
            if let end { return [index, end] }
        }
        return items.firstIndex { $0.message.phase == .end }.map { [$0] }
    }

    // MARK: On disk

    /// The content of `queue.jsonl`, with one message per line.
    package func fileBytes() -> [UInt8] {
        items.reduce(into: []) { bytes, item in
            guard let line = try? JSON.encode(item) else { return }
            bytes += line + [UInt8(ascii: "\n")]
        }
    }

    /// Reads the queue. A line that cannot be read is incomplete or from another version, and is skipped.
    package init(fileBytes: [UInt8]) {
        for line in fileBytes.split(separator: UInt8(ascii: "\n")) {
            if let item = try? JSON.decode(Item.self, from: line),
                !items.contains(where: { $0.id == item.id })
            {
                items.append(item.measured)
            }
        }
        shrink()
    }
}

extension DeliveryQueue.Item {
    /// Measures its line, including room for a higher number of attempts.
    fileprivate var measured: Self {
        var item = self
        item.size = ((try? JSON.encode(self)) ?? []).count + 4
        return item
    }
}

/// The pauses after failed attempts.
package enum RetrySchedule {
    private static let first = [5.0, 30, 120, 600]
    private static let rest = 1800.0
    /// The number of attempts within 48 hours.
    package static let mostAttempts = 4 + Int(48 * 3600 / rest)
    private static let mostRefusals = 3

    /// - Returns: `nil` if the message is abandoned.
    package static func seconds(after attempts: Int, _ outcome: DeliveryQueue.Outcome) -> Double? {
        if case .refused(let status) = outcome, (400..<500).contains(status),
            ![408, 425, 429].contains(status),
            attempts >= mostRefusals
        {
            return nil
        }
        guard attempts < mostAttempts else { return nil }
        return attempts <= first.count ? first[max(0, attempts - 1)] : rest
    }
}
