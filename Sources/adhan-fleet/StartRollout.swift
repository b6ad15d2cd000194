internal import ArgumentParser
internal import CommandKit
internal import Envelope
internal import FleetPlan
internal import Glibc
internal import Host
internal import Texts

/// `adhan-fleet rollout start`
struct StartRollout: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract:
            "Begin with an envelope that \"adhan-fleet sign\" wrote, or with a release in the apt archive.",
        discussion: """
            Of a release the archive's indices for all rings must be in reprepro/rings, where "make archive-rings" has signed them \
            beforehand: no key is needed here.
            """)

    @OptionGroup var options: RolloutOptions

    @Argument(
        help: ArgumentHelp(
            "The envelope, or a release such as adhand=0.3.0.", valueName: "file | package=version"),
        completion: .file())
    var file: String

    func run() throws {
        let content = try options.place.folder.read()
        if let named = Self.release(file) { return try start(named, content) }
        let (text, payload) = try VerifyCommand.acceptedEnvelope(from: file, content)
        guard payload.kind != .command else {
            throw FleetError(
                .usage,
                "a command holds for an hour at most, and a ring lasts longer; \"adhan-fleet publish\" gives it to all"
            )
        }
        guard let digest = try? SignedEnvelope(text).digest else {
            throw FleetError(.invalidInput, "the envelope has no digest")
        }
        try options.folder.make()
        try options.requireWatcher()
        let rollout = FleetRollout(
            digest: digest, kind: payload.kind, seq: payload.seq, at: WallClock.now())
        try PublishedFolder(options.place.folder).edit { () throws(FleetError) in
            try begin(rollout, EnvelopeLabel(payload, digest: digest), text, content)
        }
        try options.show(.envelope(rollout))
    }

    /// The release that the argument names, where it is no file and has the form of one.
    private static func release(_ text: String) -> (name: String, version: String)? {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !text.contains("/"), unsafe access(text, F_OK) != 0 else { return nil }
        return (String(parts[0]), String(parts[1]))
    }

    private func start(
        _ named: (name: String, version: String), _ content: FleetFolder.Content
    ) throws {
        guard named.name == PackageRollout.packageName else {
            throw FleetError(
                .usage,
                "\"\(PlainText.visible(named.name))\" is not rolled out by itself: boxes report the version of adhand, and a release has one for all packages; type adhand=VERSION"
            )
        }
        guard let version = PackageRollout.version(of: PackageRollout.name(of: named.version)) else {
            throw FleetError(
                .usage, "\"\(PlainText.visible(named.version))\" is no version; type one such as adhand=0.3.0"
            )
        }
        try ArchiveFolder(options.place.folder).check(version, rings: content.config.rollout.rings)
        try options.folder.make()
        try options.requireWatcher()
        let rollout = PackageRollout(version: version, at: WallClock.now())
        try begin(rollout)
        try options.show(.release(rollout))
    }

    private func begin(_ rollout: PackageRollout) throws(FleetError) {
        var refusal: FleetError?
        do throws(FileError) {
            try options.folder.edit { () throws(FileError) in
                for version in options.folder.versions() {
                    guard version != rollout.version else {
                        refusal = FleetError(
                            .failed,
                            "\(rollout.name) has a roll-out already; a release that was stopped needs a higher version"
                        )
                        return
                    }
                    guard let other = try? options.folder.read(version: version), !other.state.isOver else {
                        continue
                    }
                    refusal = FleetError(
                        .failed,
                        "the roll-out of \(other.name) is \(other.state.rawValue): \"adhan-fleet rollout abort \(other.name)\" ends it"
                    )
                    return
                }
                try options.folder.save(rollout)
            }
        } catch {
            throw FleetError(.failed, error.message)
        }
        if let refusal { throw refusal }
    }

    private func begin(
        _ rollout: FleetRollout, _ label: EnvelopeLabel, _ text: [UInt8], _ content: FleetFolder.Content
    ) throws(FleetError) {
        var refusal: ChangeCheck.Refusal?
        do throws(FileError) {
            try options.folder.edit { () throws(FileError) in
                let known = KnownChanges(options.place.folder)
                do throws(ChangeCheck.Refusal) {
                    try known.check().rollOut(label)
                } catch {
                    refusal = error
                    return
                }
                // The progress is saved last, because the watcher begins when it appears.
                try options.folder.saveEnvelope(text, rollout.digest)
                try options.folder.save(rollout)
            }
        } catch {
            throw FleetError(.failed, error.message)
        }
        if let refusal {
            throw FleetError(.failed, refusal.sentence(about: label, FleetTopic(org: content.org)))
        }
    }
}
