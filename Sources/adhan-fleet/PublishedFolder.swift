internal import CommandKit
internal import Envelope
internal import FleetPlan
internal import Glibc
internal import Host
internal import Texts

/// `published/` in the fleet's folder: each envelope that `publish` gave to the broker, in a file named by its digest. The
/// envelope names its topics, so no part of a topic gets into a path. A withdrawn envelope has another file extension, and its
/// number remains used.
struct PublishedFolder: Sendable {
    let path: String

    init(_ folder: FleetFolder) { path = folder.path + "/published" }

    private static let fileEnd = ".envelope"
    private static let withdrawnEnd = ".withdrawn"
    /// How long the lock is waited for, because a publication may wait for its broker.
    private static let patienceSeconds = 45.0

    func make() throws(FleetError) {
        if unsafe mkdir(path, 0o755) != 0, errno != EEXIST {
            throw FleetError(.failed, FileError("create", path, code: errno).message)
        }
    }

    private var lockPath: String { path + "/edit.lock" }

    /// Whether another program is inside ``edit(_:)``. A lock that cannot be checked counts as free.
    var isBusy: Bool {
        do throws(FileError) {
            guard let lock = try LockFile.acquire(lockPath, patienceSeconds: 0) else { return true }
            lock.release()
            return false
        } catch {
            return false
        }
    }

    /// Locks the folder, so that no other publication or roll-out starts while numbers are compared and the new one is saved.
    func edit<Result>(_ work: () throws(FleetError) -> Result) throws(FleetError) -> Result {
        try make()
        let lock: LockFile?
        do throws(FileError) {
            lock = try LockFile.acquire(lockPath, patienceSeconds: Self.patienceSeconds)
        } catch {
            throw FleetError(.failed, error.message)
        }
        guard let lock else {
            throw FleetError(
                .failed,
                "another \"adhan-fleet publish\", \"withdraw\" or \"rollout start\" has been at work for long; type the same again when it has ended"
            )
        }
        defer { lock.release() }
        return try work()
    }

    // MARK: Files

    /// The path in the fleet's folder of a withdrawn envelope.
    func withdrawnName(_ digest: String) -> String { "published/\(digest)\(Self.withdrawnEnd)" }

    /// The path in the fleet's folder of a published envelope.
    func name(_ digest: String) -> String { "published/\(digest)\(Self.fileEnd)" }

    private func file(_ digest: String) -> String { "\(path)/\(digest)\(Self.fileEnd)" }

    private func withdrawnFile(_ digest: String) -> String { "\(path)/\(digest)\(Self.withdrawnEnd)" }

    /// The digests of all published envelopes.
    func digests() throws(FileError) -> [String] { try contents().published }

    /// The digests of all files, from one reading of the folder. Both are empty where the folder does not exist, as in a fleet
    /// of an earlier version. An envelope that a backup restored beside its withdrawn file counts as withdrawn.
    func contents() throws(FileError) -> (published: [String], withdrawn: Set<String>) {
        let names: [String]
        do throws(FileError) { names = try Directories.names(in: path) } catch {
            guard error.isMissing else { throw error }
            return ([], [])
        }
        let withdrawn = Set(Self.digests(names, Self.withdrawnEnd))
        return (Self.digests(names, Self.fileEnd).filter { !withdrawn.contains($0) }, withdrawn)
    }

    private static func digests(_ names: [String], _ end: String) -> [String] {
        names.filter { $0.hasSuffix(end) }.map { String($0.dropLast(end.count)) }
            .filter(SHA256.isHex)
    }

    /// The digest in the path of such a file, which may no longer exist.
    static func digest(of path: String) -> String? {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        return (digests([name], fileEnd) + digests([name], withdrawnEnd)).first
    }

    /// Whether the envelope is published and not withdrawn.
    func has(_ digest: String) -> Bool {
        guard unsafe access(withdrawnFile(digest), F_OK) != 0 else { return false }
        return unsafe access(file(digest), F_OK) == 0
    }

    /// Reads an envelope. Its label counts regardless of the key that signed it, because boxes were given its number.
    func read(_ digest: String) throws(FileError) -> (label: EnvelopeLabel, text: [UInt8]) {
        try Self.read(file(digest), digest)
    }

    func readWithdrawn(_ digest: String) throws(FileError) -> EnvelopeLabel {
        try Self.read(withdrawnFile(digest), digest).label
    }

    private static func read(
        _ file: String, _ digest: String
    ) throws(FileError) -> (label: EnvelopeLabel, text: [UInt8]) {
        let bytes = try FileBytes.read(file, limit: SignedEnvelope.largestBytes)
        guard let label = EnvelopeLabel(of: bytes, digest: digest) else {
            throw FileError("read", file, reason: "it is damaged")
        }
        return (label, bytes)
    }

    /// The labels in all files.
    struct Labels {
        var published: [EnvelopeLabel] = []
        var withdrawn: [EnvelopeLabel] = []
        var damaged: [ChangeCheck.Damaged] = []
        /// Sentences that describe files that cannot be read.
        var complaints: [String] = []
    }

    func labels() -> Labels {
        var labels = Labels()
        let found: (published: [String], withdrawn: Set<String>)
        do throws(FileError) { found = try contents() } catch {
            labels.complaints = [error.message]
            return labels
        }
        for digest in found.published {
            do throws(FileError) { labels.published.append(try read(digest).label) } catch {
                labels.damaged.append(.init(digest: digest, isWithdrawn: false))
                labels.complaints.append(error.message)
            }
        }
        for digest in found.withdrawn.sorted() {
            do throws(FileError) {
                labels.withdrawn.append(try readWithdrawn(digest))
            } catch {
                labels.damaged.append(.init(digest: digest, isWithdrawn: true))
                labels.complaints.append(error.message)
            }
        }
        return labels
    }

    func save(_ text: [UInt8], _ digest: String) throws(FileError) {
        try AtomicFile.write(text, to: file(digest), like: file(digest))
    }

    /// The version of a published envelope's file.
    func stamp(_ digest: String) -> FileStamp? { FileStamp(file(digest)) }

    /// Withdraws an envelope: no program delivers it any more, and its number remains used.
    func withdraw(_ digest: String) throws(FileError) {
        try AtomicFile.move(file(digest), to: withdrawnFile(digest))
    }

    /// Rewrites the damaged file of a withdrawn envelope.
    func restoreWithdrawn(_ text: [UInt8], _ digest: String) throws(FileError) {
        try AtomicFile.write(text, to: withdrawnFile(digest), like: withdrawnFile(digest))
    }

    /// Whether a path leads to a file in this folder.
    func isFolder(of path: String) -> Bool {
        Directories.areSame(Directories.parent(of: path), self.path)
    }

    func remove(_ digest: String) {
        for file in [file(digest), withdrawnFile(digest)] { _ = unsafe unlink(file) }
    }
}

/// The envelopes in a fleet's folder that boxes were given.
struct KnownChanges {
    let published: [EnvelopeLabel]
    /// Envelopes that were published and later withdrawn.
    let withdrawn: [EnvelopeLabel]
    let damaged: [ChangeCheck.Damaged]
    let rollouts: [FleetRollout]

    /// Reads the folder. A file that cannot be read is reported on standard error and ignored.
    init(_ folder: FleetFolder) {
        let found = PublishedFolder(folder).labels()
        (published, withdrawn, damaged) = (found.published, found.withdrawn, found.damaged)
        var rollouts: [FleetRollout] = []
        var complaints = found.complaints
        let progress = RolloutFolder(folder)
        for digest in progress.digests() {
            do throws(FileError) { rollouts.append(try progress.read(digest)) } catch {
                complaints.append(error.message)
            }
        }
        self.rollouts = rollouts
        for complaint in complaints {
            StandardError.write("adhan-fleet: \(complaint), so its number is left out of account")
        }
    }

    /// - Parameter kept: the envelopes that the broker holds on the relevant topics.
    func check(kept: [ChangePlace: EnvelopeLabel] = [:]) -> ChangeCheck {
        ChangeCheck(
            published: published, withdrawn: withdrawn, damaged: damaged, rollouts: rollouts, kept: kept)
    }
}
