import CLinux
import Glibc
import Host
import Protocol
import Recording
import Settings
import Texts

/// Reads the bytes of other people's recordings in a separate process, with the rights of the sounds' owner and without a
/// network. A file that takes over the decoder gains nothing else, even if root adds it.
///
/// The worker is this program, started with ``word``; the recording is open as ``ChildProcess/firstDescriptor``.
package enum SoundWorker {
    static let word = "_sound-worker"
    /// The path by which the decoder opens the file: its descriptor alone.
    static let link = "/proc/self/fd/\(ChildProcess.firstDescriptor)"
    private static let recognising = "recognise"
    private static let measuring = "measure"
    private static let running = "run"

    /// Seconds to wait for measuring. Ten minutes of sound take a slow computer half a minute.
    private static let limitSeconds = 300.0
    private static let mostOutput = 64 << 10

    // MARK: The requesting process

    /// The kind of the file by its first bytes, if it is certainly not MP3.
    static func foreignKind(
        of file: Int32, as owner: StateDirectory.Owner
    ) throws(Refusal) -> String? {
        let report = try ask(recognising, file, owner)
        if let refusal = report.refusal { throw refusal }
        return report.foreign.map { PlainText.visible($0) }
    }

    /// - Throws: the kind of file, if it is not a recording.
    static func measure(
        _ file: Int32, as owner: StateDirectory.Owner
    ) throws(Refusal) -> (info: SoundInfo, loudness: Loudness) {
        let report = try ask(measuring, file, owner)
        if let refusal = report.refusal { throw refusal }
        guard let measured = report.measured?.result else {
            throw Refusal(kind: .other, text: "the decoder gave no answer")
        }
        return measured
    }

    private static func ask(
        _ word: String, _ file: Int32, _ owner: StateDirectory.Owner
    ) throws(Refusal) -> Report {
        let outcome: ChildProcess.Outcome
        do throws(FileError) {
            outcome = try start(
                owner, [word], descriptors: [file], limit: limitSeconds, mostOutput: mostOutput)
        } catch {
            throw Refusal(kind: .other, text: error.message)
        }
        guard case .exited(0) = outcome.ending,
            let report = try? JSON.decode(Report.self, from: outcome.output)
        else {
            let end =
                switch outcome.ending {
                case .killed(let signal): "was ended by signal \(signal)"
                case .timedOut: "had not decoded it after \(Int(limitSeconds / 60)) min"
                case .exited: "gave no answer"
                }
            throw Refusal(kind: .other, text: "the decoder \(end)")
        }
        return report
    }

    /// Runs another program with the owner's rights; see
    /// ``ChildProcess/run(_:_:environment:descriptors:limit:mostOutput:guarding:)``.
    static func run(
        _ program: String, _ arguments: [String], descriptors: [Int32],
        as owner: StateDirectory.Owner, limit: Double
    ) throws(FileError) -> ChildProcess.Outcome {
        try start(
            owner, [running, program] + arguments, descriptors: descriptors, limit: limit, mostOutput: 0)
    }

    private static func start(
        _ owner: StateDirectory.Owner, _ words: [String], descriptors: [Int32], limit: Double,
        mostOutput: Int
    ) throws(FileError) -> ChildProcess.Outcome {
        try ChildProcess.run(
            "/proc/self/exe", called: "adhanctl", [word, "\(owner.user)", "\(owner.group)"] + words,
            environment: ["PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C"], descriptors: descriptors,
            limitSeconds: limit, mostOutput: mostOutput, guarding: Interruption.runs)
    }

    // MARK: The worker process

    /// Runs as the worker if the command line begins with ``word``.
    package static func serve(_ arguments: [String]) {
        guard arguments.first == word else { return }
        guard arguments.count >= 4, let user = uid_t(arguments[1]), let group = gid_t(arguments[2]),
            dropPrivileges(user, group)
        else { _exit(EXIT_FAILURE) }
        switch arguments[3] {
        case recognising:
            report { report, path throws(RecordingError) in
                do throws(RecordingError) {
                    try SoundProbe.sniff(path: path)
                } catch .notMP3(_, let kind) {
                    report.foreign = kind
                }
            }
        case measuring:
            report { report, path throws(RecordingError) in
                report.measured = Measured(try SoundProbe.measure(path: path))
            }
        case running where arguments.count > 4: become(Array(arguments[4...]))
        default: _exit(EXIT_FAILURE)
        }
    }

    /// - Returns: false if rights remain that should be given up.
    private static func dropPrivileges(_ user: uid_t, _ group: gid_t) -> Bool {
        if geteuid() == 0 {
            adhand_leave_network()
            guard setgroups(0, nil) == 0, setgid(group) == 0, setuid(user) == 0 else { return false }
            guard user == 0 || setuid(0) != 0 else { return false }
        }
        adhand_confine()
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        return true
    }

    private static func report(
        _ inspect: (inout Report, String) throws(RecordingError) -> Void
    ) -> Never {
        let path = link
        var report = Report()
        do throws(RecordingError) {
            try inspect(&report, path)
        } catch {
            report.refusal = Refusal(error)
        }
        guard let bytes = try? JSON.encode(report), OwnedDescriptor.write(bytes, to: STDOUT_FILENO) == nil
        else { _exit(EXIT_FAILURE) }
        _exit(EXIT_SUCCESS)
    }

    private static func become(_ words: [String]) -> Never {
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        unsafe execv(words[0], &arguments)
        _exit(127)
    }

    // MARK: Messages between the processes

    struct Report: Codable {
        var measured: Measured?
        var foreign: String?
        var refusal: Refusal?
    }

    /// Why a file cannot be measured.
    struct Refusal: Codable, Error {
        enum Kind: String, Codable {
            case noAudio, other
        }

        let kind: Kind
        let text: String

        init(kind: Kind, text: String) {
            self.kind = kind
            self.text = text
        }

        init(_ error: RecordingError) {
            kind = if case .noAudio = error { .noAudio } else { .other }
            text = error.description
        }
    }

    /// The measured numbers, which the caller checks.
    struct Measured: Codable {
        let rate: Int
        let channels: Int
        let frames: Int
        let warnings: [String]
        let integrated: Double?
        let truePeak: Double
        let evidence: RecordingEvidence

        init(_ measured: (info: SoundInfo, loudness: Loudness)) {
            (rate, channels, frames) = (measured.info.rateHz, measured.info.channels, measured.info.frames)
            warnings = measured.info.warnings
            integrated = measured.loudness.integratedLufs
            // JSON has no infinity.
            truePeak = max(measured.loudness.truePeakDb, VolumeScale.silenceDb)
            evidence = measured.info.evidence
        }

        /// The result; `nil` if the numbers cannot be those of a recording.
        var result: (info: SoundInfo, loudness: Loudness)? {
            guard (1...1_000_000).contains(rate), 1...2 ~= channels, frames >= 0, evidence.seconds > 0,
                warnings.count < 100
            else { return nil }
            let info = SoundInfo(
                rateHz: rate, channels: channels, frames: frames, durationSeconds: evidence.seconds,
                warnings: warnings, evidence: evidence)
            return (info, Loudness(integratedLufs: integrated, truePeakDb: truePeak))
        }
    }
}
