import Texts

/// Avoids a broker for a while if its messages crash the program, so that alerts can still be sent by other means. A file marks
/// that a connection is young: if the file exists at the start, the previous run ended during such a connection.
package struct BrokerGuard: Sendable, Equatable {
    private struct Document: Codable {
        var v = 1
        let ends: Int
    }

    /// Seconds after which a connection is no longer young.
    package static let calmSeconds = 60.0
    /// Seconds to wait after each number of consecutive runs that ended in this way. The first such end may have any cause,
    /// such as a power cut.
    static let pauses = [0, 0, 5, 15, 60.0]

    /// The number of consecutive runs that ended with a young connection.
    package private(set) var ends: Int
    private var isWritten: Bool
    private var calmAt: Double?

    /// - Parameter fileBytes: the file of the previous run; empty if there is none.
    package init(fileBytes: [UInt8] = []) {
        isWritten = !fileBytes.isEmpty
        let known = (try? JSON.decode(Document.self, from: fileBytes))?.ends ?? 0
        ends = isWritten ? min(max(known, 0), 1000) + 1 : 0
    }

    /// Seconds until the broker may be contacted.
    package var pauseSeconds: Double { Self.pauses[min(ends, Self.pauses.count - 1)] }

    /// Notes that a connection is about to be made.
    /// - Returns: the file to write, if it has to be written.
    package mutating func begin() -> [UInt8]? {
        calmAt = nil
        guard !isWritten || ends > 0 else { return nil }
        isWritten = true
        return try? JSON.encode(Document(ends: ends))
    }

    package mutating func connected(at uptime: Double) { calmAt = uptime + Self.calmSeconds }

    /// - Returns: whether to remove the file, because the connection is no longer young.
    package mutating func isCalm(at uptime: Double) -> Bool {
        guard let calmAt, uptime >= calmAt else { return false }
        end()
        return true
    }

    /// Notes an orderly end.
    package mutating func end() { (ends, isWritten, calmAt) = (0, false, nil) }

    /// Seconds until a connection is no longer young.
    package func wait(at uptime: Double) -> Double? { calmAt.map { max(0, $0 - uptime) } }
}
