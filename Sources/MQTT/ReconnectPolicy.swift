/// When the next attempt is made. Pure: instants in seconds of a clock that never steps, and chance, come from the caller.
public struct ReconnectPolicy: Sendable, Equatable {
    public static let firstPauseSeconds = 1.0
    public static let longestPauseSeconds = 60.0
    /// Share by which a pause is longer or shorter, so that boxes of one broker do not come back at once.
    public static let spread = 0.2
    /// A session that stood as long was a success: the pauses begin again with the shortest.
    public static let stableSeconds = 30.0
    /// Takeovers, and seconds within which they come, when two clients have one identity.
    public static let takeoversOfClones = 3
    public static let takeoverWindowSeconds = 600.0
    /// Some brokers close the connection that was taken over without a word (mosquitto 2.0.11, which is Debian 12's). This many
    /// young sessions in a row that end so, each made at the first attempt, are the work of another client.
    public static let silentEndsOfClones = 5
    public static let clonePauseSeconds = 900.0
    /// Without a takeover for this long, the other one is gone.
    public static let cloneCalmSeconds = 3600.0

    /// Seconds to which the pauses grow.
    public var longestPause = longestPauseSeconds
    private var pause = firstPauseSeconds
    private var connectedAt: Double?
    private var takeovers: [Double] = []
    private var isCloned = false
    /// Young sessions in a row that ended without a word.
    private var silentEnds = 0

    public init() {}

    /// The state of an earlier run: another client had this one's identity, an unknown time ago.
    public init(clonedAt now: Double) { (isCloned, takeovers) = (true, [now]) }

    /// Whether another client has this one's identity.
    public func isCloned(at now: Double) -> Bool {
        isCloned && now - (takeovers.last ?? now) < Self.cloneCalmSeconds
    }

    /// The instant from which on that is over; `nil` while there is no other client.
    var clonedUntil: Double? { isCloned ? takeovers.last.map { $0 + Self.cloneCalmSeconds } : nil }

    public mutating func connected(at now: Double) { connectedAt = now }

    /// - Parameter chance: 0 up to 1.
    /// - Returns: seconds until the next attempt.
    public mutating func nextPause(after error: MQTTError, at now: Double, chance: Double) -> Double {
        let age = connectedAt.map { now - $0 }
        connectedAt = nil
        if let age, age >= Self.stableSeconds { pause = Self.firstPauseSeconds }
        if isCloned, !isCloned(at: now) { (isCloned, takeovers) = (false, []) }
        let isSilentEnd = error == .connectionLost && age != nil
        silentEnds = isSilentEnd && age ?? 0 < Self.stableSeconds ? silentEnds + 1 : 0
        if error == .takenOver || isSilentEnd && isCloned || silentEnds >= Self.silentEndsOfClones {
            takeovers = takeovers.suffix(Self.takeoversOfClones - 1) + [now]
            let isRecent = takeovers.allSatisfy { now - $0 <= Self.takeoverWindowSeconds }
            let isProven = takeovers.count == Self.takeoversOfClones && isRecent
            if isProven || silentEnds >= Self.silentEndsOfClones { isCloned = true }
        }
        let planned = isCloned ? Self.clonePauseSeconds : pause
        pause = min(pause * 2, longestPause)
        return planned * (1 + Self.spread * (2 * chance - 1))
    }
}
