/// Why a device does not play. `description` is a sentence for a person: operation, object, cause.
package enum DeviceError: Error, Equatable, Sendable, CustomStringConvertible {
    /// An ALSA call failed. `code` is its negative errno.
    case failed(name: String, operation: String, code: Int32, cause: String)
    /// The device accepted everything and then stopped.
    case stalled(name: String, seconds: Double)

    /// The negative errno; `nil` for a device that stopped.
    package var code: Int32? { if case .failed(_, _, let code, _) = self { code } else { nil } }

    package var description: String {
        switch self {
        case .failed(let name, let operation, _, let cause): "cannot \(operation) \"\(name)\": \(cause)"
        case .stalled(let name, let seconds):
            "\"\(name)\" has not taken a sample for \(Int((seconds * 1000).rounded())) ms"
        }
    }
}
