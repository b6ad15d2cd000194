/// The last notices in memory, for `adhanctl log`; what only helps to follow a decision would push out what happened.
package struct NoticeLog: Sendable {
    package static let capacity = 500
    private var ring: [Notice] = []
    private var oldest = 0

    mutating func append(_ notices: [Notice]) {
        for notice in notices where notice.level > .debug {
            if ring.count < Self.capacity {
                ring.append(notice)
            } else {
                ring[oldest] = notice
                oldest = (oldest + 1) % Self.capacity
            }
        }
    }

    /// The newest last.
    package func last(_ count: Int) -> [Notice] {
        (ring[oldest...] + ring[..<oldest]).suffix(max(0, count))
    }
}
