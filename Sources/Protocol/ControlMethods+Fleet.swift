import Settings

extension ControlMethod {
    static let fleet: [ControlMethod] = [
        ControlMethod(
            .applyEnvelope, .changing("fleet apply", from: .household, grant: .fleet),
            """
            A signed change of the fleet of [fleet], as adhan-fleet(1) makes it: its signature decides, and not the caller. state:
            confirmed, where it is in force; trial, where the next adhan decides whether it stays; scheduled, where it takes effect at
            the instant at, when nothing sounds and nothing is called within ten minutes; already; not-for-me.
            """
        ) { .applyEnvelope($0.envelope) },
        ControlMethod(
            .getFleet, .reading,
            "The fleet of this box, and the newest envelope of each kind; null where it belongs to none.",
            means: .getFleet),
    ]
}
