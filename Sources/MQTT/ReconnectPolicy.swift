/// Decides when the next attempt is made. Pure: the caller provides instants, in seconds of a clock that never steps, and chance.
public struct ReconnectPolicy: Sendable, Equatable {
    public static let firstPauseSeconds = 1.0
    public static let longestPauseSeconds = 60.0
    /// The share by which pauses vary, so that the boxes of one broker do not reconnect all at once.
    public static let spread = 0.2
    /// The seconds after which a session counts as a success, and the pauses start from the shortest again.
    public static let stableSeconds = 30.0
    /// The number of takeovers, and the seconds within which they come, that show that two clients have one identity.
    public static let takeoversOfClones = 3
    public static let takeoverWindowSeconds = 600.0
    /// The number of consecutive young sessions that ended without a reason, each made at the first attempt, that show another
    /// client. Some brokers close a connection that was taken over silently (mosquitto 2.0.11, in Debian 12).
    public static let silentEndsOfClones = 5
    public static let clonePauseSeconds = 900.0
    /// The seconds without a takeover after which the other client is gone.
    public static let cloneCalmSeconds = 3600.0

    /// The longest pause in seconds.
    public var longestPause = longestPauseSeconds
    private var pause = firstPauseSeconds
    private var connectedAt: Double?
    private var takeovers: [Double] = []
    private var isCloned = false
    /// The number of consecutive young sessions that ended without a reason.
    private var silentEnds = 0

    public init() {}

    /// Restores the state of an earlier run: another client had this one's identity, an unknown time ago.
    public init(clonedAt now: Double) { (isCloned, takeovers) = (true, [now]) }

    /// Whether another client has this one's identity.
    public func isCloned(at now: Double) -> Bool {
        isCloned && now - (takeovers.last ?? now) < Self.cloneCalmSeconds
    }

    /// The end of that suspicion; `nil` while there is none.
    var clonedUntil: Double? { isCloned ? takeovers.last.map { $0 + Self.cloneCalmSeconds } : nil }

    public mutating func connected(at now: Double) { connectedAt = now }

    /// - Parameter chance: a number from 0 up to 1.
    /// - Returns: the seconds until the next attempt.
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
