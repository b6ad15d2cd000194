import PhoneRules
import PrayerEngine
import Testing

@Suite("The rules for every request")
struct RequestTests {
    static let rules = RequestRules(
        names: ServerNames(
            own: "box", addresses: [NetworkAddress("192.168.1.5")!, NetworkAddress("2001:db8:1:2::5")!],
            added: ["box.example.org"], proxy: false))
    static let host = "box.local:8790"

    /// A household's phone that mutes: everything is in order.
    static func good(_ path: String = "/r/mute", _ token: PhoneToken? = nil) -> RequestHead {
        var head = RequestHead(
            peer: NetworkAddress("192.168.1.20")!, method: "POST", target: path, hosts: [host])
        head.origins = ["http://" + host]
        head.contentTypes = ["application/x-www-form-urlencoded"]
        head.contentLengths = ["7"]
        head.cookies = token.map { ["adhan_remote=\($0.text)"] } ?? []
        return head
    }

    static func status(_ verdict: RequestRules.Verdict) -> Int {
        switch verdict {
        case .close: 0
        case .redirect: 303
        case .signIn: 302
        case .refuse(let status, _, _): status
        case .admit: 200
        }
    }

    static func decide(_ head: RequestHead, _ role: Role = .household, _ rules: RequestRules = rules) throws
        -> Int
    {
        var (access, _, token) = try AccessTests.paired(role)
        var head = head
        if head.cookies == ["own"] { head.cookies = ["adhan_remote=\(token.text)"] }
        return status(rules.decide(head, &access, at: AccessTests.at(1)))
    }

    /// The good request with one thing changed.
    static func changed(_ change: (inout RequestHead) -> Void) -> RequestHead {
        var head = good()
        head.cookies = ["own"]
        change(&head)
        return head
    }

    struct Hostile: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let status: Int
        let head: RequestHead

        init(_ name: String, _ status: Int, _ change: (inout RequestHead) -> Void) {
            testDescription = name
            self.status = status
            head = changed(change)
        }
    }

    static let upload = "multipart/form-data; boundary=x"

    static let hostile: [Hostile] =
        [
            Hostile("no origin", 403) { $0.origins = [] },
            Hostile("origin null", 403) { $0.origins = ["null"] },
            Hostile("foreign origin", 403) { $0.origins = ["http://evil.example"] },
            Hostile("origin of another port", 403) { $0.origins = ["http://box.local:8787"] },
            Hostile("origin without the port", 403) { $0.origins = ["http://box.local"] },
            Hostile("origin of another scheme", 403) { $0.origins = ["https://box.local:8790"] },
            Hostile("origin in capitals", 403) { $0.origins = ["HTTP://BOX.LOCAL:8790"] },
            Hostile("origin with a path", 403) { $0.origins = ["http://box.local:8790/"] },
            Hostile("two origins", 403) { $0.origins += ["http://evil.example"] },
            Hostile("origin is another own name", 403) { $0.origins = ["http://localhost:8790"] },
        ]
        + [
            ("foreign host", "evil.example:8790"), ("trailing dot", "box.local.:8790"),
            ("wrong port", "box.local:8787"),
            ("no port", "box.local"), ("userinfo", "box.local@evil.example:8790"),
            ("userinfo before an own name", "evil@box.local:8790"), ("zone of IPv6", "[fe80::1%25eth0]:8790"),
            ("foreign IPv6", "[2001:db8:9::1]:8790"), ("IPv6 without brackets", "2001:db8:1:2::5:8790"),
            ("IPv4 in octal", "0300.0250.1.5:8790"), ("IPv4 as one number", "3232235781:8790"),
            ("mapped IPv4 in brackets", "[::ffff:192.168.1.5]:8790"), ("empty", ""), ("only a port", ":8790"),
            ("a space", "box.local :8790"), ("a list", "box.local:8790, evil.example"),
            ("NUL", "box.local\0:8790"),
            ("end of a name", "evilbox.local:8790"), ("below a name", "evil.box.local:8790"),
        ].map { name, host in
            Hostile("host: \(name)", 421) {
                $0.hosts = [host]
                $0.origins = ["http://" + host]
            }
        } + [
            Hostile("two hosts", 421) { $0.hosts += ["evil.example"] },
            Hostile("the same host twice", 421) { $0.hosts += [host] },
            Hostile("no host", 421) { $0.hosts = [] },
            Hostile("text/plain on a form", 415) { $0.contentTypes = ["text/plain"] },
            Hostile("JSON on a form", 415) { $0.contentTypes = ["application/json"] },
            Hostile("multipart on a form", 415) { $0.contentTypes = [upload] },
            Hostile("a form on an upload", 415) { $0.target = "/r/sound" },
            Hostile("multipart without a boundary", 415) {
                $0.target = "/r/sound"
                $0.contentTypes = ["multipart/form-data"]
            },
            Hostile("no type", 415) { $0.contentTypes = [] },
            Hostile("two types", 415) { $0.contentTypes += ["text/plain"] },
            Hostile("another character set", 415) {
                $0.contentTypes = ["application/x-www-form-urlencoded; charset=utf-7"]
            },
            Hostile("two lengths", 400) { $0.contentLengths = ["7", "8"] },
            Hostile("the same length twice", 400) { $0.contentLengths = ["7", "7"] },
            Hostile("a signed length", 400) { $0.contentLengths = ["+7"] },
            Hostile("a list of lengths", 400) { $0.contentLengths = ["7, 7"] },
            Hostile("no length", 411) { $0.contentLengths = [] },
            Hostile("chunked", 411) {
                $0.contentLengths = []
                $0.transferEncodings = ["chunked"]
            },
            Hostile("chunked with a length", 400) { $0.transferEncodings = ["chunked"] },
            Hostile("a form of 64 KiB and a byte", 413) { $0.contentLengths = ["65537"] },
            Hostile("an endless length", 400) { $0.contentLengths = ["99999999999999999999"] },
            Hostile("an absolute URI", 404) { $0.target = "http://box.local:8790/r/mute" },
            Hostile("escaped dots", 404) { $0.target = "/r/%2e%2e/r/mute" },
            Hostile("dots", 404) { $0.target = "/r/../r/mute" },
            Hostile("an escaped letter", 404) { $0.target = "/r/%6dute" },
            Hostile("NUL in the path", 404) { $0.target = "/r/mute\0" },
            Hostile("a slash at the end", 404) { $0.target = "/r/mute/" },
            Hostile("a long head", 431) { $0.bytes = 8193 },
        ]
        + ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "post", "POST "].map { method in
            Hostile("\(method) on an act", 405) { $0.method = method }
        } + [
            Hostile("no cookie", 401) { $0.cookies = [] },
            Hostile("a cut cookie", 401) {
                $0.cookies = ["adhan_remote=" + String(AccessTests.token(2).text.dropLast())]
            },
            Hostile("the cookie twice", 401) {
                $0.cookies = ["adhan_remote=\(AccessTests.token(2).text)", "adhan_remote=x"]
            },
            Hostile("the cookie of another box", 401) {
                $0.cookies = ["adhan_remote=\(AccessTests.token(77).text)"]
            },
            Hostile("a peer of the internet", 0) { $0.peer = NetworkAddress("203.0.113.4")! },
            Hostile("a mapped peer of the internet", 0) { $0.peer = NetworkAddress("::ffff:203.0.113.4")! },
            Hostile("a peer of another /64", 0) { $0.peer = NetworkAddress("2001:db8:1:3::9")! },
        ]

    @Test("Hostile requests are refused, each for its own reason", arguments: hostile)
    func refused(_ request: Hostile) throws {
        #expect(try Self.decide(request.head) == request.status)
    }

    @Test("There are at least sixty of them, and the request that they change is good")
    func count() throws {
        #expect(Self.hostile.count >= 60)
        #expect(try Self.decide(Self.changed { _ in }) == 200)
    }

    @Test(
        "A household's phone does none of the keeper's acts",
        // To join a network has an entry point of its own: EntryPointTests.
        arguments: Route.all.filter { ($0.right == .keeper || $0.right == .fresh) && $0.name != .join })
    func household(_ route: Route) throws {
        let head = Self.changed {
            $0.target = route.path
            $0.method = route.method.rawValue
            if case .upload = route.body { $0.contentTypes = [Self.upload] }
            if route.method == .get { $0.contentLengths = [] }
        }
        #expect(try Self.decide(head) == 403)
        #expect(try Self.decide(head, .keeper) == 200)
    }

    @Test("Acts that need a code from the room are refused an hour after it")
    func fresh() throws {
        var (access, phone, token) = try AccessTests.paired(.keeper)
        let head = Self.good("/r/sound/remove", token)
        guard case .admit(let admission) = Self.rules.decide(head, &access, at: AccessTests.at(3599)) else {
            throw AccessTests.Wrong()
        }
        #expect(admission.phone?.id == phone.id && admission.isFresh && admission.length == 7)
        #expect(
            Self.rules.decide(head, &access, at: AccessTests.at(3600))
                == .refuse(status: 403, .fresh, json: false))
    }

    @Test("A revoked phone, and one that acts too often")
    func phones() throws {
        var (access, phone, token) = try AccessTests.paired()
        let head = Self.good("/r/mute", token)
        for _ in 0..<120 {
            #expect(Self.status(Self.rules.decide(head, &access, at: AccessTests.at(1))) == 200)
        }
        #expect(Self.status(Self.rules.decide(head, &access, at: AccessTests.at(2))) == 429)
        _ = access.revoke(phone.id)
        #expect(Self.status(Self.rules.decide(head, &access, at: AccessTests.at(100))) == 401)
    }

    @Test("A page without a phone leads to pairing, a document is refused")
    func unpaired() throws {
        for (target, status) in [
            ("/", 303), ("/r/", 303), ("/r/phones", 303), ("/r/pair", 200), ("/r/style.css", 200),
            ("/r/page.js", 200),
            ("/r/now.json", 401), ("/r/settings.json", 401), ("/r/pair?lang=ar", 200), ("/x", 404),
        ] {
            let head = RequestHead(
                peer: NetworkAddress("fe80::1")!, method: "GET", target: target, hosts: [Self.host])
            #expect(try Self.decide(head) == status, "\(target)")
        }
        var head = RequestHead(peer: NetworkAddress("::1")!, method: "GET", target: "/r/", hosts: [Self.host])
        head.accepts = ["text/html, application/json;q=0.9"]
        var access = Access()
        #expect(
            Self.rules.decide(head, &access, at: AccessTests.at(1))
                == .refuse(status: 401, .unpaired, json: true))
        head.contentLengths = ["5"]
        #expect(Self.status(Self.rules.decide(head, &access, at: AccessTests.at(1))) == 400)
    }

    @Test(
        "Own names and addresses are let in",
        arguments: [
            "box:8790", "box.local:8790", "BOX.local:8790", "localhost:8790", "127.0.0.1:8790", "[::1]:8790",
            "192.168.1.5:8790", "[2001:db8:1:2::5]:8790", "[2001:0db8:1:2:0:0:0:5]:8790", "box.example.org",
            "box.example.org:8790",
        ])
    func hosts(_ host: String) throws {
        let head = Self.changed {
            $0.hosts = [host]
            $0.origins = ["http://" + host.lowercased()]
        }
        #expect(try Self.decide(head) == 200)
    }

    @Test("A proxy on this machine may say HTTPS and from whom, and nobody else may")
    func proxy() throws {
        var rules = Self.rules
        var head = Self.good("/r/pair")
        head.hosts = ["box.example.org"]
        head.origins = ["https://box.example.org"]
        head.forwardedFor = ["10.1.1.1, 198.51.100.7"]
        var access = Access()
        #expect(Self.status(rules.decide(head, &access, at: AccessTests.at(1))) == 403)
        rules.names.proxy = true
        #expect(Self.status(rules.decide(head, &access, at: AccessTests.at(1))) == 403)
        head.peer = NetworkAddress("127.0.0.1")!
        guard case .admit(let admission) = rules.decide(head, &access, at: AccessTests.at(1)) else {
            throw AccessTests.Wrong()
        }
        #expect(admission.isSecure && admission.address == NetworkAddress("198.51.100.7"))
        head.hosts = [Self.host]
        head.origins = ["https://" + Self.host]
        #expect(Self.status(rules.decide(head, &access, at: AccessTests.at(1))) == 403)
    }

    @Test("The cookie is the page's alone, and is cleared with the same attributes")
    func cookies() {
        let token = AccessTests.token(1)
        #expect(
            RequestHead.setCookie(token, days: 180, isSecure: false)
                == "adhan_remote=\(token.text); HttpOnly; SameSite=Lax; Path=/r/; Max-Age=15552000")
        #expect(RequestHead.clearCookie(isSecure: true).hasSuffix("Path=/r/; Max-Age=0; Secure"))
        // A sign-in sheet comes by a redirect from elsewhere, with which no browser need send a stricter one.
        let all = [
            RequestHead.setCookie(token, days: 1, isSecure: false), RequestHead.clearCookie(isSecure: false),
            RequestHead.setLanguage("ar", days: 1, isSecure: false),
        ]
        for cookie in all { #expect(cookie.contains("; HttpOnly; SameSite=Lax; Path=/r/;"), "\(cookie)") }
    }

    @Test("With the cookie a page elsewhere opens pages alone: every act needs its own origin")
    func laxCookie() throws {
        let (access, _, token) = try AccessTests.paired(.keeper)
        for route in Route.all where route.isAct {
            var head = RequestHead(
                peer: NetworkAddress("192.168.1.7")!, method: "POST", target: route.path, hosts: [Self.host])
            head.entryPoint = .setUp
            head.cookies = ["adhan_remote=\(token.text)"]
            head.contentTypes = ["application/x-www-form-urlencoded"]
            head.contentLengths = ["4"]
            for origins in [[], ["null"], ["http://captive.apple.com"]] {
                head.origins = origins
                var tried = access
                let verdict = Self.rules.decide(head, &tried, at: AccessTests.at(1))
                #expect(Self.status(verdict) == 403, "\(route.path) \(origins)")
            }
        }
        #expect(Route.all.allSatisfy { $0.isAct == ($0.method == .post) })
    }

    @Test("Each address has one route, and every act is below the cookie's path")
    func routes() {
        let keys = Route.all.map { $0.method.rawValue + $0.path }
        #expect(Set(keys).count == keys.count && Set(Route.all.map(\.name)) == Set(Route.Name.allCases))
        #expect(Route.all.allSatisfy { $0.path.hasPrefix("/r/") || $0.name == .root })
    }

    @Test("Addresses are read as they are written, and nothing else is one")
    func addresses() {
        #expect(NetworkAddress("::")?.bytes == [UInt8](repeating: 0, count: 16))
        #expect(NetworkAddress("fe80::1:2")?.bytes.suffix(4) == [0, 1, 0, 2])
        #expect(NetworkAddress("::ffff:192.0.2.1") == NetworkAddress("192.0.2.1"))
        for text in [
            "", ":", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "12345::", "1.2.3", "1.2.3.256",
            "01.2.3.4",
            "::1%lo", "g::", "1:2:3:4:5:6:7::8", "1.2.3.4:5", "::1.2.3.4:5", "+1.2.3.4",
        ] {
            #expect(NetworkAddress(text) == nil, "\(text)")
        }
    }
}
