/// Why there is no session, or why a message was refused. The names are fixed: programs depend on them.
public enum MQTTError: Error, Sendable, Equatable {
    /// The broker's name has no address.
    case nameNotFound
    /// The attempt took too long: a name look-up, a connection or a broker hangs.
    case timedOut
    /// The machine answers, but has no broker at that port.
    case connectionRefused
    /// The machine cannot be reached, with the system's code.
    case unreachable(Int32)
    /// The broker's certificate is not from a known authority, has expired, or belongs to another name.
    case brokerCertificate
    /// The broker does not accept this client's certificate, or requires one.
    case clientCertificate
    /// A file of certificates or keys cannot be used.
    case certificateFile
    /// Encryption failed in another way, with OpenSSL's code.
    case encryption(UInt32)
    case wrongPassword
    case notAuthorized
    /// The broker does not speak MQTT 5.
    case protocolVersion
    case clientIdentifier
    /// Another client connected with this client's identifier.
    case takenOver
    case shuttingDown
    /// The broker is present but cannot serve the client: busy, unavailable, quota.
    case unavailable
    case banned
    /// The other side has not answered for longer than the keepalive allows.
    case keepalive
    /// The connection ended without a reason.
    case connectionLost
    case tooLarge
    case invalidTopic
    /// The other side broke the rules of MQTT.
    case malformed
    /// Another reason code of MQTT 5.
    case reason(Int32)
    /// libmosquitto is not installed, or cannot be loaded.
    case noLibrary
    /// Another error of the library, by its code.
    case library(Int32)

    /// Makes an error from an MQTT 5 reason code; `nil` if it means success.
    init?(reasonCode code: Int32) {
        switch code {
        case ..<128: return nil
        case 129, 130, 153: self = .malformed
        case 132: self = .protocolVersion
        case 133: self = .clientIdentifier
        case 134: self = .wrongPassword
        case 135: self = .notAuthorized
        case 136, 137, 147, 150, 151, 159: self = .unavailable
        case 138: self = .banned
        case 139: self = .shuttingDown
        case 141: self = .keepalive
        case 142: self = .takenOver
        case 143, 144: self = .invalidTopic
        case 149: self = .tooLarge
        default: self = .reason(code)
        }
    }

    /// Makes an error from the return code of a broker that answered in MQTT 3, and so does not support MQTT 5.
    init?(connectCode code: Int32) {
        switch code {
        case 0: return nil
        case 1..<128: self = .protocolVersion
        default: self.init(reasonCode: code)
        }
    }

    /// Makes an error from a line of OpenSSL, which contains a code: `error:0A000086:…`; `nil` for a line without one.
    init?(encryptionLine line: String) {
        guard let start = line.range(of: "error:"),
            let code = UInt32(line[start.upperBound...].prefix { $0 != ":" }, radix: 16)
        else { return nil }
        let alerts: UInt32 = 1000
        switch code & 0x7F_FFFF {
        // SSL_R_CERTIFICATE_VERIFY_FAILED
        case 134: self = .brokerCertificate
        // TLS alerts about a certificate, which can only be ours.
        case alerts + 42, alerts + 43, alerts + 44, alerts + 45, alerts + 46, alerts + 48, alerts + 116:
            self = .clientCertificate
        default: self = .encryption(code)
        }
    }
}

extension MQTTError {
    /// The error as a clause without a capital and a full stop; `nil` where each program has words of its own.
    package var commonSentence: String? {
        switch self {
        case .nameNotFound: "its name is not known"
        case .timedOut: "it does not answer"
        case .connectionRefused: "nothing answers at its port"
        case .brokerCertificate:
            "its certificate is not from the authority in ca-file, has expired, or is for another name"
        case .protocolVersion: "it does not speak MQTT 5"
        case .noLibrary: "libmosquitto cannot be loaded; install the package libmosquitto1"
        default: nil
        }
    }
}

extension String {
    /// The first occurrence of a word, without Foundation.
    fileprivate func range(of word: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(word) {
                return start..<index(start, offsetBy: word.count)
            }
            start = index(after: start)
        }
        return nil
    }
}
