internal import Host
internal import Synchronization

/// Carries what other threads have found out to the one that decides, and wakes it. It is bounded: where it is full, messages of
/// others are left out. Results of our own threads, of which there are few, always have room.
final class Inbox<Item: Sendable>: Sendable {
    private static var most: Int { 512 }
    private let items = Mutex<[Item]>([])
    let doorbell = Doorbell()

    /// - Returns: whether there was room.
    @discardableResult
    func put(_ item: Item, isOwn: Bool = true) -> Bool {
        let isTaken = items.withLock { items in
            guard isOwn || items.count < Self.most else { return false }
            items.append(item)
            return true
        }
        doorbell.ring()
        return isTaken
    }

    /// Everything that has come, in its order.
    func take() -> [Item] {
        doorbell.answer()
        return items.withLock { items in
            defer { items = [] }
            return items
        }
    }
}
