/// Alternates between users, the oldest request of each first: a user with many requests delays another by one piece of
/// work.
package struct RoundRobin<Waiter: Hashable & Sendable>: Sendable {
    /// The waiting users, the next one first.
    private var users: [UInt32] = []
    private var waiting: [UInt32: [Waiter]] = [:]

    package init() {}

    package var isEmpty: Bool { users.isEmpty }

    package mutating func add(_ waiter: Waiter, of user: UInt32) {
        if waiting[user] == nil { users.append(user) }
        waiting[user, default: []].append(waiter)
    }

    package mutating func next() -> Waiter? {
        guard let user = users.first, var queue = waiting[user] else { return nil }
        let waiter = queue.removeFirst()
        users.removeFirst()
        waiting[user] = queue.isEmpty ? nil : queue
        if !queue.isEmpty { users.append(user) }
        return waiter
    }

    /// Removes a caller who has disconnected.
    package mutating func remove(_ waiter: Waiter, of user: UInt32) {
        guard var queue = waiting[user], let index = queue.firstIndex(of: waiter) else { return }
        queue.remove(at: index)
        waiting[user] = queue.isEmpty ? nil : queue
        if queue.isEmpty { users.removeAll { $0 == user } }
    }
}
