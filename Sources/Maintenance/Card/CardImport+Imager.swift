import BoxCard
import CommandKit
import Console
import Glibc
import Host
import Texts

/// Imports the files that Raspberry Pi Imager wrote. Each is parsed once and kept. Files that people write for the box take
/// precedence and decide which parts of Imager's files are in force.
extension CardImport {
    /// A part of Imager's files that a person's own file overrides.
    private enum Part: CaseIterable {
        case networks, keys

        var kind: ImagerFile { self == .networks ? .networkConfig : .userData }
        var ownFile: String { self == .networks ? "wifi.txt" : "authorized_keys" }
    }

    func applyImager() {
        for kind in ImagerFile.allCases {
            applyKept(kind.rawValue, at: box.imager(kind)) { path throws(CardRefusal) in
                try applyImagerFile(kind, path)
            }
        }
        for part in Part.allCases {
            do throws(CardRefusal) { try resolve(part) } catch { refuse(part.kind.rawValue, error) }
        }
        reportImager()
    }

    /// The settings of the file that was imported last.
    func importedSettings(_ kind: ImagerFile) -> ImagerSettings? {
        guard isInForce(kind.rawValue) else { return nil }
        return (try? FileBytes.read(box.imager(kind), limit: 1 << 18)).flatMap {
            try? JSON.decode(ImagerSettings.self, from: $0)
        }
    }

    private func applyImagerFile(_ kind: ImagerFile, _ path: String) throws(CardRefusal) -> Result {
        // Read the bytes without conversion: Imager writes no UTF-16, which other files may have.
        let bytes: [UInt8]
        do throws(FileError) { bytes = try FileBytes.read(path, limit: ImagerFile.mostBytes) } catch {
            throw CardRefusal(plainly(error.message))
        }
        let settings: ImagerSettings
        do throws(ImagerError) { settings = try kind.read(bytes) } catch {
            throw CardRefusal([error.message, kind.consequence(of: error)])
        }
        if settings.isEmpty, settings.skipped.isEmpty { return .nothing }
        if let name = settings.hostname { try rename(name) }
        guard let document = try? JSON.encode(settings) else { throw CardRefusal("it cannot be kept") }
        try replace(box.imager(kind), document, mode: 0o600)
        return .imported([])
    }

    private func rename(_ name: String) throws(CardRefusal) {
        let line = Array("\(name)\n".utf8)
        try replace(box.nameByCard, line)
        try replace(box.etc + "/hostname", line)
        CardBox.runTool("hostname", name)
    }

    // MARK: Which file is in force

    /// Whether the person's own file is on the card, has content, and was imported.
    private func ownFileComesFirst(_ part: Part) -> Bool {
        isInForce(part.ownFile) && hasContent(part.ownFile)
    }

    private func hasContent(_ name: String) -> Bool {
        guard let path = box.file(name), let size = CardBox.size(of: path) else { return false }
        guard size <= CardNames.mostBytes(name), let text = try? text(path) else { return true }
        return !CardText.isEmpty(text)
    }

    /// Puts this part of Imager's file in force if no other file overrides it and it was not in force before. A change made on
    /// the box stays until the card's content changes.
    private func resolve(_ part: Part) throws(CardRefusal) {
        let (record, target) =
            part == .networks
            ? (box.state + "/networks-from", box.wireless) : (box.state + "/keys-from", box.keys)
        let source = CardBox.exists(target) ? words(record) : nil
        guard !ownFileComesFirst(part) else {
            if source != part.ownFile { try replace(record, Array("\(part.ownFile)\n".utf8)) }
            return
        }
        let name = part.kind.rawValue
        guard box.file(name) != nil, let settings = importedSettings(part.kind), let hash = store.hash(name),
            source != "\(name) \(hash)"
        else { return }
        switch part {
        case .networks:
            guard !settings.wifi.isEmpty else { return }
            try join(CardNetworks(settings))
        case .keys where settings.keys.isEmpty:
            // A file without keys removes only the keys of an earlier file of the same name.
            guard source?.hasPrefix(name) == true else { return }
            try replace(box.keys, [])
        case .keys: try admit(Array((settings.keys.joined(separator: "\n") + "\n").utf8))
        }
        sync()
        try replace(record, Array("\(name) \(hash)\n".utf8))
        // Forget the person's own file, so that it counts as new when it returns.
        store.forget(part.ownFile)
        if box.file(part.ownFile) != nil, !hasContent(part.ownFile) {
            store.report(CardRecord(part.ownFile, .nothingYet))
        }
    }

    // MARK: The report

    /// Rewrites the records of this boot, because the file in force may change although Imager's file does not.
    private func reportImager() {
        for record in store.records where record.outcome == .taken {
            guard let kind = ImagerFile(rawValue: record.name), let settings = importedSettings(kind) else {
                continue
            }
            switch kind {
            case .networkConfig where ownFileComesFirst(.networks):
                store.report(
                    CardRecord(record.name, .outranked, ["wifi.txt has a network, and comes first"]))
            case .networkConfig:
                store.report(CardRecord(record.name, .taken, settings.networkNotes))
            case .userData:
                let notes = settings.userNotes(
                    keysOutrank: ownFileComesFirst(.keys), zoneInForce: zoneOfConfiguration)
                store.report(CardRecord(record.name, .taken, notes))
            }
        }
    }
}
