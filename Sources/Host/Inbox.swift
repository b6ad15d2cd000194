internal import Synchronization

/// Carries what other threads have found out to the one that decides, and wakes it. It is bounded: where it is full, messages of
/// others are left out. Results of our own threads, of which there are few, always have room.
package final class Inbox<Item: Sendable>: Sendable {
    private static var most: Int { 512 }
    private let items = Mutex<[Item]>([])
    package let doorbell = Doorbell()

    package init() {}

    /// - Returns: whether there was room.
    @discardableResult
    package func put(_ item: Item, isOwn: Bool = true) -> Bool {
        let isTaken = items.withLock { items in
            guard isOwn || items.count < Self.most else { return false }
            items.append(item)
            return true
        }
        doorbell.ring()
        return isTaken
    }

    /// Everything that has come, in its order.
    package func take() -> [Item] {
        doorbell.answer()
        return items.withLock { items in
            defer { items = [] }
            return items
        }
    }
}
