/// One request to a server.
public struct WebRequest: Sendable, Equatable {
    public struct Header: Sendable, Equatable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    public var url: String
    /// The bytes to POST; `nil` for a GET.
    public var body: [UInt8]?
    public var headers: [Header]
    public var limits: Limits

    public struct Limits: Sendable, Equatable {
        /// Seconds for the name look-up and the connection.
        public var connectSeconds = 5.0
        /// Seconds for the whole request.
        public var wholeSeconds = 15.0
        /// The most bytes of the answer that are read.
        public var answerBytes = 4096

        public init() {}
    }

    public init(url: String, body: [UInt8]? = nil, headers: [Header] = [], limits: Limits = Limits()) {
        (self.url, self.body, self.headers, self.limits) = (url, body, headers, limits)
    }

    /// The header lines; `nil` if one of them would not be exactly one line.
    var headerLines: [String]? {
        var lines: [String] = []
        for header in headers {
            let isName =
                !header.name.isEmpty
                && header.name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
            guard isName, header.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                return nil
            }
            // libcurl omits a header with nothing after its colon; a semicolon sends it empty.
            lines.append(header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
        }
        return lines
    }
}

/// The answer of a server.
public struct WebAnswer: Sendable, Equatable {
    public let status: Int
    /// The body; `nil` if it is longer than the limit.
    public let body: [UInt8]?
}

/// Why no server answered. The names are fixed: programs depend on them.
public enum WebError: Error, Sendable, Equatable {
    /// The address is not an http:// or https:// one, or a header is not one line.
    case invalidRequest
    /// The address is public; unencrypted requests go only to this machine, private addresses and `.local`.
    case plainToPublicAddress
    case nameNotFound
    case timedOut
    case connectionRefused
    case unreachable
    /// The server's certificate is not from a known authority, has expired, or belongs to another name.
    case certificate
    case encryption
    /// The connection ended before an answer came.
    case connectionLost
    /// The answer did not come from a web server.
    case malformed
    /// libcurl is not installed, or cannot be loaded.
    case noLibrary
    /// Another error of libcurl, by its code.
    case library(UInt32)
}
