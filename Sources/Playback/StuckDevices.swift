internal import Synchronization

/// Devices in which a call never returned; they are not tried again until it does.
///
/// All players share this list, and none waits for another to read it: there is no lock in it. The list only grows, by the names
/// of devices that have hung.
final class StuckDevices: Sendable {
    static let known = StuckDevices()

    private final class Node: Sendable {
        let name: String
        /// A count, because a late return may be noted before the timeout is.
        let calls = Atomic(0)
        /// The address of the node that was added before it, 0 for none.
        let below: UInt

        init(_ name: String, below: UInt) {
            self.name = name
            self.below = below
        }
    }

    /// The address of the newest node, owned by the list; 0 when it is empty.
    private let top = Atomic<UInt>(0)

    func contains(_ name: String) -> Bool {
        (find(name, from: top.load(ordering: .acquiring))?.calls.load(ordering: .relaxed) ?? 0) > 0
    }

    /// - Parameter change: 1 for a call that does not return, -1 for one that returned after all.
    func note(_ name: String, _ change: Int) {
        while true {
            let newest = top.load(ordering: .acquiring)
            if let node = find(name, from: newest) {
                node.calls.add(change, ordering: .relaxed)
                return
            }
            let node = unsafe Unmanaged.passRetained(Node(name, below: newest))
            let address = unsafe UInt(bitPattern: node.toOpaque())
            let isAdded = top.compareExchange(
                expected: newest, desired: address, ordering: .acquiringAndReleasing
            ).exchanged
            if !isAdded { unsafe node.release() }
        }
    }

    private func find(_ name: String, from newest: UInt) -> Node? {
        var address = newest
        while let pointer = unsafe UnsafeRawPointer(bitPattern: address) {
            let node = unsafe Unmanaged<Node>.fromOpaque(pointer).takeUnretainedValue()
            if node.name == name { return node }
            address = node.below
        }
        return nil
    }
}
