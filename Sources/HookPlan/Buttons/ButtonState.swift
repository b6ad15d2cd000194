/// One button: levels in, presses out.
struct ButtonState: Sendable, Equatable {
    /// Seconds after a change for which the contact may bounce: its level counts again after them.
    static let debounceSeconds = 0.03

    enum Press: Sendable, Equatable {
        case short, long
    }

    private let longPressSeconds: Double
    /// Whether it is taken to be pressed, and whether the last word said so.
    private var isDown = false
    private var level = false
    private var changedAt = -Double.infinity
    private var pressedAt: Double?
    /// When it was let go, whenever that counts.
    private var levelAt = 0.0

    init(longPressSeconds: Double) { self.longPressSeconds = longPressSeconds }

    mutating func note(isDown new: Bool, at uptime: Double) -> [Press] {
        guard new != level else { return [] }
        // What is over by then comes first.
        let before = look(at: uptime)
        (level, levelAt) = (new, uptime)
        return before + look(at: uptime)
    }

    /// The device is gone: nobody knows whether it is pressed, so that nothing comes of it.
    mutating func forget() { (isDown, level, pressedAt) = (false, false, nil) }

    /// Time has passed.
    mutating func look(at uptime: Double) -> [Press] {
        var presses: [Press] = []
        if let begun = pressedAt, isDown {
            // A press that ended before its time, though the word of it is looked at later.
            let end = level ? uptime : levelAt
            if end - begun >= longPressSeconds {
                pressedAt = nil
                presses.append(.long)
            }
        }
        guard level != isDown, uptime - changedAt >= Self.debounceSeconds else { return presses }
        (isDown, changedAt) = (level, uptime)
        if isDown {
            pressedAt = levelAt
        } else if pressedAt != nil {
            pressedAt = nil
            presses.append(.short)
        }
        return presses
    }

    /// Seconds until it has something to say by itself.
    func wait(at uptime: Double) -> Double? {
        var waits: [Double] = []
        if level != isDown { waits.append(changedAt + Self.debounceSeconds - uptime) }
        if let pressedAt, isDown, level { waits.append(pressedAt + longPressSeconds - uptime) }
        return waits.map { max(0, $0) }.min()
    }
}
