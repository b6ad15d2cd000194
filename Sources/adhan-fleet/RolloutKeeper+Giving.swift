internal import Envelope
internal import FleetPlan
internal import Host
internal import MQTT

/// Delivers the envelopes to the broker.
extension RolloutKeeper {
    func merged(_ new: [RolloutBook.Delivery]) -> [RolloutBook.Delivery] {
        let places = Set(new.map(\.place))
        return queue.filter { !places.contains($0.place) } + new
    }

    func send(_ session: MQTTSession) {
        let topics = FleetTopic(org: content.org)
        while let delivery = queue.first {
            var payload: [UInt8] = []
            if let digest = delivery.digest {
                guard let text = text(of: digest) else {
                    // The file was removed or damaged after the check. The broker keeps its envelopes all the same.
                    book.failed(delivery)
                    queue.removeFirst()
                    continue
                }
                payload = text
            }
            let publication = MQTTPublication(
                topic: topics.topic(of: delivery.place), payload: payload, isRetained: true)
            number += 1
            guard session.publish(publication, number: number) == .accepted else { return }
            flying[number] = delivery
            queue.removeFirst()
        }
    }

    private func text(of digest: String) -> [UInt8]? {
        if let text = envelopes[digest] { return text }
        // The envelope may have been withdrawn since the check.
        guard publishedFolder.has(digest) else { return nil }
        if let given, given.digest == digest { return given.text }
        do throws(FileError) {
            let text = try believedText(digest)
            given = (digest, text)
            return text
        } catch {
            // The file was damaged after it was first read. The envelope keeps its place, and no older one replaces it.
            if !error.isMissing { noteDamage(digest, error) }
            return nil
        }
    }
}
