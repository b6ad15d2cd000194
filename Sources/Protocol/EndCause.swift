/// The cause for which a sound ended: programs use it, people read the sentence beside it.
public enum EndCause: String, Codable, Sendable, CaseIterable {
    /// It ended by itself, at its end or before it: no person, announcement, device or shutdown ended it.
    case end
    /// `adhanctl stop` or a similar request.
    case stop
    case mute
    /// Its prayer was switched off, or skipped for its day.
    case toggle
    /// Another announcement was due.
    case announcement
    /// No device played it, or not any longer.
    case device
    /// The program or the machine ended.
    case shutdown

    /// A cause that a later version wrote.
    case unknown

    public init(from decoder: any Decoder) throws {
        let name = try? decoder.singleValueContainer().decode(String.self)
        self = name.flatMap { Self(rawValue: $0) } ?? .unknown
    }

    /// Whether it was intended, by a person or by another due announcement: then nothing is wrong.
    public var isMeant: Bool {
        switch self {
        case .end, .stop, .mute, .toggle, .announcement: true
        case .device, .shutdown, .unknown: false
        }
    }
}
