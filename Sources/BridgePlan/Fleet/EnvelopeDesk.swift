package import Envelope
import PrayerEngine
package import Protocol
import Texts

/// The envelopes that have come from the fleet and are passed to adhand, one after another. adhand decides; the desk only knows
/// which of them are worth a retry.
package struct EnvelopeDesk: Sendable {
    package struct Item: Sendable, Equatable {
        package let topic: String
        package let kind: FleetKind
        package let envelope: [UInt8]
        /// The hash of the envelope's text.
        package let hash: String
    }

    /// The answer of adhand.
    package enum Answer: Sendable, Equatable {
        /// The state of the reply.
        case taken(state: String)
        case refused(reason: String, detail: String)
        /// There was no answer, or adhand was busy.
        case unanswered
    }

    private struct Waiting: Sendable {
        let item: Item
        var tryAt: Double
        var tries = 0
    }

    private struct Refusal: Sendable {
        let report: FleetDocument.Applied
        /// Whether adhand has verified the signature: otherwise anybody may have written the number.
        let isVerified: Bool
    }

    /// Seconds between two attempts at an envelope whose time has not come, or that adhand did not answer.
    static let retrySeconds = 60.0
    static let longestRetrySeconds = 900.0

    private var waiting: [String: Waiting] = [:]
    /// The envelopes by topic that were answered for good: a broker delivers them at every connection.
    private var settled: [String: String] = [:]
    /// The settled envelopes by topic that are for others, by the box's groups.
    private var setAside: [String: Item] = [:]
    /// The refusals by topic.
    private var refusals: [String: Refusal] = [:]

    package init() {}

    /// A broker has taken the session and will show all that it keeps. An envelope that it keeps no longer is neither handed over nor
    /// reported as refused, as after a thief's broker was replaced.
    package mutating func connected() {
        for topic in setAside.keys { settled[topic] = nil }
        for topic in refusals.keys { settled[topic] = nil }
        (waiting, setAside, refusals) = ([:], [:], [:])
    }

    /// Takes what a broker has at a topic. An empty one is withdrawn by the fleet.
    package mutating func receive(_ topic: String, _ kind: FleetKind, _ envelope: [UInt8], at uptime: Double)
    {
        // Every box refuses one that is longer; it is not even carried there.
        guard !envelope.isEmpty, envelope.count <= SignedEnvelope.largestBytes else { return forget(topic) }
        let hash = SHA256.hex(envelope)
        guard settled[topic] != hash, waiting[topic]?.item.hash != hash else { return }
        forget(topic)
        waiting[topic] = Waiting(
            item: Item(topic: topic, kind: kind, envelope: envelope, hash: hash), tryAt: uptime)
    }

    /// Something else stands on the topic, or nothing. The answer to the former envelope is no news any more.
    private mutating func forget(_ topic: String) {
        (waiting[topic], settled[topic], setAside[topic], refusals[topic]) = (nil, nil, nil, nil)
    }

    /// The groups of the box, or the keys that it obeys, are other ones from now on.
    package mutating func membershipChanged(at uptime: Double) {
        for (topic, item) in setAside {
            settled[topic] = nil
            waiting[topic] = Waiting(item: item, tryAt: uptime)
        }
        setAside = [:]
        tryAll(at: uptime)
    }

    private mutating func tryAll(at uptime: Double) {
        for topic in waiting.keys { waiting[topic]?.tryAt = uptime }
    }

    /// The next envelope to pass on. New keys go first: envelopes that they signed are refused before.
    package func next(at uptime: Double) -> Item? {
        waiting.values.filter { $0.tryAt <= uptime }
            .min {
                ($0.item.kind == .keys ? 0 : 1, $0.item.topic) < (
                    $1.item.kind == .keys ? 0 : 1, $1.item.topic
                )
            }?
            .item
    }

    package func waitSeconds(at uptime: Double) -> Double? {
        waiting.values.map { max(0, $0.tryAt - uptime) }.min()
    }

    /// adhand has answered, or has not.
    package mutating func handed(_ item: Item, _ answer: Answer, at uptime: Double, now: String) {
        guard waiting[item.topic]?.item == item else { return }
        switch answer {
        case .unanswered: retry(item.topic, uptime)
        case .refused(let reason, _) where EnvelopeRefusal.Reason(rawValue: reason)?.isPassing == true:
            retry(item.topic, uptime)
            note(item, reason, now)
        case .refused(let reason, _):
            conclude(item)
            if reason == EnvelopeRefusal.Reason.foreign.rawValue { setAside[item.topic] = item }
            note(item, reason, now)
        case .taken(let state):
            conclude(item)
            refusals[item.topic] = nil
            if state == CheckedEnvelope.State.notForMe.rawValue {
                setAside[item.topic] = item
            } else if item.kind == .keys {
                // Others may have been signed by the new keys.
                tryAll(at: uptime)
            }
        }
    }

    private mutating func retry(_ topic: String, _ uptime: Double) {
        guard let entry = waiting[topic] else { return }
        let pause = min(Self.retrySeconds * Double(entry.tries + 1), Self.longestRetrySeconds)
        waiting[topic]?.tryAt = uptime + pause
        waiting[topic]?.tries += 1
    }

    private mutating func conclude(_ item: Item) {
        waiting[item.topic] = nil
        settled[item.topic] = item.hash
    }

    /// The fleet learns why its change has no effect. The contents are only named here: anybody may have written them.
    private mutating func note(_ item: Item, _ reason: String, _ now: String) {
        guard let envelope = try? SignedEnvelope(item.envelope),
            let payload = try? FleetPayload(envelope.payload),
            payload.kind == item.kind
        else { return }
        refusals[item.topic] = Refusal(
            report: FleetDocument.Applied(
                kind: item.kind.rawValue, seq: payload.seq, digest: envelope.digest,
                state: FleetRecord.Applied.State.refused.rawValue, reason: reason, at: now),
            isVerified: EnvelopeRefusal.Reason(rawValue: reason)?.isVerified == true)
    }

    /// The fates that the fleet learns: adhand's own, and refusals of something newer. A refusal of an envelope without a
    /// verified signature is reported only where adhand has nothing of its kind: its number would hide what the box has.
    package func applied(_ own: [FleetDocument.Applied]) -> [FleetDocument.Applied] {
        var applied = own
        for kind in FleetKind.allCases {
            guard let refusal = refusal(of: kind) else { continue }
            if let index = applied.firstIndex(where: { $0.kind == kind.rawValue }) {
                if refusal.isVerified, applied[index].seq < refusal.report.seq {
                    applied[index] = refusal.report
                }
            } else {
                applied.append(refusal.report)
            }
        }
        return applied.sorted { $0.kind < $1.kind }
    }

    /// The most informative refusal among the topics of a kind.
    private func refusal(of kind: FleetKind) -> Refusal? {
        refusals.values.filter { $0.report.kind == kind.rawValue }.max {
            ($0.isVerified ? 1 : 0, $0.report.seq, $0.report.digest)
                < ($1.isVerified ? 1 : 0, $1.report.seq, $1.report.digest)
        }
    }
}
