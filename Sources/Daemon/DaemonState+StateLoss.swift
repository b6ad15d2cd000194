import Protocol
import StateFile

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
