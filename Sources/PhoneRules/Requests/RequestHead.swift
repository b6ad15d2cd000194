/// The head of a request as it arrived. Each header that must not be repeated is a list here, so that a repetition is noticed.
package struct RequestHead: Sendable, Equatable {
    /// The socket on which a request arrives.
    package enum EntryPoint: Sendable, Equatable {
        /// Port 8790, on every network.
        case network
        /// Port 80 on the box's own network, for phones that know its key.
        case setUp
    }

    package var peer: NetworkAddress
    package var entryPoint = EntryPoint.network
    package var method: String
    /// Path and query of the request line.
    package var target: String
    package var hosts: [String]
    package var origins: [String] = []
    package var contentTypes: [String] = []
    package var contentLengths: [String] = []
    package var transferEncodings: [String] = []
    package var cookies: [String] = []
    package var accepts: [String] = []
    /// `X-Forwarded-For`, which is only accepted from a proxy on this machine.
    package var forwardedFor: [String] = []
    /// Bytes of the head, if the server has counted them.
    package var bytes = 0

    package init(peer: NetworkAddress, method: String, target: String, hosts: [String]) {
        self.peer = peer
        self.method = method
        self.target = target
        self.hosts = hosts
    }

    /// The start of the requested part of a long list, from `?from=`.
    package var from: Int {
        let query = target.drop { $0 != "?" }.dropFirst()
        let value = query.split(separator: "&").last { $0.hasPrefix("from=") }?.dropFirst(5)
        return value.flatMap { $0.count <= 4 ? Int($0) : nil }.map { max(0, $0) } ?? 0
    }

    package var path: Substring { target.prefix { $0 != "?" } }

    package var wantsJSON: Bool {
        accepts.contains { list in
            list.split(separator: ",").contains { item in
                item.prefix { $0 != ";" }.filter { $0 != " " }.lowercased() == "application/json"
            }
        }
    }

    /// The token of the cookie; `nil` if it is missing, repeated or malformed.
    package var token: PhoneToken? { cookie(Self.cookieName).flatMap { PhoneToken($0) } }

    /// The language that this phone has chosen.
    package var language: String? { cookie(Self.languageCookie) }

    private func cookie(_ name: String) -> String? {
        let pairs: [Substring] = cookies.map { $0.split(separator: ";") }.reduce([], +)
        let values = pairs.map { pair in pair.drop { $0 == " " } }.filter { $0.hasPrefix(name + "=") }
        return values.count == 1 ? String(values[0].dropFirst(name.count + 1)) : nil
    }

    package static let languageCookie = "adhan_language"

    /// `Lax`, because a sign-in sheet reaches this page by a redirect from an address of the phone's maker. Browsers that check
    /// the whole chain would withhold a `Strict` cookie, and a paired phone would be asked for a code. With `Lax`, another site
    /// can make a browser open a page with the cookie, which changes nothing; acts are POST and need their own `Origin`.
    private static let attributes = "HttpOnly; SameSite=Lax; Path=/r/"

    /// The value of `Set-Cookie` for the requested language.
    package static func setLanguage(_ code: String, days: Int, isSecure: Bool) -> String {
        "\(languageCookie)=\(code); \(attributes); Max-Age=\(days * 86_400)"
            + (isSecure ? "; Secure" : "")
    }

    package static let cookieName = "adhan_remote"

    /// The value of `Set-Cookie` for a phone that was paired or renewed.
    package static func setCookie(_ token: PhoneToken, days: Int, isSecure: Bool) -> String {
        "\(cookieName)=\(token.text); \(attributes); Max-Age=\(days * 86_400)"
            + (isSecure ? "; Secure" : "")
    }

    /// The value of `Set-Cookie` for a phone that is revoked.
    package static func clearCookie(isSecure: Bool) -> String {
        "\(cookieName)=; \(attributes); Max-Age=0" + (isSecure ? "; Secure" : "")
    }
}
