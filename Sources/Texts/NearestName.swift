/// Finds the name that a person probably meant.
package enum NearestName {
    /// The candidate nearest to `text`, ignoring case, or `nil` when none is near enough to suggest: one mistake is allowed in a
    /// short name, one in every three letters in a longer one.
    package static func of(_ text: String, among candidates: some Sequence<String>) -> String? {
        let wanted = Array(text.lowercased().unicodeScalars.prefix(64))
        guard !wanted.isEmpty else { return nil }
        var best: (name: String, distance: Int)?
        for candidate in candidates {
            let letters = Array(candidate.lowercased().unicodeScalars)
            let allowed = max(1, min(wanted.count, letters.count) / 3)
            guard abs(letters.count - wanted.count) <= allowed else { continue }
            let distance = distance(wanted, letters)
            if distance <= allowed, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.name
    }

    /// How many letters must be inserted, removed, replaced or swapped with their neighbour to turn `a` into `b`
    /// (Damerau-Levenshtein distance, each pair swapped at most once).
    package static func distance<Letter: Equatable>(_ a: [Letter], _ b: [Letter]) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...b.count)
        for (i, letter) in a.enumerated() {
            var row = [i + 1]
            for (j, other) in b.enumerated() {
                var cost = min(previous[j + 1] + 1, row[j] + 1, previous[j] + (letter == other ? 0 : 1))
                if i > 0, j > 0, letter == b[j - 1], a[i - 1] == other {
                    cost = min(cost, beforePrevious[j - 1] + 1)
                }
                row.append(cost)
            }
            beforePrevious = previous
            previous = row
        }
        return previous[b.count]
    }
}
