/// The cause for which a sound ended: programs use it, people read the sentence beside it.
public enum EndCause: String, Codable, Sendable, CaseIterable {
    /// Its own end was reached.
    case end
    /// `adhanctl stop`, or one of its kind.
    case stop
    case mute
    /// Its prayer was switched off, or skipped for its day.
    case toggle
    /// Another announcement was due.
    case announcement
    /// No device could be made to sound, or none any longer.
    case device
    /// The program or the machine ended.
    case shutdown

    /// A cause that a later version wrote.
    case unknown

    public init(from decoder: any Decoder) throws {
        let name = try? decoder.singleValueContainer().decode(String.self)
        self = name.flatMap { Self(rawValue: $0) } ?? .unknown
    }

    /// Whether somebody asked for it, or something else was due: then nothing is wrong.
    public var isMeant: Bool {
        switch self {
        case .end, .stop, .mute, .toggle, .announcement: true
        case .device, .shutdown, .unknown: false
        }
    }
}
