import Announcements
internal import SeededRandom

/// The random decisions of a scenario, the same for the same seed.
struct Random: RandomNumberGenerator, Sendable {
    private var source: SplitMix64

    init(seed: UInt64) {
        source = SplitMix64(seed: seed)
    }

    mutating func next() -> UInt64 { source.next() }

    mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &self) < probability
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &self)]
    }

    /// A number from `low` to `high`, uniformly distributed by factor, not by difference.
    mutating func logUniform(_ low: Double, _ high: Double) -> Double {
        // Whole octaves instead of exp and log: exact on every machine.
        var octaves = 0
        var span = high / low
        while span > 2 {
            octaves += 1
            span /= 2
        }
        let octave = Int.random(in: 0...octaves, using: &self)
        var value = low
        for _ in 0..<octave { value *= 2 }
        return value * Double.random(in: 1..<(octave == octaves ? max(span, 1.000_001) : 2), using: &self)
    }
}
