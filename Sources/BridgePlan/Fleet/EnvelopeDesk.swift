package import Envelope
import PrayerEngine
package import Protocol
import Texts

/// The envelopes from the fleet, which are passed to adhand one at a time. adhand decides about them; the desk only decides
/// which are worth a retry.
package struct EnvelopeDesk: Sendable {
    package struct Item: Sendable, Equatable {
        package let topic: String
        package let kind: FleetKind
        package let envelope: [UInt8]
        /// The hash of the envelope's bytes.
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
        /// Whether adhand has verified the signature. Without that, the number may be forged.
        let isVerified: Bool
    }

    /// Seconds between two attempts with an envelope that adhand did not answer, or that cannot be accepted yet.
    static let retrySeconds = 60.0
    static let longestRetrySeconds = 900.0

    private var waiting: [String: Waiting] = [:]
    /// The finally answered envelopes by topic. The broker delivers them again at every connection.
    private var settled: [String: String] = [:]
    /// The settled envelopes by topic that concern other boxes, according to this box's groups.
    private var setAside: [String: Item] = [:]
    /// The refusals by topic.
    private var refusals: [String: Refusal] = [:]

    package init() {}

    /// Handles a new session, in which the broker delivers everything that it retains. Envelopes that it no longer retains are
    /// neither passed on nor reported as refused, for example after a stolen broker was replaced.
    package mutating func connected() {
        for topic in setAside.keys { settled[topic] = nil }
        for topic in refusals.keys { settled[topic] = nil }
        (waiting, setAside, refusals) = ([:], [:], [:])
    }

    /// Handles a message on a topic. An empty one means that the fleet has withdrawn the envelope.
    package mutating func receive(_ topic: String, _ kind: FleetKind, _ envelope: [UInt8], at uptime: Double)
    {
        // Every box refuses a longer envelope, so it is not passed on.
        guard !envelope.isEmpty, envelope.count <= SignedEnvelope.largestBytes else { return forget(topic) }
        let hash = SHA256.hex(envelope)
        guard settled[topic] != hash, waiting[topic]?.item.hash != hash else { return }
        forget(topic)
        waiting[topic] = Waiting(
            item: Item(topic: topic, kind: kind, envelope: envelope, hash: hash), tryAt: uptime)
    }

    /// Forgets the previous envelope on a topic, which was replaced or removed, and the answer to it.
    private mutating func forget(_ topic: String) {
        (waiting[topic], settled[topic], setAside[topic], refusals[topic]) = (nil, nil, nil, nil)
    }

    /// Handles a change of the box's groups, or of the keys that it obeys.
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

    /// The next envelope to pass on. New keys come first, because envelopes that they signed are refused until then.
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

    /// Handles the answer of adhand, or its absence.
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
                // The new keys may have signed other envelopes.
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

    /// Notes a refusal for the fleet. The contents are only quoted, because they may be forged.
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

    /// The outcomes to report to the fleet: adhand's own, and refusals of newer envelopes. A refusal without a verified
    /// signature is reported only if adhand has nothing of that kind, because its number would hide what the box has.
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
