import Glibc
import Host

/// ffmpeg, where it is installed: makes MP3 of what is some other sound.
struct Converter {
    let program: String

    /// Seconds. A recording of ten minutes takes one or two, on a slow computer twenty.
    private static let limit = 300.0

    /// Nil where there is none.
    init?(in environment: Environment) {
        guard let program = ChildProcess.find("ffmpeg", in: environment) else { return nil }
        self.program = program
    }

    /// - Parameters:
    ///   - source: read from its beginning.
    ///   - kind: "an Ogg Vorbis file".
    func convert(
        _ source: Int32, _ file: String, _ kind: String, into draft: borrowing SoundDraft
    ) throws(Refusal) {
        let outcome: ChildProcess.Outcome
        do throws(FileError) {
            outcome = try ChildProcess.run(
                program, Self.arguments, environment: ["PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C"],
                descriptors: [source, draft.descriptor.raw], limit: Self.limit, running: Interruption.runs)
        } catch {
            throw Refusal(.failed, "cannot convert \"\(file)\": \(error.message)")
        }
        let subject = "cannot add \"\(file)\": this is \(kind), and ffmpeg"
        switch outcome.ending {
        case .exited(0): return
        case .exited(let status):
            let reason =
                outcome.errorText.split(separator: "\n").last.map(String.init) ?? "exit status \(status)"
            let isDisk =
                outcome.errorText.contains("No space left") || outcome.errorText.contains("File too large")
            throw Refusal(isDisk ? .failed : .invalidInput, "\(subject) could not convert it: \(reason)")
        case .killed(let signal):
            throw Refusal(.failed, "\(subject) was ended by signal \(signal) while it converted it")
        case .timedOut:
            throw Refusal(.failed, "\(subject) had not converted it after \(Int(Self.limit / 60)) min")
        }
    }

    /// Both files are handed over open, so that no name can be taken for an option or an address. The first sound stream
    /// alone, as MP3 of variable rate, quality 2 of LAME's 0...9 (some 190 kbit/s).
    private static var arguments: [String] {
        let (input, output) = (ChildProcess.firstDescriptor, ChildProcess.firstDescriptor + 1)
        return [
            "-nostdin", "-hide_banner", "-loglevel", "error", "-y", "-protocol_whitelist", "file",
            "-i", "file:/proc/self/fd/\(input)", "-map", "0:a:0", "-map_metadata", "-1", "-c:a", "libmp3lame",
            "-q:a", "2", "-f", "mp3", "file:/proc/self/fd/\(output)",
        ]
    }
}
