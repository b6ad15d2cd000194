internal import Synchronization

/// Passes the findings of other threads to the thread that decides, and wakes it. It is bounded: when full, messages from outside
/// are dropped. Results of our own threads, of which there are few, always have room.
package final class Inbox<Item: Sendable>: Sendable {
    private static var most: Int { 512 }
    private let items = Mutex<[Item]>([])
    package let wakeSignal = WakeSignal()

    package init() {}

    /// - Returns: whether there was room.
    @discardableResult
    package func put(_ item: Item, isOwn: Bool = true) -> Bool {
        let isTaken = items.withLock { items in
            guard isOwn || items.count < Self.most else { return false }
            items.append(item)
            return true
        }
        wakeSignal.set()
        return isTaken
    }

    /// Removes and returns all items, in their order.
    package func drain() -> [Item] {
        wakeSignal.clear()
        return items.withLock { items in
            defer { items = [] }
            return items
        }
    }
}
