import Protocol
import Settings

extension Report {
    /// Simulates outputs for every second seed. Checks their promises, and that the first output plays the same whether the
    /// others work or not.
    mutating func addOutputs(seed: UInt64, days: Int) -> CheckerError? {
        guard !seed.isMultiple(of: 2) else { return nil }
        let scenario = OutputScenario(seed: seed, days: min(days, 1 + days / 3, 30))
        let names = scenario.config.outputs.map(\.name)
        var ill = OutputWorld(scenario, well: scenario.isComparable ? [names[0]] : [])
        ill.run()
        events += ill.events
        for (outcome, count) in ill.outcomes { outcomes["\(outcome.rawValue), outputs", default: 0] += count }
        for (fault, count) in ill.faults { faults["outputs: \(fault)", default: 0] += count }
        if let violation = ill.violation { return violation }
        guard scenario.isComparable else { return nil }
        var well = OutputWorld(scenario, well: Set(names))
        well.run()
        if let violation = well.violation { return violation }
        // A sound that ended during its initial silence does not count.
        let (here, there) = (
            (ill.heard[names[0]] ?? []).filter { $0.until > $0.from },
            (well.heard[names[0]] ?? []).filter { $0.until > $0.from }
        )
        if let (a, b) = zip(here, there).first(where: { !$0.isLike($1) }) {
            return CheckerError(
                description: "outputs: beside ill outputs \(names[0]) plays \(a), beside well ones \(b)")
        }
        return here.count == there.count
            ? nil
            : CheckerError(
                description: "outputs: \(names[0]) plays \(here.count) beside ill outputs, not \(there.count)"
            )
    }
}

extension OutputWorld.Heard {
    /// Whether two reports are alike. A tenth of a second is insignificant, because other reports may come in between.
    fileprivate func isLike(_ other: Self) -> Bool {
        id == other.id && volume == other.volume && abs(from - other.from) < 0.25
            && abs(until - other.until) < 0.25
    }
}
