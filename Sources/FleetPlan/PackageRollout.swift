import Envelope
package import PrayerEngine
import Texts

/// A release that apt spreads: each box draws a random number, and the served index gives the percentage of boxes for which a
/// version is meant. It is a value: facts about boxes go in, the index to serve comes out.
package struct PackageRollout: Sendable, Equatable {
    /// The facts about one box.
    package struct Fact: Sendable, Equatable {
        /// The version of adhand that the box last reported; `nil` where it has reported none.
        package var version: String?
        package var isOnline: Bool
        /// The instant of the newest adhan that was heard.
        package var lastHeard: Instant?
        /// The instant at which it abandoned an update in which adhand failed, as long as it reports that problem.
        package var leftUpdateAt: Instant?
        /// The version of adhand in that update; `nil` if it had the same adhand, or the box does not report it.
        package var leftVersion: String?

        package init(
            version: String?, isOnline: Bool, lastHeard: Instant? = nil, leftUpdateAt: Instant? = nil,
            leftVersion: String? = nil
        ) {
            (self.version, self.isOnline) = (version, isOnline)
            (self.lastHeard, self.leftUpdateAt) = (lastHeard, leftUpdateAt)
            self.leftVersion = leftVersion
        }
    }

    /// An index of the archive. Each is signed in advance, because the server has no key.
    package enum Index: Sendable, Hashable {
        /// The percentage of the boxes.
        case ring(percent: Int)
        /// The index without the version.
        case before

        /// The folder of the index in `reprepro/rings/VERSION`.
        package var folder: String {
            switch self {
            case .ring(let percent): String(percent)
            case .before: "stop"
            }
        }
    }

    /// The package whose version boxes report. All packages of a release have one version.
    package static let packageName = "adhand"
    /// The minimum length of a ring, because boxes look for updates once a day.
    package static let leastRingSeconds = 86_400.0
    /// The expected number of installations from which their complete absence cannot be due to chance.
    private static let leastExpected = 5.0
    /// Seconds without any installation after which a person must check.
    private static let strandedSeconds = 3 * 86_400.0

    package let version: String
    package private(set) var state = FleetRollout.State.running
    /// The index in ``RolloutSettings/rings``, from 0.
    package private(set) var ring = 0
    package private(set) var ringSince: Instant
    /// The instant at which a person began it.
    package let beganAt: Instant
    /// The boxes that installed the version, with the instants at which that was seen.
    package private(set) var taken: [String: Instant] = [:]
    package private(set) var verdicts: [String: FleetRollout.Verdict] = [:]
    /// The reasons of failed boxes.
    package private(set) var reasons: [String: String] = [:]

    package init(version: String, at now: Instant) {
        (self.version, ringSince, beganAt) = (version, now, now)
    }

    /// The name, such as `adhand=0.3.0`.
    package var name: String { Self.name(of: version) }

    package static func name(of version: String) -> String { "\(packageName)=\(version)" }

    /// The version in a name such as `adhand=0.3.0`; `nil` if the text is not of that form.
    package static func version(of name: String) -> String? {
        guard name.hasPrefix("\(packageName)=") else { return nil }
        let version = name.dropFirst(packageName.utf8.count + 1)
        let isVersion =
            version.utf8.first.map { (0x30...0x39).contains($0) } == true && version.utf8.count <= 64
            && version.utf8.allSatisfy { Self.versionBytes.contains($0) }
        return isVersion ? String(version) : nil
    }

    private static let versionBytes = Set(
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.+~-".utf8)

    // MARK: People

    package mutating func pause() { if state == .running { state = .paused } }

    package mutating func resume() { if state == .paused { state = .running } }

    /// Ends the roll-out, or settles one that has stopped itself.
    package mutating func abort() { if state.canBeEnded { state = .aborted } }

    // MARK: The archive

    /// The index to serve.
    package func index(_ settings: RolloutSettings) -> Index {
        switch state {
        case .stopped, .aborted: .before
        case .done: .ring(percent: 100)
        case .running, .paused: .ring(percent: percent(settings))
        }
    }

    private func percent(_ settings: RolloutSettings) -> Int {
        settings.rings.isEmpty ? 100 : settings.rings[min(ring, settings.rings.count - 1)]
    }

    // MARK: Progress

    /// - Parameter facts: the facts about all boxes of the fleet.
    package mutating func update(_ facts: [String: Fact], _ settings: RolloutSettings, at now: Instant) {
        guard !state.isOver else { return }
        forgetFuture(now)
        noteFates(facts, now)
        assess(facts, settings, now)
        if settings.isTooBad(failures: count(.failure), of: taken.count) {
            state = .stopped
            return
        }
        guard state == .running, isRingOver(facts.count, settings, now) else { return }
        if ring + 1 < settings.rings.count {
            (ring, ringSince) = (ring + 1, now)
        } else {
            state = .done
        }
    }

    /// Corrects instants from a clock that was ahead: they begin again now.
    private mutating func forgetFuture(_ now: Instant) {
        ringSince = min(ringSince, now)
        for (box, since) in taken where since > now { taken[box] = now }
    }

    /// Notes the outcome at each box. A box that had the version and lost it has gone back by itself, and has failed even after
    /// an earlier success.
    private mutating func noteFates(_ facts: [String: Fact], _ now: Instant) {
        for (box, fact) in facts {
            if fact.version == version {
                if taken[box] == nil { (taken[box], verdicts[box]) = (now, .reached) }
            } else if fact.leftVersion == version, let left = fact.leftUpdateAt, left >= beganAt {
                // An abandoned update without this release proves nothing about it, because Debian's own updates arrive in the
                // same way.
                taken[box] = taken[box] ?? now
                fail(box, "it left the update")
            } else if let present = fact.version, taken[box] != nil {
                if Self.isNewer(present, than: version) {
                    verdicts[box] = .notCounted
                } else {
                    fail(box, "it went back to \(present)")
                }
            }
        }
    }

    private mutating func fail(_ box: String, _ reason: String) {
        (verdicts[box], reasons[box]) = (.failure, reason)
    }

    private mutating func assess(_ facts: [String: Fact], _ settings: RolloutSettings, _ now: Instant) {
        for (box, since) in taken where verdicts[box] == .reached || verdicts[box] == .notCounted {
            guard let fact = facts[box], fact.version == version else {
                verdicts[box] = .notCounted
                continue
            }
            let isProven = settings.success == .applied || fact.lastHeard.map { $0 >= since } ?? false
            if isProven {
                verdicts[box] = .success
            } else if now - since >= settings.patienceSeconds {
                if fact.isOnline { fail(box, FleetRollout.unheard) } else { verdicts[box] = .notCounted }
            } else {
                verdicts[box] = .reached
            }
        }
    }

    package func count(_ verdict: FleetRollout.Verdict) -> Int { verdicts.values.count { $0 == verdict } }

    /// Whether the ring is over. A box that installed the version on the last day is still being assessed, and the ring lasts
    /// until that is done.
    private func isRingOver(_ boxes: Int, _ settings: RolloutSettings, _ now: Instant) -> Bool {
        guard now - ringSince >= max(settings.soakSeconds, Self.leastRingSeconds), count(.reached) == 0 else {
            return false
        }
        // apt selects boxes at random, so a small ring may be empty, and then it cannot yield a result.
        return count(.success) > 0 || isEmptyByChance(boxes, settings)
    }

    private func isEmptyByChance(_ boxes: Int, _ settings: RolloutSettings) -> Bool {
        let percent = percent(settings)
        return taken.isEmpty && percent < 100 && Double(boxes * percent) / 100 < Self.leastExpected
    }

    /// Whether a person must look at it, because it has stopped itself or no box installs the served version.
    package func isTrouble(at now: Instant) -> Bool {
        state == .stopped || state == .running && taken.isEmpty && now - ringSince >= Self.strandedSeconds
    }

    /// Compares the numbers between dots, and ignores the rest of a version.
    static func isNewer(_ version: String, than other: String) -> Bool {
        let (a, b) = (numbers(version), numbers(other))
        for index in 0..<max(a.count, b.count) {
            let (left, right) = (index < a.count ? a[index] : 0, index < b.count ? b[index] : 0)
            if left != right { return left > right }
        }
        return false
    }

    private static func numbers(_ version: String) -> [Int] {
        version.split(separator: ".").map { Int($0.prefix { $0.isWholeNumber }) ?? 0 }
    }
}

extension RolloutSettings {
    /// Whether too many of the reached boxes failed. In a small ring a single failure is too many.
    func isTooBad(failures: Int, of reached: Int) -> Bool {
        failures > 0 && (reached < FleetRollout.smallRing || failures * 100 >= stopPercent * reached)
    }
}

// MARK: On disk

extension PackageRollout: Codable {
    private struct Document: Codable {
        struct Box: Codable {
            let taken: Double
            let verdict: FleetRollout.Verdict
            let reason: String?
        }

        var v = 1
        let package, version: String
        let state: FleetRollout.State
        let ring: Int
        let ringSince, beganAt: Double
        let boxes: [String: Box]
    }

    package init(from decoder: any Decoder) throws {
        let document = try Document(from: decoder)
        guard document.v == 1, document.package == Self.packageName,
            (0...FleetRollout.mostRings).contains(document.ring),
            Self.version(of: Self.name(of: document.version)) != nil
        else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "no roll-out of a package of this version"))
        }
        self.init(version: document.version, at: Instant(unixSeconds: document.beganAt))
        (state, ring) = (document.state, document.ring)
        ringSince = Instant(unixSeconds: document.ringSince)
        for (name, box) in document.boxes {
            (taken[name], verdicts[name]) = (Instant(unixSeconds: box.taken), box.verdict)
            reasons[name] = box.reason
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var boxes: [String: Document.Box] = [:]
        for (name, since) in taken {
            boxes[name] = .init(
                taken: since.unixSeconds, verdict: verdicts[name] ?? .reached, reason: reasons[name])
        }
        try Document(
            package: Self.packageName, version: version, state: state, ring: ring,
            ringSince: ringSince.unixSeconds, beganAt: beganAt.unixSeconds, boxes: boxes
        ).encode(to: encoder)
    }
}

extension FleetWatch {
    /// The facts about every known box.
    package var packageFacts: [String: PackageRollout.Fact] {
        boxes.mapValues { box in
            let left = box.problems.first { $0.problem.alert == Self.updateAlert }
            return PackageRollout.Fact(
                version: box.status?.version, isOnline: box.isOnline, lastHeard: box.lastHeard,
                leftUpdateAt: left?.problem.since, leftVersion: box.status?.leftAdhand)
        }
    }

    /// The name of an abandoned update in `up/problems`.
    private static let updateAlert = "upgrade"
}
