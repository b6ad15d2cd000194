/// One button: levels in, presses out.
struct ButtonState: Sendable, Equatable {
    /// The seconds for which a contact may bounce. A change after such a rest counts at once; one within it counts after the
    /// next rest.
    static let debounceSeconds = 0.03

    enum Press: Sendable, Equatable {
        case short, long
    }

    private let longPressSeconds: Double
    /// Whether the button counts as pressed, and the last reported level.
    private var isDown = false
    private var level = false
    /// Whether the last change waits for the contact to rest.
    private var isRestless = false
    private var pressedAt: Double?
    /// When the level changed last.
    private var levelAt = -Double.infinity

    init(longPressSeconds: Double) { self.longPressSeconds = longPressSeconds }

    mutating func note(isDown new: Bool, at uptime: Double) -> [Press] {
        guard new != level else { return [] }
        // Presses that are complete by then come first.
        let before = advance(to: uptime)
        isRestless = uptime - levelAt < Self.debounceSeconds
        (level, levelAt) = (new, uptime)
        return before + advance(to: uptime)
    }

    /// Forgets a press when the device is gone, because whether the button is still pressed is unknown.
    mutating func forget() { (isDown, level, pressedAt, isRestless) = (false, false, nil, false) }

    /// Updates the state as time passes.
    mutating func advance(to uptime: Double) -> [Press] {
        var presses: [Press] = []
        if let begun = pressedAt, isDown {
            // The press may have ended in time although the report is processed later.
            let end = level ? uptime : levelAt
            if end - begun >= longPressSeconds {
                pressedAt = nil
                presses.append(.long)
            }
        }
        guard level != isDown, !isRestless || uptime - levelAt >= Self.debounceSeconds else { return presses }
        (isDown, isRestless) = (level, false)
        if isDown {
            pressedAt = levelAt
        } else if pressedAt != nil {
            pressedAt = nil
            presses.append(.short)
        }
        return presses
    }

    /// Seconds until the state changes by itself.
    func waitSeconds(at uptime: Double) -> Double? {
        var waits: [Double] = []
        if level != isDown { waits.append(levelAt + Self.debounceSeconds - uptime) }
        if let pressedAt, isDown, level { waits.append(pressedAt + longPressSeconds - uptime) }
        return waits.map { max(0, $0) }.min()
    }
}
