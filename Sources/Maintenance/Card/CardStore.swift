import BoxCard
import Console
import Glibc
package import Host
import Protocol
import Texts

/// The box's records about the files of the card: the hash of each file in force, its report when it was imported, and
/// its report of this boot.
package struct CardStore {
    let state: String

    private enum Kind: String, CaseIterable {
        /// The hash of the file in force.
        case hash = "seen"
        /// The report when the file was imported, for the reports of later boots.
        case lastingReport = "told"
        /// The report of this boot.
        case bootReport = "said"
    }

    package init(_ box: CardBox) throws(FileError) {
        state = box.state
        for kind in Kind.allCases { try Directories.make("\(state)/\(kind.rawValue)") }
    }

    /// The path of a record. A name that is too long for a file is replaced by its hash.
    private func path(_ kind: Kind, _ name: String) -> String {
        let key = name.replacing("/", with: ":")
        return "\(state)/\(kind.rawValue)/\(key.utf8.count <= 200 ? key : SHA256.hex(Array(key.utf8)))"
    }

    /// Discards the reports of the previous boot.
    package func beginBoot() {
        for name in (try? Directories.names(in: "\(state)/said")) ?? [] {
            _ = unsafe unlink("\(state)/said/\(name)")
        }
    }

    // MARK: Hashes

    /// The hash of the file that is in force.
    func hash(_ name: String) -> String? {
        (try? FileBytes.read(path(.hash, name), limit: 4096)).map {
            String(decoding: $0.prefix(64), as: UTF8.self)
        }
    }

    /// Saves the hash of a file. The effects of the file reach the disk first, because the hash means that nothing is left to do.
    func keep(hash: String, of name: String) throws(FileError) {
        sync()
        try AtomicFile.replace(path(.hash, name), mode: 0o600) { draft throws(FileError) in
            try draft.write(Array("\(hash)  -\n".utf8))
        }
    }

    func forgetHash(_ name: String) {
        sync()
        _ = unsafe unlink(path(.hash, name))
    }

    /// Forgets the hash of a file that the box has lost.
    func forget(_ name: String) {
        for kind in [Kind.hash, .lastingReport] { _ = unsafe unlink(path(kind, name)) }
    }

    // MARK: Reports

    func report(_ record: CardRecord) { write(record, .bootReport) }

    /// Reports a record at this boot and at later ones.
    func reportAtEveryBoot(_ record: CardRecord) {
        write(record, .lastingReport)
        write(record, .bootReport)
    }

    /// Repeats the report from when the file was imported, or `fallback` if that is unknown.
    func reportAgain(_ name: String, _ fallback: CardRecord.Outcome) {
        report(read(path(.lastingReport, name)) ?? CardRecord(name, fallback))
    }

    /// The records of this boot, by name.
    var records: [CardRecord] {
        ((try? Directories.names(in: "\(state)/said")) ?? []).compactMap { read("\(state)/said/\($0)") }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    private func read(_ path: String) -> CardRecord? {
        (try? FileBytes.read(path, limit: 1 << 20)).flatMap { try? JSON.decode(CardRecord.self, from: $0) }
    }

    private func write(_ record: CardRecord, _ kind: Kind) {
        guard let bytes = try? JSON.encode(record) else { return }
        try? AtomicFile.replace(path(kind, record.name), mode: 0o600) { draft throws(FileError) in
            try draft.write(bytes)
        }
    }
}
