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
    /// The envelopes at the broker.
    let kept = Mutex(KeptChanges())

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

/// Carries out the roll-outs of the folder, and gives what was published to a broker that lacks it: reads what people want, decides by the
/// watch, keeps the progress, and gives the envelopes to the broker, in this order. Used by the judging thread alone; what the broker says
/// about a publication comes from the session's.
final class RolloutKeeper {
    private let folder: RolloutFolder
    private let publishedFolder: PublishedFolder
    private let content: FleetFolder.Content
    private var book = RolloutBook()
    /// The files as they are on the disk.
    private var kept: [String: FleetRollout] = [:]
    private var envelopes: [String: [UInt8]] = [:]
    /// A published one that is being given: many boxes have the same. Read again for the next broker.
    private var given: (digest: String, text: [UInt8])?
    /// Published envelopes that boxes would refuse, such as those that a former key signed.
    private var unsigned: Set<String> = []
    private var lock: LockFile?
    private var saidLock = false
    private var broken: [String: String] = [:]
    private var brokenPublished: [String: String] = [:]
    /// Why the folder of published envelopes cannot be looked into. Nothing is written meanwhile: a higher number may lie there.
    private var folderProblem: String?
    private var standing: [String: Int] = [:]
    /// Publications that the broker has not answered.
    private var flying: [Int: RolloutBook.Delivery] = [:]
    private var queue: [RolloutBook.Delivery] = []
    private var number = 0

    private let news: RolloutNews

    /// Files that are read in one turn. Each signature takes a millisecond, and the alarms wait for it.
    private static let mostFilesRead = 500

    init(_ folder: FleetFolder, _ content: FleetFolder.Content, _ news: RolloutNews) {
        self.folder = RolloutFolder(folder)
        publishedFolder = PublishedFolder(folder)
        (self.content, self.news) = (content, news)
        // Before the broker shows what it keeps: what is not ours is kept in memory.
        let found = try? publishedFolder.contents()
        let known = Set((found?.published ?? []) + self.folder.digests()).union(found?.withdrawn ?? [])
        news.kept.withLock { $0.known = known }
    }

    /// - Parameters:
    ///   - kept: the envelopes at the broker; all of them where it is settled.
    ///   - isRevoked: whether a box was taken out of the fleet.
    ///   - facts: of the boxes; asked for only where there are roll-outs.
    /// - Returns: the roll-outs that people have to look at, with their rings, from 1.
    func turn(
        _ session: MQTTSession, at now: Instant, isSettled: Bool, kept: KeptChanges,
        isRevoked: (String) -> Bool,
        facts: (FleetKind, FleetSelector) -> [String: FleetRollout.Fact]
    ) -> [String: Int] {
        takeNews()
        guard holdsLock() else { return [:] }
        let isComplete = readPublished()
        if isSettled, isComplete { adopt(at: now) }
        do throws(FileError) {
            // Verbs and the watch both change roll-outs; a published envelope is written once.
            if book.entries.isEmpty, folder.digests().isEmpty {
                if isSettled, isComplete { look(at: now, kept, isRevoked, facts) }
            } else {
                try folder.edit { () throws(FileError) in
                    readFolder()
                    if isSettled, isComplete { look(at: now, kept, isRevoked, facts) }
                    try saveChanges()
                }
            }
        } catch {
            say("\(error.message); the roll-outs stand still")
            return troubled(at: now)
        }
        send(session)
        return troubled(at: now)
    }

    private func look(
        at now: Instant, _ kept: KeptChanges, _ isRevoked: (String) -> Bool,
        _ facts: (FleetKind, FleetSelector) -> [String: FleetRollout.Fact]
    ) {
        let labels = kept.isReadable ? kept.labels : nil
        queue = merged(
            book.look(
                content.config.rollout, at: now, kept: labels, undone: kept.undone, isRevoked: isRevoked,
                facts: facts))
        let found = book.conflicts.values.sorted { $0.kind.rawValue < $1.kind.rawValue }
        if found.isEmpty || !isPublicationOnItsWay { conflicts = found }
    }

    /// Between its file and the broker, or in a file that this turn has not read yet.
    private var isPublicationOnItsWay: Bool {
        publishedFolder.isBusy
            || unread((try? publishedFolder.digests()) ?? []).contains { brokenPublished[$0] == nil }
    }

    /// Envelopes at the broker that have the place of ours.
    private(set) var conflicts: [RolloutBook.Conflict] = []

    /// Published envelopes that cannot be read, by their files' names.
    var damagedFiles: [String] { brokenPublished.keys.map { publishedFolder.name($0) }.sorted() }

    var isFolderReadable: Bool { folderProblem == nil }

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
                (flying, queue, given) = ([:], [], nil)
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

    // MARK: What was published

    /// - Returns: whether all files were read.
    private func readPublished() -> Bool {
        let digests: [String]
        let withdrawn: Set<String>
        do throws(FileError) {
            (digests, withdrawn) = try publishedFolder.contents()
            folderProblem = nil
        } catch {
            if folderProblem != error.message { say("\(error.message), so no change is given to boxes") }
            folderProblem = error.message
            return false
        }
        let present = Set(digests)
        for digest in withdrawn where book.published[digest] != nil {
            say("\(publishedFolder.name(digest)) was withdrawn, and is given to nobody any more")
        }
        book.withdraw(withdrawn)
        for digest in Set(book.published.keys).subtracting(present) {
            say("\(publishedFolder.name(digest)) is gone; what it published stays at the broker")
            book.removePublished(digest)
        }
        brokenPublished = brokenPublished.filter { present.contains($0.key) }
        let unread = unread(digests)
        for digest in unread.prefix(Self.mostFilesRead) { readPublished(digest) }
        let known = present.union(withdrawn).union(folder.digests())
        news.kept.withLock { if $0.known != known { $0.known = known } }
        return unread.count <= Self.mostFilesRead
    }

    private func unread(_ digests: [String]) -> [String] {
        digests.filter {
            (book.published[$0] == nil || brokenPublished[$0] != nil) && !unsigned.contains($0)
        }
    }

    private func readPublished(_ digest: String) {
        do throws(FileError) {
            let (label, text) = try publishedFolder.read(digest)
            brokenPublished[digest] = nil
            do throws(FleetError) {
                _ = try VerifyCommand.label(of: text, content)
                book.publish(label)
            } catch {
                say("\(publishedFolder.name(digest)) is given to no broker any more: \(error.message)")
                unsigned.insert(digest)
            }
        } catch {
            noteDamage(digest, error)
        }
    }

    private func noteDamage(_ digest: String, _ error: FileError) {
        if brokenPublished[digest] != error.message { say("\(error.message); it is left alone") }
        brokenPublished[digest] = error.message
    }

    /// Published by an earlier version, or by somebody else: it is ours to keep from now on.
    private func adopt(at now: Instant) {
        for other in news.kept.withLock({ $0.takeOthers() }) where book.isNews(other.label, at: now) {
            let label = other.label
            do {
                try publishedFolder.make()
                try publishedFolder.save(other.text, label.digest)
            } catch {
                let reason = (error as? FileError)?.message ?? (error as? FleetError)?.message ?? "\(error)"
                say("an envelope at the broker cannot be kept: \(reason)")
                continue
            }
            book.publish(label)
            say(
                "number \(label.seq) of \(label.kind.rawValue) for \(label.selector.text) was found at the broker; \(publishedFolder.name(label.digest)) keeps it"
            )
        }
    }

    // MARK: Giving

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
        let places = Set(new.map(\.place))
        return queue.filter { !places.contains($0.place) } + new
    }

    private func send(_ session: MQTTSession) {
        let topics = FleetTopic(org: content.org)
        while let delivery = queue.first {
            var payload: [UInt8] = []
            if let digest = delivery.digest {
                guard let text = text(of: digest) else {
                    // Its file went or was damaged after the look. Nothing is taken away for that.
                    book.failed(delivery)
                    queue.removeFirst()
                    continue
                }
                payload = text
            }
            let publication = MQTTPublication(
                topic: topics.topic(of: delivery.place), payload: payload, isRetained: true)
            number += 1
            guard session.publish(publication, number: number) == .accepted else { return }
            flying[number] = delivery
            queue.removeFirst()
        }
    }

    private func text(of digest: String) -> [UInt8]? {
        if let text = envelopes[digest] { return text }
        // It may have been withdrawn since the look.
        guard publishedFolder.has(digest) else { return nil }
        if let given, given.digest == digest { return given.text }
        do throws(FileError) {
            let text = try publishedFolder.read(digest).text
            given = (digest, text)
            return text
        } catch {
            // It was read before, and has been damaged since. It keeps its place: no older one is given instead.
            if !error.isMissing { noteDamage(digest, error) }
            return nil
        }
    }

    private func say(_ text: String) { StandardError.write("adhan-fleet: \(text)") }
}
