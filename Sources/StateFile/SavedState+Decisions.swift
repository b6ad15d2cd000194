import Protocol

extension SavedState {
    /// People's decisions, without the calls: the copy that is kept beside the state (`state.decided.json`).
    package var decisions: SavedState {
        var decisions = SavedState(since: since)
        decisions.adopt(self)
        return decisions
    }

    package func decides(theSameAs other: SavedState) -> Bool {
        mute == other.mute && outputMutes == other.outputMutes && toggles == other.toggles
            && exceptions == other.exceptions && pins == other.pins && loss == other.loss
            && fleet == other.fleet
    }

    /// Whether this copy can stay as it is. The time that it knows is trusted if the state is lost, so a copy from a clock that
    /// has been set back since cannot.
    package func isCurrentCopy(of state: SavedState) -> Bool {
        decides(theSameAs: state) && !state.clock.isBefore(clock)
    }

    /// Restores the decisions. Calls that were made are not decisions: the history has them.
    package mutating func adopt(_ decided: SavedState) {
        (mute, outputMutes, toggles) = (decided.mute, decided.outputMutes, decided.toggles)
        (exceptions, pins) = (decided.exceptions, decided.pins)
        (clock, isWithoutPlace, loss) = (decided.clock, decided.isWithoutPlace, decided.loss)
        // The loss of the state must not make an old envelope count as new.
        fleet = decided.fleet
    }
}
