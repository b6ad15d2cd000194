import Announcements
import Protocol

extension SavedState {
    /// People's decisions, without the calls: the copy that is kept beside the state (`state.decided.json`).
    package var decisions: SavedState {
        var decisions = SavedState(since: since)
        decisions.adopt(self)
        return decisions
    }

    package func decides(theSameAs other: SavedState) -> Bool {
        mute == other.mute && toggles == other.toggles && exceptions == other.exceptions && pins == other.pins
            && loss == other.loss && fleet == other.fleet
    }

    /// Restores the decisions. Calls that were made are not decisions: the history has them.
    mutating func adopt(_ decided: SavedState) {
        (mute, toggles, exceptions, pins) = (
            decided.mute, decided.toggles, decided.exceptions, decided.pins
        )
        (clock, isWithoutPlace, loss) = (decided.clock, decided.isWithoutPlace, decided.loss)
        // The loss of the state must not make an old envelope count as new.
        fleet = decided.fleet
    }
}

extension DaemonState {
    /// Reports the loss of the state at the start and at every midnight.
    mutating func reportStateLoss(_ batch: inout EffectBatch) {
        guard let loss = saved.loss else { return }
        batch.publish(
            .stateLost, loss.isRestored ? .warning : .error,
            "\(loss.message(in: zone)). \(StateLoss.remedy(fix: StateLoss.fix))",
            Notice.Fields(reason: loss.cause.rawValue))
    }

    /// Confirms the loss for the caller, who reads of it in this reply; it is not reported again.
    mutating func confirmStateLoss() -> String? {
        defer { saved.loss = nil }
        return saved.loss.map { "confirmed: \($0.message(in: zone))" }
    }
}
