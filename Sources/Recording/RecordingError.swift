/// Why a recording cannot be used. `description` is a sentence for a person: operation, object, cause.
package enum RecordingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file cannot be opened or read, or is not a regular file.
    case unreadable(path: String, cause: String)
    /// The file is not MP3; `kind` names its format: "an Ogg Vorbis file".
    case notMP3(path: String, kind: String)
    /// libmpg123 found no frame of audio.
    case noAudio(path: String)
    /// The file decodes, but should not be called.
    case unfit(path: String, RecordingObjection)
    /// libmpg123 could not be set up.
    case decoder(path: String, cause: String)

    package var description: String {
        switch self {
        case .unreadable(let path, let cause): "cannot read \"\(path)\": \(cause)"
        case .notMP3(let path, let kind): "cannot play \"\(path)\": this is \(kind), not MP3"
        case .noAudio(let path): "cannot play \"\(path)\": there is no MP3 audio in it"
        case .unfit(let path, let objection): "cannot use \"\(path)\": \(objection)"
        case .decoder(let path, let cause): "cannot decode \"\(path)\": \(cause)"
        }
    }
}
