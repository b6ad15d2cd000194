internal import Host
internal import MQTT
internal import WebDelivery

extension MQTTError {
    /// The error as a sentence, without a capital and a full stop.
    var sentence: String {
        switch self {
        case .nameNotFound, .timedOut, .connectionRefused, .brokerCertificate, .protocolVersion, .noLibrary:
            commonSentence ?? name
        case .unreachable(let code): "it cannot be reached (\(SystemError.text(code)))"
        case .clientCertificate:
            "it demands a certificate of this machine, or does not accept the one in certificate-file"
        case .certificateFile: "ca-file, certificate-file or key-file cannot be used"
        case .encryption: "the encrypted connection cannot be made; is this port one for mqtts?"
        case .wrongPassword: "it does not accept the username and password"
        case .notAuthorized: "it does not allow this user what adhan-bridge does"
        case .clientIdentifier: "it does not accept the client identifier"
        case .takenOver: "another client has come by this one's name"
        case .shuttingDown: "it is shutting down"
        case .unavailable: "it has no room now"
        case .banned: "it has banned this client"
        case .keepalive: "it has fallen silent"
        case .connectionLost: "the connection was lost"
        case .tooLarge: "the message is too large for it"
        case .invalidTopic: "it does not accept the topic"
        case .malformed: "it breaks the rules of MQTT"
        case .reason(let code): "reason code \(code)"
        case .library(let code): "libmosquitto's error \(code)"
        }
    }

    /// A word for programs.
    var name: String {
        switch self {
        case .unreachable: "unreachable"
        case .encryption: "encryption"
        case .reason(let code): "reason-\(code)"
        case .library(let code): "library-\(code)"
        default: "\(self)"
        }
    }
}

extension WebError {
    /// The error as a sentence, without a capital and a full stop.
    var sentence: String {
        switch self {
        case .invalidRequest: "the address or a header cannot be used"
        case .plainToPublicAddress:
            "without https it may only go to this network, and the address is elsewhere"
        case .nameNotFound: "the server's name is not known"
        case .timedOut: "the server does not answer"
        case .connectionRefused: "nothing answers at the server's port"
        case .unreachable: "the server cannot be reached"
        case .certificate: "the server's certificate is not valid"
        case .encryption: "the encrypted connection cannot be made"
        case .connectionLost: "the connection ended before an answer came"
        case .malformed: "what answers is no web server"
        case .noLibrary: "libcurl cannot be loaded; install the package libcurl4"
        case .library(let code): "libcurl's error \(code)"
        }
    }
}
