/// Random numbers from a seed (SplitMix64, G. Steele et al., "Fast splittable pseudorandom number generators", 2014): the
/// same on every machine, which `SystemRandomNumberGenerator` is not.
struct Dice: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &self) < probability
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &self)]
    }

    /// From `low` to `high`, as likely near the one as near the other by factor, not by difference.
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
