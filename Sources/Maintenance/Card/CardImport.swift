import BoxCard
import CommandKit
import Console
package import ControlClient
import Glibc
import Host
import Texts

/// Imports files of the card: only those that differ from the last ones, and only if they are valid.
package struct CardImport {
    /// The outcome of a file that was read.
    enum Result {
        /// The file is in force; the sentences describe how it was understood.
        case imported([String])
        /// The file is empty.
        case nothing
        /// The file has become empty; these parts were removed.
        case removed([String])
    }

    let box: CardBox
    package let store: CardStore
    let daemon: ControlClient
    let named: NamedPlaces

    package init(
        box: CardBox, store: CardStore, daemon: ControlClient, named: NamedPlaces
    ) {
        self.box = box
        self.store = store
        self.daemon = daemon
        self.named = named
    }

    /// Whether the box has content of this file in force.
    func isInForce(_ name: String) -> Bool { store.hash(name) != nil }

    /// Runs `read` with the path of a file unless it was imported last; returns whether anything changed. If `read` refuses,
    /// nothing has changed and the next boot tries again.
    @discardableResult
    func importFile(_ name: String, _ path: String, _ read: (String) throws(CardRefusal) -> Result) -> Bool {
        let most = CardNames.mostBytes(name)
        guard let size = CardBox.size(of: path) else {
            store.report(CardRecord(name, .unreadable))
            return false
        }
        do throws(CardRefusal) {
            guard size <= most else {
                throw CardRefusal("it has more than \(most >> 10) KB: it is no file for this box")
            }
            var digest = SHA256.Digest()
            guard (try? FileBytes.read(path, limit: most, inParts: { digest.add($0) })) != nil else {
                store.report(CardRecord(name, .unreadable))
                return false
            }
            let hash = digest.hex
            if hash == store.hash(name) {
                store.reportAgain(name, .taken)
                return false
            }
            switch try read(path) {
            case .imported(let lines):
                store.reportAtEveryBoot(CardRecord(name, .taken, lines))
                try keep(hash, of: name)
                log("\(name) on the card is new, and was taken over")
            case .nothing:
                if isInForce(name) {
                    store.report(CardRecord(name, .emptied))
                } else {
                    store.reportAgain(name, .nothingYet)
                }
                return false
            case .removed(let lines):
                store.reportAtEveryBoot(CardRecord(name, .removed, lines))
                store.forgetHash(name)
                log("\(name) on the card says nothing any more, and its settings were removed")
            }
            return true
        } catch {
            refuse(name, error)
            return false
        }
    }

    func refuse(_ name: String, _ refusal: CardRefusal) {
        store.report(CardRecord(name, .refused, refusal.lines))
        StandardError.write(
            CardReport.visible("\(name) on the card was not taken over: adhand-report.txt there says why"))
    }

    /// Imports a file in the card's top folder, if present, that the box keeps as `kept`. If the box has lost that copy, the
    /// file counts as not imported.
    func applyKept(_ name: String, at kept: String, _ read: (String) throws(CardRefusal) -> Result) {
        if !CardBox.exists(kept) { store.forget(name) }
        if let path = box.file(name) { importFile(name, path, read) }
    }

    private func keep(_ hash: String, of name: String) throws(CardRefusal) {
        do throws(FileError) { try store.keep(hash: hash, of: name) } catch {
            throw CardRefusal(error.message)
        }
    }

    private func log(_ sentence: String) {
        try? Output(json: false).write(CardReport.visible(sentence) + "\n")
    }

    // MARK: For the kinds of files

    func text(_ path: String) throws(CardRefusal) -> [UInt8] {
        do throws(FileError) {
            return CardText.plain(try FileBytes.read(path, limit: 32 << 20))
        } catch {
            throw CardRefusal(plainly(error.message))
        }
    }

    /// Replaces a file of the box as a whole.
    /// - Parameter group: the group that may read it if the mode permits it.
    func replace(_ path: String, _ bytes: [UInt8], mode: mode_t = 0o644, group: gid_t? = nil)
        throws(CardRefusal)
    {
        do throws(FileError) {
            try Directories.make(Directories.parent(of: path), mode: 0o755)
            try AtomicFile.replace(path, mode: mode) { draft throws(FileError) in
                if let group { unsafe chown(draft.path, uid_t.max, group) }
                try draft.write(bytes)
            }
        } catch {
            throw CardRefusal(plainly(error.message))
        }
    }

    /// A sentence of this program without paths on this box.
    func plainly(_ sentence: String) -> String {
        [box.card, box.run, box.etc + "/adhand"].reduce(sentence) { $0.replacing($1 + "/", with: "") }
    }

    func refusal(_ error: CommandError) -> CardRefusal { CardRefusal(plainly(error.message)) }
}
