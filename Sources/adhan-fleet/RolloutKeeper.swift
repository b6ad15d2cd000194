internal import CommandKit
internal import Envelope
internal import FleetPlan
internal import Host
internal import MQTT
internal import PrayerEngine
internal import Synchronization

/// Carries out the roll-outs of the folder, and gives what was published to a broker that lacks it: reads what people want, decides by the
/// watch, keeps the progress, and gives the envelopes to the broker, in this order. Used by the assessing thread alone; what the broker says
/// about a publication comes from the session's.
final class RolloutKeeper {
    let folder: RolloutFolder
    let publishedFolder: PublishedFolder
    let content: FleetFolder.Content
    var book = RolloutBook()
    /// The files as they are on the disk.
    var kept: [String: FleetRollout] = [:]
    var envelopes: [String: [UInt8]] = [:]
    /// A published one that is being given: many boxes have the same. Read again for the next broker.
    var given: (digest: String, text: [UInt8])?
    /// The files of published envelopes as they were when they were read: one of a former key may be signed again.
    var formerStamps: [String: FileStamp] = [:]
    /// The withdrawn envelopes whose numbers were read.
    var numbered: Set<String>?
    private var lock: LockFile?
    private var hasLoggedLock = false
    var broken: [String: String] = [:]
    var brokenPublished: [String: String] = [:]
    /// Why the folder of published envelopes cannot be looked into. Nothing is written meanwhile: a higher number may lie there.
    var folderProblem: String?
    var standing: [String: Int] = [:]
    /// Publications that the broker has not answered.
    var flying: [Int: RolloutBook.Delivery] = [:]
    var queue: [RolloutBook.Delivery] = []
    var number = 0
    let news: RolloutNews

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
            log("\(error.message); the roll-outs stand still")
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
        for repair in book.repaired.values { log(repair.repairSentence(FleetTopic(org: content.org))) }
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
            if !hasLoggedLock { log("\(error.message); no roll-out is carried out") }
            hasLoggedLock = true
            return false
        }
        if lock == nil, !hasLoggedLock { log("another watcher carries the roll-outs out") }
        hasLoggedLock = lock == nil
        return lock != nil
    }

    func log(_ text: String) { StandardError.write("adhan-fleet: \(text)") }
}
