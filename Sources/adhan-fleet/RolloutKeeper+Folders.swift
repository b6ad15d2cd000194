internal import Envelope
internal import FleetPlan
internal import Host
internal import PrayerEngine
internal import Synchronization

/// The files of roll-outs and of what was published: read, and kept in step with the broker and with the progress.
extension RolloutKeeper {
    /// Files that are read in one turn. Each signature takes a millisecond, and the alarms wait for it.
    private static let mostFilesRead = 500

    /// Changes by people since the last turn count.
    func readFolder() {
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
                let reason = error.explanation
                if broken[digest] != reason { say("a roll-out is left alone: \(reason)") }
                broken[digest] = reason
                // Where the progress cannot be read either, nobody knows that it is over.
                let rollout = (try? folder.read(digest)) ?? book.entries[digest]?.rollout
                let isOpen = rollout?.state.canBeEnded ?? true
                standing[digest] = isOpen ? (rollout?.ring ?? 0) + 1 : nil
            }
        }
    }

    /// Before anything of it is sent.
    func saveChanges() throws(FileError) {
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

    /// - Returns: whether all files were read.
    func readPublished() -> Bool {
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

    func unread(_ digests: [String]) -> [String] {
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

    func noteDamage(_ digest: String, _ error: FileError) {
        if brokenPublished[digest] != error.message { say("\(error.message); it is left alone") }
        brokenPublished[digest] = error.message
    }

    /// Published by an earlier version, or by somebody else: it is ours to keep from now on.
    func adopt(at now: Instant) {
        for other in news.kept.withLock({ $0.takeOthers() }) where book.isNews(other.label, at: now) {
            let label = other.label
            do {
                try publishedFolder.make()
                try publishedFolder.save(other.text, label.digest)
            } catch {
                say("an envelope at the broker cannot be kept: \(error.explanation)")
                continue
            }
            book.publish(label)
            say(
                "number \(label.seq) of \(label.kind.rawValue) for \(label.selector.text) was found at the broker; \(publishedFolder.name(label.digest)) keeps it"
            )
        }
    }
}
