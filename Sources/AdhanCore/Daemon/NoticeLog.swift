/// The last notices in memory, for `adhanctl log`.
package struct NoticeLog: Sendable {
    package static let capacity = 500
    private var ring: [Notice] = []
    private var oldest = 0

    mutating func append(_ notices: [Notice]) {
        for notice in notices {
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
