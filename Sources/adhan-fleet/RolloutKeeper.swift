internal import CommandKit
internal import Envelope
internal import FleetPlan
internal import Host
internal import MQTT
internal import PrayerEngine
internal import Synchronization
internal import Texts

/// Words of the session's thread to the one that judges.
final class RolloutNews: Sendable {
    enum Event: Sendable {
        case connected
        case answered(Int, isTaken: Bool)
    }

    private let events = Mutex<[Event]>([])

    func note(_ event: Event) { events.withLock { $0.append(event) } }

    func take() -> [Event] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}

/// Carries out the roll-outs of the folder: reads what people want, decides by the watch, keeps the progress, and gives the envelopes
/// to the broker, in this order. Used by the judging thread alone; what the broker says about a publication comes from the session's.
final class RolloutKeeper {
    private let folder: RolloutFolder
    private let content: FleetFolder.Content
    private var book = RolloutBook()
    /// The files as they are on the disk.
    private var kept: [String: FleetRollout] = [:]
    private var envelopes: [String: [UInt8]] = [:]
    private var lock: LockFile?
    private var saidLock = false
    private var broken: [String: String] = [:]
    private var standing: [String: Int] = [:]
    /// Publications that the broker has not answered.
    private var flying: [Int: RolloutBook.Delivery] = [:]
    private var queue: [RolloutBook.Delivery] = []
    private var number = 0

    private let news: RolloutNews

    init(_ folder: FleetFolder, _ content: FleetFolder.Content, _ news: RolloutNews) {
        self.folder = RolloutFolder(folder)
        (self.content, self.news) = (content, news)
    }

    /// - Parameter facts: of the boxes; asked for only where there are roll-outs.
    /// - Returns: the roll-outs that people have to look at, with their rings, from 1.
    func turn(
        _ session: MQTTSession, at now: Instant, isSettled: Bool,
        facts: (FleetKind, FleetSelector) -> [String: FleetRollout.Fact]
    ) -> [String: Int] {
        takeNews()
        guard holdsLock(), !book.entries.isEmpty || !folder.digests().isEmpty else { return [:] }
        do throws(FileError) {
            try folder.edit { () throws(FileError) in
                readFolder()
                if isSettled { queue = merged(book.look(content.config.rollout, at: now, facts: facts)) }
                try saveChanges()
            }
        } catch {
            say("\(error.message); the roll-outs stand still")
            return troubled(at: now)
        }
        send(session)
        return troubled(at: now)
    }

    /// Those that stopped themselves, and those that stand still because their envelope cannot be believed any more.
    private func troubled(at now: Instant) -> [String: Int] {
        book.entries.filter { $0.value.isTrouble(content.config.rollout, at: now) }.mapValues {
            $0.rollout.ring + 1
        }
        .merging(standing) { known, _ in known }
    }

    private func takeNews() {
        for event in news.take() {
            switch event {
            case .connected:
                book.connected()
                (flying, queue) = ([:], [])
            case .answered(let number, let isTaken):
                guard let delivery = flying.removeValue(forKey: number) else { continue }
                if isTaken { book.delivered(delivery) } else { book.failed(delivery) }
            }
        }
    }

    /// Whether this is the watcher that carries roll-outs out.
    func holdsLock() -> Bool {
        guard lock == nil else { return true }
        // Before there was a roll-out there may be no folder.
        try? folder.make()
        do throws(FileError) {
            lock = try folder.watchLock()
        } catch {
            if !saidLock { say("\(error.message); no roll-out is carried out") }
            saidLock = true
            return false
        }
        if lock == nil, !saidLock { say("another watcher carries the roll-outs out") }
        saidLock = lock == nil
        return lock != nil
    }

    /// Changes by people since the last turn count.
    private func readFolder() {
        let digests = folder.digests()
        for digest in Set(book.entries.keys).subtracting(digests) {
            say("the roll-out \(digest.prefix(16)) is gone from \(folder.path)")
            book.remove(digest)
            (kept[digest], envelopes[digest], standing[digest]) = (nil, nil, nil)
        }
        for digest in digests {
            do {
                if book.entries[digest] == nil {
                    let entry = try folder.entry(digest, content)
                    envelopes[digest] = try folder.envelope(digest)
                    book.put(entry)
                    kept[digest] = entry.rollout
                } else {
                    let found = try folder.read(digest)
                    if found != kept[digest], let known = book.entries[digest] {
                        book.put(.init(found, for: known.selector, expires: known.expires))
                        kept[digest] = found
                    }
                }
                (broken[digest], standing[digest]) = (nil, nil)
            } catch {
                let reason = (error as? FileError)?.message ?? (error as? FleetError)?.message ?? "\(error)"
                if broken[digest] != reason { say("a roll-out is left alone: \(reason)") }
                broken[digest] = reason
                // Where the progress cannot be read either, nobody knows that it is over.
                let rollout = (try? folder.read(digest)) ?? book.entries[digest]?.rollout
                let isOpen = rollout.map { !$0.state.isOver || $0.state == .stopped } ?? true
                standing[digest] = isOpen ? (rollout?.ring ?? 0) + 1 : nil
            }
        }
    }

    /// Before anything of it is sent.
    private func saveChanges() throws(FileError) {
        for (digest, entry) in book.entries where kept[digest] != entry.rollout {
            try folder.save(entry.rollout)
            if let before = kept[digest],
                before.state != entry.rollout.state || before.ring != entry.rollout.ring
            {
                say(
                    "the roll-out \(digest.prefix(16)) is \(entry.rollout.state.rawValue), in ring \(entry.rollout.ring + 1)"
                )
            }
            kept[digest] = entry.rollout
        }
    }

    private func merged(_ new: [RolloutBook.Delivery]) -> [RolloutBook.Delivery] {
        queue.filter { old in !new.contains { $0.box == old.box && $0.kind == old.kind } } + new
    }

    private func send(_ session: MQTTSession) {
        let topics = FleetTopic(org: content.org)
        while let delivery = queue.first {
            let payload = delivery.digest.map { envelopes[$0] ?? [] } ?? []
            let publication = MQTTPublication(
                topic: topics.change(delivery.kind, for: delivery.box), payload: payload, isRetained: true)
            number += 1
            guard session.publish(publication, number: number) == .accepted else { return }
            flying[number] = delivery
            queue.removeFirst()
        }
    }

    private func say(_ text: String) { StandardError.write("adhan-fleet: \(text)") }
}
