internal import Texts

/// The rules for every request, in order, from the peer's address to the phone's role. The form's fields and adhand's decision
/// come later.
package struct RequestRules: Sendable {
    package var names: ServerNames

    package static let longestHead = 8192

    package init(names: ServerNames) { self.names = names }

    /// The reason for a refusal, for JSON, the page and the log.
    package enum Reason: String, Sendable, Codable, CaseIterable {
        case head, host, method, path, origin, type, length
        case tooLarge = "too-large"
        case encoding
        case unpaired, wait, role, fresh
    }

    package enum Verdict: Sendable, Equatable {
        /// Closes the connection without an answer.
        case close
        case redirect(to: String)
        /// Redirects a phone's test for internet access, whatever its host name, to the page that its sign-in sheet shows
        /// (302).
        case signIn(at: String)
        case refuse(status: Int, Reason, json: Bool)
        case admit(Admission)
    }

    /// A request that was admitted.
    package struct Admission: Sendable, Equatable {
        package let route: Route
        /// The phone; `nil` at an address open to anyone, if the caller has no phone's token.
        package let phone: Phone?
        package let isFresh: Bool
        /// Bytes of the body.
        package let length: Int
        /// The boundary of an upload's parts; empty for any other body.
        package let boundary: String
        package let json: Bool
        /// The address to which wrong codes are counted.
        package let address: NetworkAddress
        package let entryPoint: RequestHead.EntryPoint
        /// Whether the browser used HTTPS with a proxy on this machine.
        package let isSecure: Bool
    }

    /// - Parameter access: counts the act and notes the day of the phone's request.
    package func decide(_ head: RequestHead, _ access: inout Access, at moment: PhoneMoment) -> Verdict {
        guard isNear(head.peer) else { return .close }
        // Until the route is known, the caller's accepted types decide the form of a refusal.
        var json = head.wantsJSON
        func refuse(_ status: Int, _ reason: Reason) -> Verdict {
            .refuse(status: status, reason, json: json)
        }
        guard head.bytes <= Self.longestHead else { return refuse(431, .head) }
        guard head.hosts.count == 1 else { return refuse(421, .host) }
        guard let match = names.match(head.hosts[0]) else {
            return head.entryPoint == .setUp && head.method == "GET"
                ? .signIn(at: Hotspot.setUpPage) : refuse(421, .host)
        }
        let there = Route.all.filter { $0.path == head.path }
        guard !there.isEmpty else { return refuse(404, .path) }
        guard let route = there.first(where: { $0.method.rawValue == head.method }) else {
            return refuse(405, .method)
        }
        // Joining is the only act that sends a password. It is allowed only on the box's own network, which is encrypted.
        guard route.name != .join || head.entryPoint == .setUp else { return refuse(404, .path) }
        json = json || route.isDocument
        let throughProxy = names.proxy && head.peer.isLoopback
        let origins = names.origins(of: head.hosts[0], match, throughProxy: throughProxy)
        let length: Int
        switch body(head, route, origins) {
        case .success(let bytes): length = bytes
        case .failure(let refusal): return refuse(refusal.status, refusal.reason)
        }
        if route.name == .root { return .redirect(to: Route.path(of: .now)) }
        let phone = head.token.flatMap { access.phone(of: $0, at: moment) }
        let isFresh = phone.map { access.isFresh($0.id, at: moment) } ?? false
        // At that entry point the key of the box's own network gives any phone access to the network page.
        let mayName = head.entryPoint == .setUp && head.token.map { access.mayName($0, at: moment) } ?? false
        let caller = phone?.id ?? (mayName ? head.token?.digest : nil)
        if let caller, route.isAct, !access.allowsAct(of: caller, at: moment) { return refuse(429, .wait) }
        if let phone { access.saw(phone.id, at: moment) }
        let way = Route.path(of: mayName ? .network : .pair)
        switch (route.right, phone?.role) {
        case (.anybody, _), (.household, .some), (.keeper, .keeper): break
        case _ where mayName && route.isAboutNetwork: break
        case (.fresh, .keeper): if !isFresh { return refuse(403, .fresh) }
        // A phone's test for internet access leads to the set-up, whatever the rights of the phone.
        case (_, .household) where head.entryPoint == .setUp && route.name == .setup && !json:
            return .redirect(to: way)
        case (_, nil): return route.isAct || json ? refuse(401, .unpaired) : .redirect(to: way)
        case (_, .household): return refuse(403, .role)
        }
        let isSecure = throughProxy && match == .added && head.origins.contains { $0.hasPrefix("https:") }
        return .admit(
            Admission(
                route: route, phone: phone, isFresh: isFresh, length: length,
                boundary: head.contentTypes.first.flatMap { ContentType($0).boundary } ?? "", json: json,
                address: address(head, throughProxy), entryPoint: head.entryPoint, isSecure: isSecure))
    }

    private func isNear(_ peer: NetworkAddress) -> Bool {
        peer.isLoopback || peer.isOfANeighbour || names.addresses.contains { $0.sharesPrefix(with: peer) }
    }

    /// The address for limits. A proxy appends the address of its own peer.
    private func address(_ head: RequestHead, _ throughProxy: Bool) -> NetworkAddress {
        guard throughProxy, let last = head.forwardedFor.last?.split(separator: ",").last else {
            return head.peer
        }
        return NetworkAddress(last.drop { $0 == " " }) ?? head.peer
    }

    private struct Refusal: Error {
        let status: Int
        let reason: Reason
    }

    private func body(_ head: RequestHead, _ route: Route, _ origins: [String]) -> Result<Int, Refusal> {
        func no(_ status: Int, _ reason: Reason) -> Result<Int, Refusal> {
            .failure(Refusal(status: status, reason: reason))
        }
        guard route.isAct else {
            guard head.transferEncodings.isEmpty else { return no(400, .encoding) }
            return head.contentLengths.allSatisfy { $0 == "0" } ? .success(0) : no(400, .length)
        }
        guard head.origins.count == 1, origins.contains(head.origins[0]) else { return no(403, .origin) }
        guard head.contentTypes.count == 1, ContentType(head.contentTypes[0]).fits(route.body) else {
            return no(415, .type)
        }
        guard !head.contentLengths.isEmpty else { return no(411, .length) }
        guard head.contentLengths.count == 1, let length = Self.length(head.contentLengths[0]) else {
            return no(400, .length)
        }
        guard length <= route.longestBody else { return no(413, .tooLarge) }
        guard head.transferEncodings.isEmpty else { return no(400, .encoding) }
        return .success(length)
    }

    private static func length(_ text: String) -> Int? {
        guard (1...12).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }
}

/// The headers of every answer.
package enum AnswerHeaders {
    package static let all: [(name: String, value: String)] = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                + "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
        ),
        ("X-Frame-Options", "DENY"), ("X-Content-Type-Options", "nosniff"),
        ("Cross-Origin-Resource-Policy", "same-origin"), ("Cache-Control", "no-store"),
        // With `no-referrer`, browsers send `Origin: null` with the page's own forms.
        ("Referrer-Policy", "same-origin"),
    ]
}
