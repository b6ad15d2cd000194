/// All configured buttons.
struct ButtonBoard: Sendable, Equatable {
    private var settings: [ButtonSource: ButtonSettings] = [:]
    private var states: [ButtonSource: ButtonState] = [:]

    /// Applies the configuration. A button whose settings stay the same keeps its state.
    mutating func use(_ buttons: [ButtonSettings]) {
        let new = Dictionary(buttons.map { ($0.source, $0) }, uniquingKeysWith: { first, _ in first })
        for (source, button) in new
        where settings[source]?.longPressSeconds != button.longPressSeconds {
            states[source] = ButtonState(longPressSeconds: button.longPressSeconds)
        }
        states = states.filter { new[$0.key] != nil }
        settings = new
    }

    mutating func note(_ source: ButtonSource, isDown: Bool, at uptime: Double) -> [HookEffect] {
        act(source, states[source]?.note(isDown: isDown, at: uptime) ?? [])
    }

    mutating func forget(_ source: ButtonSource) { states[source]?.forget() }

    mutating func advance(to uptime: Double) -> [HookEffect] {
        states.keys.flatMap { act($0, states[$0]?.advance(to: uptime) ?? []) }
    }

    func waitSeconds(at uptime: Double) -> Double? {
        states.values.compactMap { $0.waitSeconds(at: uptime) }.min()
    }

    private func act(_ source: ButtonSource, _ presses: [ButtonState.Press]) -> [HookEffect] {
        guard let button = settings[source] else { return [] }
        return presses.map { $0 == .short ? button.short : button.long }.filter { $0 != .nothing }
            .map { .press(source, $0) }
    }
}
