internal import Envelope
internal import FleetPlan
internal import Host
internal import PrayerEngine
internal import Synchronization

/// Reads the files of roll-outs and published envelopes, and keeps them consistent with the broker and the progress.
extension RolloutKeeper {
    /// The most files read per turn: each signature takes a millisecond, and the alarms wait for it.
    private static let mostFilesRead = 500

    /// Reads the roll-outs with the changes that people made since the last turn.
    func readFolder() {
        let digests = folder.digests()
        for digest in Set(book.entries.keys).subtracting(digests) {
            log("the roll-out \(digest.prefix(16)) is gone from \(folder.path)")
            book.remove(digest)
            (kept[digest], envelopes[digest], standing[digest]) = (nil, nil, nil)
        }
        book.formerRolledOut = book.formerRolledOut.filter { digests.contains($0.key) }
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
                if broken[digest] != reason { log("a roll-out is left alone: \(reason)") }
                broken[digest] = reason
                // If the progress cannot be read either, the roll-out counts as open.
                let rollout = (try? folder.read(digest)) ?? book.entries[digest]?.rollout
                let isOpen = rollout?.state.canBeEnded ?? true
                standing[digest] = isOpen ? (rollout?.ring ?? 0) + 1 : nil
                // A completed roll-out is still given to boxes that join later.
                if rollout?.state == .done, let text = try? folder.envelope(digest), isOfFormerKey(text) {
                    book.formerRolledOut[digest] = EnvelopeLabel(of: text, digest: digest)
                }
            }
        }
    }

    /// Saves changed roll-outs, before any of their envelopes is sent.
    func saveChanges() throws(FileError) {
        for (digest, entry) in book.entries where kept[digest] != entry.rollout {
            try folder.save(entry.rollout)
            if let before = kept[digest],
                before.state != entry.rollout.state || before.ring != entry.rollout.ring
            {
                log(
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
            if folderProblem != error.message { log("\(error.message), so no change is given to boxes") }
            folderProblem = error.message
            return false
        }
        let present = Set(digests)
        for digest in withdrawn where book.published[digest] != nil {
            log("\(publishedFolder.name(digest)) was withdrawn, and is given to nobody any more")
        }
        book.withdraw(withdrawn)
        for digest in Set(book.published.keys).subtracting(present) {
            log("\(publishedFolder.name(digest)) is gone; what it published stays at the broker")
            book.removePublished(digest)
        }
        brokenPublished = brokenPublished.filter { present.contains($0.key) }
        book.formerPublished = book.formerPublished.filter { present.contains($0.key) }
        formerStamps = formerStamps.filter { present.contains($0.key) }
        let unread = unread(digests)
        for digest in unread.prefix(Self.mostFilesRead) { readPublished(digest) }
        readNumbers(of: withdrawn)
        let known = present.union(withdrawn).union(folder.digests())
        news.kept.withLock { if $0.known != known { $0.known = known } }
        return unread.count <= Self.mostFilesRead
    }

    func unread(_ digests: [String]) -> [String] {
        digests.filter {
            (book.published[$0] == nil || brokenPublished[$0] != nil)
                && (book.formerPublished[$0] == nil || formerStamps[$0] != publishedFolder.stamp($0))
        }
    }

    private func readPublished(_ digest: String) {
        // The version is read before the text, so that a write in between is noticed at the next turn.
        formerStamps[digest] = publishedFolder.stamp(digest)
        do throws(FileError) {
            let (label, text) = try publishedFolder.read(digest)
            if let reason = disbelief(text) {
                guard reason.reason == .unknownKey else { throw unusable(digest, reason) }
                if book.formerPublished[digest] == nil {
                    log("\(publishedFolder.name(digest)) is given to no broker any more: \(reason.sentence)")
                }
                book.formerPublished[digest] = label
                book.removePublished(digest)
            } else {
                book.formerPublished[digest] = nil
                book.publish(label)
            }
            brokenPublished[digest] = nil
        } catch {
            noteDamage(digest, error)
        }
    }

    /// Reads the numbers of withdrawn envelopes: a change that has to be signed again needs a number above them.
    private func readNumbers(of withdrawn: Set<String>) {
        let isAsked = !book.formerPublished.isEmpty || !book.formerRolledOut.isEmpty
        guard isAsked, numbered != withdrawn else { return }
        numbered = withdrawn
        for digest in withdrawn {
            guard let label = try? publishedFolder.readWithdrawn(digest) else { continue }
            book.withdrawnNumbers[label.kind] = max(label.seq, book.withdrawnNumbers[label.kind] ?? 0)
        }
    }

    /// The reason why boxes would refuse a text; `nil` where they would accept it.
    private func disbelief(_ text: [UInt8]) -> EnvelopeRefusal? {
        do throws(EnvelopeRefusal) { _ = try VerifyCommand.signedLabel(of: text, content) } catch {
            return error
        }
        return nil
    }

    private func isOfFormerKey(_ text: [UInt8]) -> Bool { disbelief(text)?.reason == .unknownKey }

    private func unusable(_ digest: String, _ reason: EnvelopeRefusal) -> FileError {
        FileError("use", publishedFolder.name(digest), reason: reason.sentence)
    }

    /// The text of a published envelope, checked as boxes would: a file may have been damaged since it was last read.
    func believedText(_ digest: String) throws(FileError) -> [UInt8] {
        let text = try publishedFolder.read(digest).text
        if let reason = disbelief(text) { throw unusable(digest, reason) }
        return text
    }

    func noteDamage(_ digest: String, _ error: FileError) {
        if brokenPublished[digest] != error.message { log("\(error.message); it is left alone") }
        brokenPublished[digest] = error.message
    }

    /// Saves envelopes at the broker that an earlier version or another program published, and looks after them from now on.
    func adopt(at now: Instant) {
        for other in news.kept.withLock({ $0.drainOthers() }) where book.isNews(other.label, at: now) {
            let label = other.label
            do {
                try publishedFolder.make()
                try publishedFolder.save(other.text, label.digest)
            } catch {
                log("an envelope at the broker cannot be kept: \(error.explanation)")
                continue
            }
            book.publish(label)
            log(
                "number \(label.seq) of \(label.kind.rawValue) for \(label.selector.text) was found at the broker; \(publishedFolder.name(label.digest)) keeps it"
            )
        }
    }
}
