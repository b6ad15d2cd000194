/// Decides whether the browser of this machine's display still runs the page, from the beats that the screen's server reports.
/// Times are seconds of a monotonic clock.
package struct PageWatch: Sendable {
    package enum Answer: Sendable, Equatable {
        /// The page has sent a beat within the last seconds.
        case alive
        /// The server has received no beat.
        case silent
        /// The server does not answer. The page continues by itself for two days, and a new one could not be loaded.
        case unknown
    }

    /// The seconds for which the server may report silence. With the seconds for which a beat counts, a page is given up after a
    /// minute.
    package static let patienceSeconds = 60 - freshnessSeconds
    /// Seconds for which a beat counts; one comes every ten seconds.
    package static let freshnessSeconds = 25.0

    private var silentSince: Double

    package init(startedAt now: Double) {
        // A slow box takes a while to start a browser.
        silentSince = now + Self.freshnessSeconds
    }

    /// Whether the page should be given up.
    package mutating func isDead(_ answer: Answer, at now: Double) -> Bool {
        if answer != .silent { silentSince = now }
        return now - silentSince >= Self.patienceSeconds
    }
}

/// Decides whether the television should be on, and reports only changes, so that manual switching in between wins.
package struct ScreenSwitch: Sendable {
    private var isOn: Bool?

    package init() {}

    /// - Parameter scene: the shown scene; `nil` where it is unknown.
    package mutating func change(_ scene: Scene.Kind?) -> Bool? {
        guard let scene else { return nil }
        let wanted = scene != .night
        guard wanted != isOn else { return nil }
        // A session that starts at night leaves the screen as it is until the morning.
        defer { isOn = wanted }
        return isOn == nil && !wanted ? nil : wanted
    }
}
