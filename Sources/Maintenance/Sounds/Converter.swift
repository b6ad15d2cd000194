import CommandKit
import Glibc
import Host

/// Converts other kinds of sound to MP3 with ffmpeg, if that is installed.
struct Converter {
    let program: String

    /// Seconds to wait for ffmpeg. A recording of ten minutes takes one or two, on a slow computer twenty.
    private static let limitSeconds = 300.0

    /// Returns nil if ffmpeg is not installed.
    init?(in environment: Environment) {
        guard let program = ChildProcess.find("ffmpeg", in: environment) else { return nil }
        self.program = program
    }

    /// - Parameters:
    ///   - source: the file, read from its beginning.
    ///   - kind: the kind of file in a sentence: "an Ogg Vorbis file".
    /// - Returns: sentences about oddities of a file that was converted.
    func convert(
        _ source: Int32, _ file: String, _ kind: String, into draft: borrowing SoundDraft,
        as owner: StateDirectory.Owner
    ) throws(CommandError) -> [String] {
        let outcome: ChildProcess.Outcome
        do throws(FileError) {
            outcome = try SoundWorker.run(
                program, Self.arguments, descriptors: [source, draft.raw], as: owner,
                limit: Self.limitSeconds)
        } catch {
            throw CommandError(.failed, "cannot convert \"\(file)\": \(error.message)")
        }
        let subject = "cannot add \"\(file)\": this is \(kind), and ffmpeg"
        let errorLines = outcome.errorText.split(separator: "\n")
        // On a full disk ffmpeg may exit with success. Check the disk itself, because ffmpeg's messages may change.
        if let code = draft.writeError {
            throw CommandError(
                .failed, "cannot write to \"\(draft.place)\": \(SystemError.text(code)); nothing was added")
        }
        switch outcome.ending {
        case .exited(0):
            let odd = errorLines.first.map { ["ffmpeg met errors in it: \(Self.nameless($0))"] } ?? []
            return ["it was \(kind), and ffmpeg converted it to MP3"] + odd
        case .exited(let status):
            let reason = errorLines.first.map(Self.nameless) ?? "exit status \(status)"
            throw CommandError(
                .invalidInput, "\(subject) found no sound in it that it could convert: \(reason)")
        case .killed(let signal):
            throw CommandError(.failed, "\(subject) was ended by signal \(signal) while it converted it")
        case .timedOut:
            throw CommandError(
                .failed, "\(subject) had not converted it after \(Int(Self.limitSeconds / 60)) min")
        }
    }

    /// A line of ffmpeg's output without its name for the file, which means nothing to people.
    private static func nameless(_ line: Substring) -> String {
        String(line.replacing("\(input): ", with: ""))
    }

    private static let input = "file:/proc/self/fd/\(ChildProcess.firstDescriptor)"
    private static let output = "file:/proc/self/fd/\(ChildProcess.firstDescriptor + 1)"

    /// Both files are passed as open descriptors, so that no name can be read as an option or an address. Only the first sound
    /// stream is used, as MP3 of variable rate, quality 2 of LAME's 0...9 (some 190 kbit/s).
    private static let arguments = [
        "-nostdin", "-hide_banner", "-loglevel", "error", "-y", "-protocol_whitelist", "file",
        "-i", input, "-map", "0:a:0", "-map_metadata", "-1", "-c:a", "libmp3lame", "-q:a", "2", "-f", "mp3",
        output,
    ]
}
