/// Why something cannot be played. `description` is a sentence for a person: operation, object, cause.
package enum PlaybackError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file cannot be opened or read, or is not a regular file.
    case unreadable(path: String, cause: String)
    /// The file is something else than MP3; `kind` names it: "an Ogg Vorbis file".
    case notMP3(path: String, kind: String)
    /// libmpg123 found not a single frame of audio.
    case noAudio(path: String)
    /// libmpg123 could not be set up.
    case decoder(path: String, cause: String)
    /// The device could not be opened or configured. `code` is the negative errno of ALSA.
    case device(name: String, operation: String, code: Int32, cause: String)
    /// The device accepted everything and then stood still.
    case stalled(name: String, seconds: Double)

    package var description: String {
        switch self {
        case .unreadable(let path, let cause): "cannot read \"\(path)\": \(cause)"
        case .notMP3(let path, let kind): "cannot play \"\(path)\": this is \(kind), not MP3"
        case .noAudio(let path): "cannot play \"\(path)\": there is no MP3 audio in it"
        case .decoder(let path, let cause): "cannot decode \"\(path)\": \(cause)"
        case .device(let name, let operation, _, let cause): "cannot \(operation) \"\(name)\": \(cause)"
        case .stalled(let name, let seconds):
            "\"\(name)\" has not taken a sample for \(Int((seconds * 1000).rounded())) ms"
        }
    }
}
