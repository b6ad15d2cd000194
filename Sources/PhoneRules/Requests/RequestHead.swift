/// The facts of a request's head, as they came. Each header that may come once only is a list here, so that a second one is seen.
package struct RequestHead: Sendable, Equatable {
    /// The socket on which a request comes.
    package enum Door: Sendable, Equatable {
        /// Port 8790 of every network.
        case network
        /// Port 80 of the box's own network, for whoever knows its key.
        case setUp
    }

    package var peer: NetworkAddress
    package var door = Door.network
    package var method: String
    /// Path and query as the request line has them.
    package var target: String
    package var hosts: [String]
    package var origins: [String] = []
    package var contentTypes: [String] = []
    package var contentLengths: [String] = []
    package var transferEncodings: [String] = []
    package var cookies: [String] = []
    package var accepts: [String] = []
    /// `X-Forwarded-For`, which only a proxy on this machine may say.
    package var forwardedFor: [String] = []
    /// Bytes of the head, if the server counted them.
    package var bytes = 0

    package init(peer: NetworkAddress, method: String, target: String, hosts: [String]) {
        self.peer = peer
        self.method = method
        self.target = target
        self.hosts = hosts
    }

    /// The beginning of a part of a long list, from `?from=`.
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

    /// The token of the cookie; `nil` if there is none, or several, or it cannot be one.
    package var token: PhoneToken? { cookie(Self.cookieName).flatMap { PhoneToken($0) } }

    /// The language that this phone chose before.
    package var language: String? { cookie(Self.languageCookie) }

    private func cookie(_ name: String) -> String? {
        let pairs: [Substring] = cookies.map { $0.split(separator: ";") }.reduce([], +)
        let values = pairs.map { pair in pair.drop { $0 == " " } }.filter { $0.hasPrefix(name + "=") }
        return values.count == 1 ? String(values[0].dropFirst(name.count + 1)) : nil
    }

    package static let languageCookie = "adhan_language"

    /// `Lax`, as a sign-in sheet comes to this page by a redirect from the address of a phone's maker: browsers that look at the whole
    /// chain would keep a `Strict` cookie back, and a paired phone would be asked for a code. A page elsewhere can make a browser
    /// open a page of this one with it, which changes nothing; acts are POST, which need their own `Origin`.
    private static let attributes = "HttpOnly; SameSite=Lax; Path=/r/"

    /// The value of `Set-Cookie` for a language that was asked for.
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

    /// The value of `Set-Cookie` for a phone that leaves.
    package static func clearCookie(isSecure: Bool) -> String {
        "\(cookieName)=; \(attributes); Max-Age=0" + (isSecure ? "; Secure" : "")
    }
}
