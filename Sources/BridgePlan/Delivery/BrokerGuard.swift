import Texts

/// Keeps a program that ends by what a broker sends away from that broker for a while, so that its calls for help get out by other ways. A
/// file says that a connection is young: who finds it at the start knows that the run before ended beside one.
package struct BrokerGuard: Sendable, Equatable {
    private struct Document: Codable {
        var v = 1
        let ends: Int
    }

    /// Seconds after which a connection is no longer young.
    package static let calmSeconds = 60.0
    /// Seconds to wait after each number of consecutive runs that ended so. The first may have any cause: a power cut, a kill.
    static let pauses = [0, 0, 5, 15, 60.0]

    /// The number of consecutive runs that ended with a young connection.
    package private(set) var ends: Int
    private var isWritten: Bool
    private var calmAt: Double?

    /// - Parameter fileBytes: what the run before left; empty where it left nothing.
    package init(fileBytes: [UInt8] = []) {
        isWritten = !fileBytes.isEmpty
        let known = (try? JSON.decode(Document.self, from: fileBytes))?.ends ?? 0
        ends = isWritten ? min(max(known, 0), 1000) + 1 : 0
    }

    /// Seconds until the broker is spoken to.
    package var pauseSeconds: Double { Self.pauses[min(ends, Self.pauses.count - 1)] }

    /// Notes that a connection is about to be made.
    /// - Returns: the file that records it, where it is to be written.
    package mutating func begin() -> [UInt8]? {
        calmAt = nil
        guard !isWritten || ends > 0 else { return nil }
        isWritten = true
        return try? JSON.encode(Document(ends: ends))
    }

    package mutating func connected(at uptime: Double) { calmAt = uptime + Self.calmSeconds }

    /// - Returns: whether the file is to go, as the connection is no longer young.
    package mutating func isCalm(at uptime: Double) -> Bool {
        guard let calmAt, uptime >= calmAt else { return false }
        end()
        return true
    }

    /// An end in order.
    package mutating func end() { (ends, isWritten, calmAt) = (0, false, nil) }

    /// Seconds until a connection is no longer young.
    package func wait(at uptime: Double) -> Double? { calmAt.map { max(0, $0 - uptime) } }
}
