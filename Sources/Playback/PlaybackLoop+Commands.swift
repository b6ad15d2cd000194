/// Handles the player's commands, and the tone that keeps a loudspeaker awake.
extension PlaybackLoop {
    /// Seconds of fade-out when the player ends.
    private static let shutdownFadeSeconds = 0.2

    func handle(_ command: CommandQueue.Command) {
        switch command {
        case .keepAwake(let devices): keepAwake(devices)
        case .cue(let order): cue(order)
        case .start(let id, let asked, let due): start(id, askedUptime: asked, dueUptime: due)
        case .setClock(let id, let beganAt): setClock(id, beganAt: beganAt)
        case .stop(let id, let limit): stop(id) { min($0.fadeOutSeconds, limit) }
        case .opened: break
        case .quit:
            quitting = true
            tone = nil
            for opening in openings where opening.target == nil { stop(opening.order.id) { _ in 0 } }
            for active in waiting { finish(active, .stopped) }
            if let current { stop(current.order.id) { _ in Self.shutdownFadeSeconds } }
        }
    }

    private func keepAwake(_ devices: [String]) {
        guard current == nil, waiting.isEmpty, openings.isEmpty, tone == nil, !quitting else { return }
        do throws(DeviceError) {
            tone = try KeepAwakeTone(devices)
        } catch {
            report(.toneFailed(reason: "\(error)"))
        }
    }

    func feedTone() {
        guard let tone else { return }
        do throws(DeviceError) {
            if try tone.feed() { return }
        } catch {
            report(.toneFailed(reason: "\(error)"))
        }
        self.tone = nil
    }

    private func cue(_ order: PlayerOrder) {
        // The device of the tone is free before the order looks for one.
        tone = nil
        guard !quitting else {
            let reason = "the player is being shut down"
            return report(.ended(PlayerResult(unheard: order, .failed(reason), at: now())))
        }
        guard find(order.id) == nil, !openings.contains(where: { $0.order.id == order.id }) else {
            return report(.trouble(id: order.id, reason: "\"\(order.id)\" is cued already; cued once only"))
        }
        open(order)
    }

    private func stop(_ id: String, fadingOver fadeSeconds: (PlayerOrder) -> Double) {
        for opening in openings where opening.target == nil && opening.order.id == id {
            report(.ended(PlayerResult(unheard: opening.order, .stopped, at: now())))
        }
        cancelOpenings { $0.target == nil && $0.order.id == id }
        guard let active = find(id) else { return }
        guard active === current, active.isSounding else {
            return finish(active, .stopped)
        }
        active.phase = .sounding(isStopping: true)
        active.stream.fadeOut(seconds: max(0, fadeSeconds(active.order)))
    }
}
