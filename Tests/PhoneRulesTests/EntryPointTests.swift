import PhoneRules
import PrayerEngine
import Protocol
import Testing
import Texts

@Suite("The page in the box's own network")
struct EntryPointTests {
    private static let phone = NetworkAddress("10.77.77.12")!
    private let rules = RequestRules(
        names: ServerNames(own: "adhan-1a2b3c", addresses: [NetworkAddress("10.77.77.1")!], port: 80))

    private func head(
        _ method: String, _ target: String, host: String, entryPoint: RequestHead.EntryPoint = .setUp
    )
        -> RequestHead
    {
        var head = RequestHead(peer: Self.phone, method: method, target: target, hosts: [host])
        head.entryPoint = entryPoint
        guard method == "POST" else { return head }
        head.origins = ["http://\(host)"]
        head.contentTypes = ["application/x-www-form-urlencoded"]
        head.contentLengths = ["40"]
        return head
    }

    private func decide(_ head: RequestHead, _ access: Access = Access()) -> RequestRules.Verdict {
        var access = access
        return rules.decide(head, &access, at: AccessTests.at(1))
    }

    @Test(
        "While the box leaves for a network, a form that comes twice is the same one; another of the phone is not, and another phone waits"
    )
    func begun() throws {
        let home = try #require(
            JoinRequest(ssid: "Home", password: "long enough", hidden: false, country: nil))
        let mended = try #require(
            JoinRequest(ssid: "Home", password: "longer enough", hidden: false, country: nil))
        let other = try #require(JoinRequest(ssid: "Other", password: nil, hidden: false, country: nil))
        let second = try #require(NetworkAddress("10.77.77.13"))
        let begun = JoinBegun(home, of: Self.phone, at: 100)
        for uptime in [100, 109.9] {
            for phone in [Self.phone, second] {
                #expect(begun.relation(to: home, of: phone, at: uptime) == .same)
            }
            for form in [mended, other] {
                #expect(begun.relation(to: form, of: Self.phone, at: uptime) == .changed)
                #expect(begun.relation(to: form, of: second, at: uptime) == .other)
            }
        }
        for form in [home, mended, other] {
            #expect(begun.relation(to: form, of: Self.phone, at: 110) == nil)
        }
    }

    private func status(_ verdict: RequestRules.Verdict) -> Int? {
        if case .refuse(let status, _, _) = verdict { return status }
        return nil
    }

    @Test(
        "What phones and computers ask to see whether there is an internet leads to the set-up",
        arguments: [
            ("connectivitycheck.gstatic.com", "/generate_204"), ("www.google.com", "/gen_204"),
            ("clients3.google.com", "/generate_204"), ("captive.apple.com", "/hotspot-detect.html"),
            ("www.apple.com", "/library/test/success.html"), ("www.msftconnecttest.com", "/connecttest.txt"),
            ("www.msftncsi.com", "/ncsi.txt"), ("detectportal.firefox.com", "/success.txt?ipv4"),
            ("connectivity.samsung.com.cn", "/generate_204"), ("example.org:80", "/r/setup"),
            ("192.168.1.1", "/"),
        ])
    func probes(host: String, target: String) {
        #expect(decide(head("GET", target, host: host)) == .signIn(at: "http://10.77.77.1/r/setup"))
        // Nothing but a look, and at no other entry point.
        for method in ["POST", "HEAD", "PUT", "DELETE", "OPTIONS"] {
            #expect(status(decide(head(method, target, host: host))) == 421)
        }
        #expect(status(decide(head("GET", target, host: host, entryPoint: .network))) == 421)
        var two = head("GET", target, host: host)
        two.hosts = [host, "10.77.77.1"]
        #expect(status(decide(two)) == 421)
    }

    @Test("By its own name and number the page is the page; strangers of other networks are closed")
    func ownNames() {
        for host in ["10.77.77.1", "adhan-1a2b3c.local", "ADHAN-1A2B3C"] {
            #expect(decide(head("GET", "/r/setup", host: host)) == .redirect(to: "/r/pair"))
        }
        var far = head("GET", "/generate_204", host: "captive.apple.com")
        far.peer = NetworkAddress("203.0.113.7")!
        #expect(decide(far) == .close)
    }

    @Test("A network is named in the box's own network alone, from a keeper's phone, by the page itself")
    func joining() throws {
        let (access, _, token) = try AccessTests.paired(.keeper)
        func asked(_ entryPoint: RequestHead.EntryPoint, _ change: (inout RequestHead) -> Void = { _ in })
            -> RequestRules.Verdict
        {
            var head = self.head("POST", "/r/network", host: "10.77.77.1", entryPoint: entryPoint)
            head.cookies = ["adhan_remote=\(token.text)"]
            change(&head)
            return decide(head, access)
        }
        guard case .admit(let admission) = asked(.setUp) else { throw AccessTests.Wrong() }
        #expect(admission.entryPoint == .setUp)
        #expect(status(asked(.network)) == 404)
        #expect(status(asked(.setUp) { $0.cookies = [] }) == 401)
        #expect(status(asked(.setUp) { $0.origins = [] }) == 403)
        #expect(status(asked(.setUp) { $0.origins = ["http://captive.apple.com"] }) == 403)
        #expect(status(asked(.setUp) { $0.hosts = ["captive.apple.com"] }) == 421)
        let (family, _, other) = try AccessTests.paired(.household)
        var head = self.head("POST", "/r/network", host: "10.77.77.1")
        head.cookies = ["adhan_remote=\(other.text)"]
        #expect(status(decide(head, family)) == 403)
    }

    @Test("Whoever joined pairs with one tap, on that door alone; a code that is typed counts as one")
    func oneTap() throws {
        func read(_ form: String, _ entryPoint: RequestHead.EntryPoint) throws -> Act? {
            try Act.read(.enterCode, Form(form.utf8), role: nil, entryPoint: entryPoint)
        }
        #expect(try read("name=Phone", .setUp) == .pair(.joined, PhoneName("Phone")!))
        #expect(try read("code=&name=Phone", .setUp) == .pair(.joined, PhoneName("Phone")!))
        #expect(try read("code=123456&name=Phone", .setUp) == .pair(.code("123456"), PhoneName("Phone")!))
        for form in ["name=Phone", "code=&name=Phone"] {
            #expect(throws: FieldRefusal.self) { try read(form, .network) }
        }
        var access = Access(setUp: SetUpRules())
        func pair() -> Access.PairingVerdict {
            access.pair(
                .joined, name: AccessTests.name, token: AccessTests.token(3), from: Self.phone,
                at: AccessTests.at(1))
        }
        #expect(pair() == .refused)
        access.keepSetUp(isUnplaced: true, random: AccessTests.random(24, 1), at: AccessTests.at(1))
        guard case .paired(let phone) = pair() else { throw AccessTests.Wrong() }
        // A second phone that tapped as fast has typed no code: it hears which one was faster.
        access.saw(phone.id, at: AccessTests.at(2))
        #expect(phone.role == .keeper && pair() == .taken(by: "Kitchen phone"))
        access.keepSetUp(isUnplaced: false, random: AccessTests.random(24, 2), at: AccessTests.at(4))
        #expect(pair() == .refused)
        var machine = Access()
        #expect(
            machine.pair(
                .joined, name: AccessTests.name, token: AccessTests.token(3), from: Self.phone,
                at: AccessTests.at(1))
                == .refused)
    }

    /// A box that a phone has claimed, with the key of its own network.
    private func claimed(isUnplaced: Bool = false) throws -> (Access, Phone, PhoneToken) {
        let (paired, phone, token) = try AccessTests.paired(.keeper)
        var access = Access(
            list: paired.list, setUp: SetUpRules(hotspotKey: PairingWord("k7m2-9qxd-4wtp")))
        access.keepSetUp(isUnplaced: isUnplaced, random: AccessTests.random(24, 5), at: AccessTests.at(1))
        return (access, phone, token)
    }

    private func pair(
        _ access: inout Access, _ proof: PairingProof, _ uptime: Double, token: UInt64 = 9,
        own: PhoneToken? = nil, entryPoint: RequestHead.EntryPoint = .network
    ) -> Access.PairingVerdict {
        access.pair(
            proof, name: AccessTests.name, token: AccessTests.token(token), own: own, from: Self.phone,
            entryPoint: entryPoint, at: AccessTests.at(uptime))
    }

    private func decide(
        _ method: String, _ path: String, _ token: PhoneToken, _ access: Access, _ uptime: Double = 3,
        entryPoint: RequestHead.EntryPoint = .setUp
    ) -> RequestRules.Verdict {
        var head = self.head(method, path, host: "10.77.77.1", entryPoint: entryPoint)
        head.cookies = ["adhan_remote=\(token.text)"]
        var access = access
        return rules.decide(head, &access, at: AccessTests.at(uptime))
    }

    private func isAdmitted(_ verdict: RequestRules.Verdict) -> Bool {
        if case .admit = verdict { return true }
        return false
    }

    @Test(
        "A keeper's phone is paired once more at the box's other address by a word, until it has come and for a quarter of an hour"
    )
    func carryOver() throws {
        var (access, phone, token) = try claimed()
        func word(_ id: String, _ uptime: Double) -> String? {
            access.carryOver(
                of: id, random: AccessTests.random(24, UInt64(uptime)), at: AccessTests.at(uptime))
        }
        let first = try #require(word(phone.id, 10))
        // The page may be opened twice before the link is used.
        #expect(first.count == 32 && word(phone.id, 20) == first && word("000000000000", 20) == nil)
        var late = access
        #expect(pair(&late, .key(first), 20 + Access.carriedFor) == .refused)
        var revoked = access
        let isGone = revoked.revoke(phone.id)
        #expect(isGone && pair(&revoked, .key(first), 30) == .refused)
        // The first answer is lost on its way, the second one is not.
        guard case .paired(let lost) = pair(&access, .key(first), 29, token: 12),
            case .paired(let second) = pair(&access, .key(first), 30)
        else { throw AccessTests.Wrong() }
        #expect(!access.list.phones.contains { $0.id == lost.id })
        access.saw(second.id, at: AccessTests.at(30))
        #expect(second.role == .keeper && second.id != phone.id)
        #expect(access.phone(of: token, at: AccessTests.at(31)) != nil, "the first address keeps its pairing")
        #expect(pair(&access, .key(first), 31, token: 10) == .refused)
        // A word is no code from the room: nothing is fresher than it was.
        #expect(!access.isFresh(second.id, at: AccessTests.at(31)))
        // It is on the disk, and to remove one is to remove the phone.
        var after = Access(list: try PhoneList(json: access.list.json))
        let isRevoked = after.revoke(second.id)
        #expect(isRevoked && after.list.phones.isEmpty)
        let (family, member, _) = try AccessTests.paired(.household)
        var household = family
        let none = household.carryOver(
            of: member.id, random: AccessTests.random(24, 1), at: AccessTests.at(1))
        #expect(none == nil)
    }

    @Test(
        "In its own network a box that was claimed takes that network's key as a code for the page about networks alone"
    )
    func naming() throws {
        let key = PairingProof.code("K7M2 9QXD 4WTP")
        var (access, _, _) = try claimed()
        #expect(pair(&access, key, 2) == .refused, "not at the other entry point")
        #expect(pair(&access, .code("k7m2-9qxd-4wtq"), 2, entryPoint: .setUp) == .refused)
        #expect(pair(&access, key, 2, entryPoint: .setUp) == .mayName(isNew: true))
        #expect(access.list.phones.count == 1, "no phone was paired")
        let token = AccessTests.token(9)
        for route in Route.all where route.right != .anybody {
            let isAboutNetwork = ["/r/network", "/r/network.json"].contains(route.path)
            let method = route.method.rawValue
            if case .upload = route.body { continue }
            #expect(isAdmitted(decide(method, route.path, token, access)) == isAboutNetwork, "\(route.path)")
            #expect(
                !isAdmitted(decide(method, route.path, token, access, entryPoint: .network)), "\(route.path)")
        }
        #expect(decide("GET", "/r/setup", token, access) == .redirect(to: "/r/network"))
        #expect(decide("GET", "/r/network", token, access, 2 + Access.namingFor) == .redirect(to: "/r/pair"))
        #expect(decide("GET", "/r/network", AccessTests.token(11), access) == .redirect(to: "/r/pair"))
        // Many such phones take no memory, and root's reset forgets them.
        for seed in UInt64(100)..<150 {
            _ = pair(&access, key, 4 + Double(seed), token: seed, entryPoint: .setUp)
        }
        #expect(!isAdmitted(decide("GET", "/r/network", token, access, 160)))
        #expect(isAdmitted(decide("GET", "/r/network", AccessTests.token(149), access, 160)))
        access.reset()
        #expect(!isAdmitted(decide("GET", "/r/network", AccessTests.token(149), access, 160)))
    }

    @Test("A household's phone keeps its pairing beside that right, and a machine that is no box gives none")
    func namingBeside() throws {
        let (family, _, token) = try AccessTests.paired(.household)
        var access = Access(
            list: family.list, setUp: SetUpRules(hotspotKey: PairingWord("k7m2-9qxd-4wtp")))
        access.keepSetUp(isUnplaced: false, random: AccessTests.random(24, 5), at: AccessTests.at(1))
        #expect(status(decide("GET", "/r/network", token, access)) == 403)
        let typed = PairingProof.code("k7m2-9qxd-4wtp")
        #expect(pair(&access, typed, 2, own: token, entryPoint: .setUp) == .mayName(isNew: false))
        #expect(isAdmitted(decide("GET", "/r/network", token, access)))
        #expect(isAdmitted(decide("GET", "/r/week", token, access)))
        #expect(status(decide("GET", "/r/phones", token, access)) == 403)
        var machine = Access()
        #expect(pair(&machine, typed, 2, entryPoint: .setUp) == .refused)
    }

    @Test(
        "In the box's own network an old code of the screen pairs as well, and the second phone hears of the first"
    )
    func oldKey() throws {
        var access = Access(setUp: SetUpRules(hotspotKey: PairingWord("k7m2-9qxd-4wtp")))
        access.keepSetUp(isUnplaced: true, random: AccessTests.random(24, 1), at: AccessTests.at(1))
        let old = PairingProof.key(String(repeating: "0", count: 32))
        #expect(pair(&access, old, 2) == .refused)
        guard case .paired(let phone) = pair(&access, old, 3, entryPoint: .setUp) else {
            throw AccessTests.Wrong()
        }
        #expect(phone.role == .keeper)
        access.saw(phone.id, at: AccessTests.at(3))
        #expect(pair(&access, old, 4, token: 10, entryPoint: .setUp) == .taken(by: "Kitchen phone"))
        let twice = pair(&access, .joined, 4, token: 10, own: AccessTests.token(9), entryPoint: .setUp)
        guard case .renewed(let same) = twice else { throw AccessTests.Wrong() }
        #expect(same.id == phone.id)
        #expect(pair(&access, .code("123456"), 5, token: 10, entryPoint: .setUp) == .refused)
    }

    @Test("The last answer of a set-up in the box's own network leads to the page about networks")
    func afterSetUp() {
        func next(_ entryPoint: RequestHead.EntryPoint, _ state: NetworkDocument.State?, _ asks: Bool)
            -> Route.Name
        {
            .afterSetUp(entryPoint: entryPoint, network: state, asksForMessages: asks)
        }
        #expect(next(.setUp, .hotspot, true) == .network && next(.setUp, .hotspot, false) == .network)
        #expect(next(.setUp, .joined, true) == .messages && next(.network, .hotspot, false) == .now)
        #expect(next(.network, nil, true) == .messages)
    }

    @Test("A phone that its question led to the set-up sees why no network was joined, or where one is named")
    func arrival() {
        func next(
            _ target: String, _ state: NetworkDocument.State?, _ last: NetworkDocument.Failure? = nil,
            hasPlace: Bool = false, entryPoint: RequestHead.EntryPoint = .setUp
        ) -> Route.Name? {
            let head = self.head("GET", target, host: "10.77.77.1", entryPoint: entryPoint)
            let network = state.map { NetworkDocument(state: $0, last: last) }
            return Route.Name.arrival(head, network: network) { hasPlace }
        }
        for last in NetworkDocument.Failure.allCases {
            #expect(next("/r/setup", .hotspot, last) == .network)
            #expect(next("/r/setup", .joining, last) == nil && next("/r/setup", .joined, last) == nil)
        }
        #expect(next("/r/setup", .hotspot, hasPlace: true) == .network)
        #expect(next("/r/setup", .hotspot) == nil && next("/r/setup", nil, hasPlace: true) == nil)
        // The way back is another address; and at the other entry point nobody is led.
        let back = Route.link(to: .setup, entryPoint: .setUp)
        #expect(back.hasPrefix("/r/setup?") && next(back, .hotspot, .refused, hasPlace: true) == nil)
        #expect(next("/r/setup?lang=ar", .hotspot, .refused) == nil)
        #expect(next("/r/setup", .hotspot, .refused, hasPlace: true, entryPoint: .network) == nil)
        #expect(Hotspot.setUpPage.hasSuffix(Route.path(of: .setup)))
        for name in Route.Name.allCases where name != .setup {
            #expect(Route.link(to: name, entryPoint: .setUp) == Route.path(of: name))
        }
        #expect(Route.link(to: .setup, entryPoint: .network) == "/r/setup")
    }

    @Test("In the box's own network a household's phone is led on as well, to the network or to a code")
    func householdArrives() throws {
        let (family, _, token) = try AccessTests.paired(.household)
        var access = Access(
            list: family.list, setUp: SetUpRules(hotspotKey: PairingWord("k7m2-9qxd-4wtp")))
        access.keepSetUp(isUnplaced: false, random: AccessTests.random(24, 5), at: AccessTests.at(1))
        #expect(decide("GET", "/r/setup", token, access) == .redirect(to: "/r/pair"))
        #expect(status(decide("GET", "/r/setup", token, access, entryPoint: .network)) == 403)
        let typed = pair(&access, .code("k7m2-9qxd-4wtp"), 2, own: token, entryPoint: .setUp)
        #expect(typed == .mayName(isNew: false))
        #expect(decide("GET", "/r/setup", token, access) == .redirect(to: "/r/network"))
    }

    @Test("The form of a network is read as it was typed")
    func form() throws {
        func read(_ form: String) throws -> Act? {
            try Act.read(.join, Form(form.utf8), role: .keeper, entryPoint: .setUp)
        }
        let request = JoinRequest(ssid: "Our Mosque", password: " p&ss word ", hidden: true, country: "GB")!
        #expect(try read("ssid=Our+Mosque&password=+p%26ss+word+&hidden=yes&country=gb") == .join(request))
        #expect(
            try read("ssid=Café&password=&country=")
                == .join(JoinRequest(ssid: "Café", password: nil, hidden: false, country: nil)!))
        for (form, field) in [
            ("ssid=&password=12345678", "ssid"), ("password=12345678", "ssid"),
            ("ssid=\(String(repeating: "x", count: 33))", "ssid"),
            ("ssid=a%0Ab", "ssid"), ("ssid=x&password=1234567", "password"),
            ("ssid=x&password=\(String(repeating: "é", count: 8))", "password"),
            ("ssid=x&password=\(String(repeating: "x", count: 65))", "password"),
            ("ssid=x&country=GBR", "country"), ("ssid=x&country=%0A%0A", "country"),
        ] {
            let refusal = #expect(throws: FieldRefusal.self) { try read(form) }
            #expect(refusal?.field == field, "\(form)")
        }
    }

    @Test("A network that the box has seen, and that has a password, is refused at once without it")
    func withoutPassword() {
        let networks = [("Home", true), ("Café", false)].map {
            NetworkDocument.Network(ssid: $0.0, signal: -40, secured: $0.1)
        }
        let document = NetworkDocument(state: .hotspot, networks: networks)
        func refusal(_ name: String, _ password: String?) -> FieldRefusal? {
            document.refusal(of: JoinRequest(ssid: name, password: password, hidden: false, country: nil)!)
        }
        #expect(refusal("Home", nil) == FieldRefusal("password", .missing))
        #expect(refusal("Home", "our password") == nil)
        // One that is open, and one that the box has not seen, may have none.
        #expect(refusal("Café", nil) == nil && refusal("Elsewhere", nil) == nil)
    }
}
