internal import CommandKit
internal import Envelope
internal import FleetPlan
internal import Host
internal import MQTT
internal import PrayerEngine
internal import Synchronization

/// Carries out the roll-outs of the folder, and delivers published envelopes to a broker that lacks them. In this order it
/// reads people's commands, asks the watch, saves the progress and gives the envelopes to the broker. Only the assessing thread
/// uses it. The broker's answers to publications come from the session's thread.
final class RolloutKeeper {
    let folder: RolloutFolder
    let publishedFolder: PublishedFolder
    let content: FleetFolder.Content
    var book = RolloutBook()
    /// The files as they are on disk.
    var kept: [String: FleetRollout] = [:]
    var envelopes: [String: [UInt8]] = [:]
    /// The published envelope that is being delivered, which many boxes share. It is read again for the next broker.
    var given: (digest: String, text: [UInt8])?
    /// The versions of published envelopes' files that a former key signed, as they were read: such an envelope may be signed
    /// again.
    var formerStamps: [String: FileStamp] = [:]
    /// The digests of withdrawn envelopes whose numbers are read.
    var numbered: Set<String>?
    private var lock: LockFile?
    private var hasLoggedLock = false
    var broken: [String: String] = [:]
    var brokenPublished: [String: String] = [:]
    /// The reason why the folder of published envelopes cannot be read. Nothing is written meanwhile, because it may hold a
    /// higher number.
    var folderProblem: String?
    var standing: [String: Int] = [:]
    /// Publications that the broker has not confirmed.
    var flying: [Int: RolloutBook.Delivery] = [:]
    var queue: [RolloutBook.Delivery] = []
    var number = 0
    let news: RolloutNews

    init(_ folder: FleetFolder, _ content: FleetFolder.Content, _ news: RolloutNews) {
        self.folder = RolloutFolder(folder)
        publishedFolder = PublishedFolder(folder)
        (self.content, self.news) = (content, news)
        // The known digests are read before the broker sends its retained messages: envelopes that are not ours are kept in
        // memory.
        let found = try? publishedFolder.contents()
        let known = Set((found?.published ?? []) + self.folder.digests()).union(found?.withdrawn ?? [])
        news.kept.withLock { $0.known = known }
    }

    /// - Parameters:
    ///   - kept: the envelopes that the broker holds, complete once `isSettled` is true.
    ///   - isRevoked: whether a box was taken out of the fleet.
    ///   - facts: reads the boxes' facts; called only if there are roll-outs.
    /// - Returns: the roll-outs that need a person's attention, with the number of their ring from 1.
    func turn(
        _ session: MQTTSession, at now: Instant, isSettled: Bool, kept: KeptChanges,
        isRevoked: (String) -> Bool,
        facts: (FleetKind, FleetSelector) -> [String: FleetRollout.Fact]
    ) -> [String: Int] {
        handleNews()
        guard holdsLock() else { return [:] }
        let isComplete = readPublished()
        if isSettled, isComplete { adopt(at: now) }
        do throws(FileError) {
            // The lock is needed for roll-outs alone, which both commands and the watch change. A published envelope is written
            // once.
            if book.entries.isEmpty, folder.digests().isEmpty {
                if isSettled, isComplete { update(at: now, kept, isRevoked, facts) }
            } else {
                try folder.edit { () throws(FileError) in
                    readFolder()
                    if isSettled, isComplete { update(at: now, kept, isRevoked, facts) }
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

    private func update(
        at now: Instant, _ kept: KeptChanges, _ isRevoked: (String) -> Bool,
        _ facts: (FleetKind, FleetSelector) -> [String: FleetRollout.Fact]
    ) {
        let labels = kept.isReadable ? kept.labels : nil
        queue = merged(
            book.update(
                content.config.rollout, at: now, kept: labels, undone: kept.undone, isRevoked: isRevoked,
                facts: facts))
        for repair in book.repaired.values { log(repair.repairSentence(FleetTopic(org: content.org))) }
        let found = book.conflicts.values.sorted { $0.kind.rawValue < $1.kind.rawValue }
        if found.isEmpty || !isPublicationOnItsWay { conflicts = found }
    }

    /// Whether a publication is between its file and the broker, or in a file that this turn has not read.
    private var isPublicationOnItsWay: Bool {
        publishedFolder.isBusy
            || unread((try? publishedFolder.digests()) ?? []).contains { brokenPublished[$0] == nil }
    }

    /// Envelopes at the broker that occupy the place of ours.
    private(set) var conflicts: [RolloutBook.Conflict] = []

    /// The files of published envelopes that cannot be read.
    var damagedFiles: [String] { brokenPublished.keys.map { publishedFolder.name($0) }.sorted() }

    var isFolderReadable: Bool { folderProblem == nil }

    /// Roll-outs that stopped by themselves, and those that make no progress because boxes would now refuse their envelope.
    private func troubled(at now: Instant) -> [String: Int] {
        book.entries.filter { $0.value.isTrouble(content.config.rollout, at: now) }.mapValues {
            $0.rollout.ring + 1
        }
        .merging(standing) { known, _ in known }
    }

    private func handleNews() {
        for event in news.drain() {
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

    /// Whether this watcher is the one that carries out roll-outs.
    func holdsLock() -> Bool {
        guard lock == nil else { return true }
        // The folder may not exist before the first roll-out.
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
