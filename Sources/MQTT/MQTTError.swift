/// Why there is no session, or why a message was refused. The names are fixed: programs depend on them.
public enum MQTTError: Error, Sendable, Equatable {
    /// No address belongs to the broker's name.
    case nameNotFound
    /// Nothing answered within the time for an attempt: a name look-up, a connection or a broker that hangs.
    case timedOut
    /// The machine answers, and has no broker at that port.
    case connectionRefused
    /// No way to that machine; the system's code.
    case unreachable(Int32)
    /// The broker's certificate is not from a known authority, has expired, or is for another name.
    case brokerCertificate
    /// The broker does not accept this client's certificate, or demands one.
    case clientCertificate
    /// A file of certificates or keys cannot be used.
    case certificateFile
    /// Encryption failed in another way; OpenSSL's code.
    case encryption(UInt32)
    case wrongPassword
    case notAuthorized
    /// The broker does not speak MQTT 5.
    case protocolVersion
    case clientIdentifier
    /// Another client has connected with this client's identifier.
    case takenOver
    case shuttingDown
    /// The broker is there and has no room: busy, unavailable, quota.
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
    /// libmosquitto is not on this machine, or cannot be loaded.
    case noLibrary
    /// Another fault of the library; its code.
    case library(Int32)

    /// A reason code of MQTT 5 as the broker sends it; `nil` where it tells of a success.
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

    /// The reason code of a broker that answered in MQTT 3: it does not speak MQTT 5, whatever else it says.
    init?(connectCode code: Int32) {
        switch code {
        case 0: return nil
        case 1..<128: self = .protocolVersion
        default: self.init(reasonCode: code)
        }
    }

    /// A code of OpenSSL as its error texts begin with it: `error:0A000086:…`; `nil` where a line has none.
    init?(encryptionLine line: String) {
        guard let start = line.range(of: "error:"),
            let code = UInt32(line[start.upperBound...].prefix { $0 != ":" }, radix: 16)
        else { return nil }
        let alerts: UInt32 = 1000
        switch code & 0x7F_FFFF {
        // SSL_R_CERTIFICATE_VERIFY_FAILED
        case 134: self = .brokerCertificate
        // The alerts of TLS that speak of a certificate, which are about ours.
        case alerts + 42, alerts + 43, alerts + 44, alerts + 45, alerts + 46, alerts + 48, alerts + 116:
            self = .clientCertificate
        default: self = .encryption(code)
        }
    }
}

extension String {
    /// The first place of a word, without Foundation.
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
