import PrayerEngine

/// The names of the calculation methods in a configuration.
package enum MethodNames {
    package static let all =
        [CalculationSettings.automatic] + Method.all.flatMap { [$0.name] + $0.aliases }
        + [CalculationSettings.custom]

    /// AlAdhan's number for custom angles.
    private static let customNumber = 99

    /// The method's name for a name or for AlAdhan's number.
    package static func named(_ text: String) -> String? {
        if text == CalculationSettings.custom || Int(text) == customNumber {
            return CalculationSettings.custom
        }
        if text == CalculationSettings.automatic { return text }
        return Method.named(text)?.name
    }
}
