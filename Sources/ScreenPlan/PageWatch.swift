/// Whether the browser of this machine's display still runs the page, from what the screen's server says of its beats.
/// Times are seconds of a clock that never steps.
package struct PageWatch: Sendable {
    package enum Answer: Sendable, Equatable {
        /// The page has beaten within the last seconds.
        case alive
        /// The server has not heard it.
        case silent
        /// The server does not answer: the page continues by itself for two days, and a new one could not even be loaded.
        case unknown
    }

    /// Seconds for which the server may report silence: with the time for which it remembers a beat, a page that has been silent
    /// for a minute is given up.
    package static let patienceSeconds = 60 - freshnessSeconds
    /// Seconds for which a beat counts; one comes every ten seconds.
    package static let freshnessSeconds = 25.0

    private var silentSince: Double

    package init(startedAt now: Double) {
        // A slow box takes a while to start a browser.
        silentSince = now + Self.freshnessSeconds
    }

    /// Whether the page is to be given up.
    package mutating func isDead(_ answer: Answer, at now: Double) -> Bool {
        if answer != .silent { silentSince = now }
        return now - silentSince >= Self.patienceSeconds
    }
}

/// Whether the television is to be on, reported only when that changes, so that manual switching in between wins.
package struct ScreenSwitch: Sendable {
    private var isOn: Bool?

    package init() {}

    /// - Parameter scene: the shown scene; `nil` where it is unknown.
    package mutating func change(_ scene: Scene.Kind?) -> Bool? {
        guard let scene else { return nil }
        let wanted = scene != .night
        guard wanted != isOn else { return nil }
        // A session that begins in the night leaves the screen as it is, dark or not, until the morning.
        defer { isOn = wanted }
        return isOn == nil && !wanted ? nil : wanted
    }
}
