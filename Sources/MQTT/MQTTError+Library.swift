internal import CMosquitto
internal import Glibc

extension MQTTError {
    /// Makes an error from a result of libmosquitto; `nil` for a success.
    /// - Parameters:
    ///   - system: `errno` at that moment.
    ///   - encryption: the encryption error that the library reported just before.
    init?(result: Int32, system: Int32, encryption: MQTTError?) {
        let code = mosq_err_t(rawValue: mosq_err_t.RawValue(result))
        switch code {
        case MOSQ_ERR_SUCCESS: return nil
        case MOSQ_ERR_EAI, MOSQ_ERR_LOOKUP: self = .nameNotFound
        case MOSQ_ERR_TLS, MOSQ_ERR_TLS_HANDSHAKE: self = encryption ?? .certificateFile
        case MOSQ_ERR_CONN_LOST, MOSQ_ERR_NO_CONN: self = encryption ?? .connectionLost
        case MOSQ_ERR_ERRNO: self = encryption ?? MQTTError(system: system)
        case MOSQ_ERR_KEEPALIVE: self = .keepalive
        case MOSQ_ERR_OVERSIZE_PACKET, MOSQ_ERR_PAYLOAD_SIZE: self = .tooLarge
        // The library runs out of memory on a packet far beyond the size that this client accepts.
        case MOSQ_ERR_NOMEM: self = .malformed
        case MOSQ_ERR_PROTOCOL, MOSQ_ERR_MALFORMED_PACKET, MOSQ_ERR_MALFORMED_UTF8,
            MOSQ_ERR_DUPLICATE_PROPERTY:
            self = .malformed
        default: self = .library(result)
        }
    }

    private init(system code: Int32) {
        switch code {
        case ECONNREFUSED: self = .connectionRefused
        case ETIMEDOUT: self = .timedOut
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL, EACCES, EPERM, EAFNOSUPPORT:
            self = .unreachable(code)
        default: self = .connectionLost
        }
    }
}
