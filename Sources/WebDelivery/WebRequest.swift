/// One request to a server.
public struct WebRequest: Sendable, Equatable {
    public struct Header: Sendable, Equatable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    public var url: String
    /// Present: a POST of these bytes; `nil`: a GET.
    public var body: [UInt8]?
    public var headers: [Header]
    public var limits: Limits

    public struct Limits: Sendable, Equatable {
        /// Seconds for the look-up of the name and the connection.
        public var connectSeconds = 5.0
        /// Seconds for all of it.
        public var wholeSeconds = 15.0
        /// Bytes of the answer that are read.
        public var answerBytes = 4096

        public init() {}
    }

    public init(url: String, body: [UInt8]? = nil, headers: [Header] = [], limits: Limits = Limits()) {
        (self.url, self.body, self.headers, self.limits) = (url, body, headers, limits)
    }

    /// Header lines; `nil` where one of them would be two, or none.
    var headerLines: [String]? {
        var lines: [String] = []
        for header in headers {
            let isName =
                !header.name.isEmpty
                && header.name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
            guard isName, header.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                return nil
            }
            // With nothing after the colon libcurl would leave the header out.
            lines.append(header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
        }
        return lines
    }
}

/// The answer of a server.
public struct WebAnswer: Sendable, Equatable {
    public let status: Int
    /// `nil` where it is longer than the limit.
    public let body: [UInt8]?
}

/// Why no server answered. The names are fixed: programs depend on them.
public enum WebError: Error, Sendable, Equatable {
    /// The address is none of http:// or https://, or a header is not one line.
    case invalidRequest
    /// Without encryption only this machine, private addresses and `.local` are spoken to.
    case plainToPublicAddress
    case nameNotFound
    case timedOut
    case connectionRefused
    case unreachable
    /// The server's certificate is not from a known authority, has expired, or is for another name.
    case certificate
    case encryption
    /// The connection ended before there was an answer.
    case connectionLost
    /// Something answered that is no web server.
    case malformed
    /// libcurl is not on this machine, or cannot be loaded.
    case noLibrary
    /// Another fault of libcurl; its code.
    case library(UInt32)
}
