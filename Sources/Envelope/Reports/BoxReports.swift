package import Texts

/// A board without a serial number, such as a PC's. It cannot be distinguished from others, so it proves nothing.
package enum UnnumberedBoard {
    /// The name in place of the hardware, when such a box requests a place.
    package static let name = "unknown"
}

/// `up/status`: whether the box is connected. Its will has `offline`.
package struct StatusReport: Codable, Sendable, Equatable {
    package enum State: String, Codable, Sendable { case online, offline }
    package enum Daemon: String, Codable, Sendable { case up, down }

    package var v = 1
    package var state: State
    /// When the report was made; for a will, when the box connected.
    package var at: String
    /// A text that differs after each start of the machine.
    @Nullable package var boot: String?
    package var version: String
    /// The release of a flashed box.
    @Nullable package var image: String?
    /// SHA-256 of the board's serial number and BOX; `null` if the board has no readable number.
    @Nullable package var hardware: String?
    package var adhand: Daemon
    /// Seconds between two beats.
    package var beat: Int
    package var groups: [String]
    /// The version of adhand in the last update that the box abandoned because of adhand's health; `null` if it contained no
    /// other adhand.
    @Nullable package var leftAdhand: String?

    package init(
        state: State, at: String, boot: String? = nil, version: String, image: String? = nil,
        hardware: String? = nil, adhand: Daemon = .up, beat: Int = 60, groups: [String] = [],
        leftAdhand: String? = nil
    ) {
        (self.state, self.at, self.version, self.adhand) = (state, at, version, adhand)
        (self.beat, self.groups) = (beat, groups)
        self.boot = boot
        self.image = image
        self.hardware = hardware
        self.leftAdhand = leftAdhand
    }
}

/// `up/plan`: the enabled adhans of the coming days.
package struct PlanReport: Codable, Sendable, Equatable {
    package struct Entry: Codable, Sendable, Equatable {
        package var id: String
        package var prayer: String
        package var at: String
        /// The seconds by which an adhan may still be called late.
        package var grace: Int

        package init(id: String, prayer: String, at: String, grace: Int) {
            (self.id, self.prayer, self.at, self.grace) = (id, prayer, at, grace)
        }
    }

    package var v = 1
    package var made: String
    /// The instant up to which the plan is complete.
    package var until: String
    package var entries: [Entry]

    package init(made: String, until: String, entries: [Entry]) {
        (self.made, self.until, self.entries) = (made, until, entries)
    }

    package static let mostEntries = 128
}

/// `up/adhan/PRAYER`, and each entry of `up/backlog`: one adhan, while it plays and when it has ended.
package struct AdhanReport: Codable, Sendable, Equatable {
    package var v = 1
    package var id: String
    package var prayer: String
    package var due: String
    package var state: String
    package var at: String
    @Nullable package var latenessMs: Int?
    /// The reason in one sentence for people.
    @Nullable package var reason: String?
    /// The cause as a code for programs.
    @Nullable package var cause: String?
    /// A second witness, which does not exist yet.
    @Nullable package var ear: String?

    package init(
        id: String, prayer: String, due: String, state: String, at: String, latenessMs: Int? = nil,
        reason: String? = nil, cause: String? = nil
    ) {
        (self.id, self.prayer, self.due, self.state, self.at) = (id, prayer, due, state, at)
        self.latenessMs = latenessMs
        self.reason = reason
        self.cause = cause
        ear = nil
    }
}

/// `up/backlog`: the outcomes of the time without network, oldest first.
package struct BacklogReport: Codable, Sendable, Equatable {
    package var v = 1
    package var adhans: [AdhanReport]

    package init(adhans: [AdhanReport]) { self.adhans = adhans }

    package static let mostAdhans = 100
}

/// `up/applied/KIND`: the fate of the newest envelope of one kind.
package struct AppliedReport: Codable, Sendable, Equatable {
    package var v = 1
    package var kind: String
    package var seq: Int
    package var digest: String
    package var state: String
    @Nullable package var reason: String?
    package var at: String

    package init(kind: String, seq: Int, digest: String, state: String, reason: String? = nil, at: String) {
        (self.kind, self.seq, self.digest, self.state, self.at) = (kind, seq, digest, state, at)
        self.reason = reason
    }
}

/// `up/hb`: a sign of life.
package struct BeatReport: Codable, Sendable, Equatable {
    package var v = 1
    package var at: String
    package var seq: Int

    package init(at: String, seq: Int) { (self.at, self.seq) = (at, seq) }
}
