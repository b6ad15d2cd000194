internal import CommandKit
internal import Envelope
internal import FleetPlan
internal import Glibc
internal import Host

/// `published/` below the fleet's folder: each envelope that `publish` gave to the broker, as a file that is named by its digest. The
/// topics on which it stands are in the envelope, so nothing of a topic gets into a path. One that was withdrawn has another end, and its
/// number still counts.
struct PublishedFolder: Sendable {
    let path: String

    init(_ folder: FleetFolder) { path = folder.path + "/published" }

    private static let fileEnd = ".envelope"
    private static let withdrawnEnd = ".withdrawn"
    /// A publication may wait for its broker for this long.
    private static let patienceSeconds = 45.0

    func make() throws(FleetError) {
        if unsafe mkdir(path, 0o755) != 0, errno != EEXIST {
            throw FleetError(.failed, FileError("create", path, code: errno).message)
        }
    }

    private var lockPath: String { path + "/edit.lock" }

    /// Whether somebody is at work in ``edit(_:)``. A lock that cannot be looked at keeps nobody waiting.
    var isBusy: Bool {
        do throws(FileError) {
            guard let lock = try LockFile.acquire(lockPath, patienceSeconds: 0) else { return true }
            lock.release()
            return false
        } catch {
            return false
        }
    }

    /// While numbers are compared and the new one is written down, nobody else publishes or begins a roll-out.
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

    /// Below the fleet's folder.
    func withdrawnName(_ digest: String) -> String { "published/\(digest)\(Self.withdrawnEnd)" }

    /// Below the fleet's folder.
    func name(_ digest: String) -> String { "published/\(digest)\(Self.fileEnd)" }

    private func file(_ digest: String) -> String { "\(path)/\(digest)\(Self.fileEnd)" }

    private func withdrawnFile(_ digest: String) -> String { "\(path)/\(digest)\(Self.withdrawnEnd)" }

    /// The digests of all that are published.
    func digests() throws(FileError) -> [String] { try contents().published }

    /// The digests of all that are there, from one look; none where there is no folder yet, as in one of an earlier version. One that a
    /// backup has brought back beside its withdrawal is withdrawn.
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
            .filter(RolloutFolder.isDigest)
    }

    /// Of a path of such a file, which may be there no more.
    static func digest(of path: String) -> String? {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        return (digests([name], fileEnd) + digests([name], withdrawnEnd)).first
    }

    /// Whether it is published still.
    func has(_ digest: String) -> Bool {
        guard unsafe access(withdrawnFile(digest), F_OK) != 0 else { return false }
        return unsafe access(file(digest), F_OK) == 0
    }

    /// The label counts whatever key has signed it: its number was given to boxes.
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

    /// All that the files say.
    struct Labels {
        var published: [EnvelopeLabel] = []
        var withdrawn: [EnvelopeLabel] = []
        var damaged: [ChangeCheck.Damaged] = []
        /// Sentences about files that cannot be read.
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

    /// Of the file of a published envelope.
    func stamp(_ digest: String) -> FileStamp? { FileStamp(file(digest)) }

    /// From here on nobody gives it to a broker, and its number stays.
    func withdraw(_ digest: String) throws(FileError) {
        try AtomicFile.move(file(digest), to: withdrawnFile(digest))
    }

    /// Writes one that was withdrawn again, whose file is damaged.
    func restoreWithdrawn(_ text: [UInt8], _ digest: String) throws(FileError) {
        try AtomicFile.write(text, to: withdrawnFile(digest), like: withdrawnFile(digest))
    }

    /// Whether a path leads to a file of this folder.
    func isFolder(of path: String) -> Bool {
        Directories.areSame(Directories.parent(of: path), self.path)
    }

    func remove(_ digest: String) {
        for file in [file(digest), withdrawnFile(digest)] { _ = unsafe unlink(file) }
    }
}

/// The envelopes that boxes were given out of a fleet's folder.
struct KnownChanges {
    let published: [EnvelopeLabel]
    /// Those that were published and withdrawn.
    let withdrawn: [EnvelopeLabel]
    let damaged: [ChangeCheck.Damaged]
    let rollouts: [FleetRollout]

    /// One that cannot be read is reported on standard error, and left out of account.
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

    /// - Parameter kept: the envelopes of the broker on the topics that matter.
    func check(kept: [ChangePlace: EnvelopeLabel] = [:]) -> ChangeCheck {
        ChangeCheck(
            published: published, withdrawn: withdrawn, damaged: damaged, rollouts: rollouts, kept: kept)
    }
}
