/// What a person wishes of the companion.
package struct CompanionSettings: Equatable, Sendable {
    /// Prayers of a day that are enough for the streak, 1...5.
    package var goal = 5

    package init() {}
}
