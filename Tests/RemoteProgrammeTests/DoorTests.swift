import PrayerEngine
import Protocol
import RemoteProgramme
import Testing

@Suite("The page in the box's own network")
struct DoorTests {
    private static let phone = NetworkAddress("10.77.77.12")!
    private let rules = RequestRules(
        names: ServerNames(own: "adhan-1a2b3c", addresses: [NetworkAddress("10.77.77.1")!], port: 80))

    private func head(_ method: String, _ target: String, host: String, door: RequestHead.Door = .setUp)
        -> RequestHead
    {
        var head = RequestHead(peer: Self.phone, method: method, target: target, hosts: [host])
        head.door = door
        guard method == "POST" else { return head }
        head.origins = ["http://\(host)"]
        head.contentTypes = ["application/x-www-form-urlencoded"]
        head.contentLengths = ["40"]
        return head
    }

    private func judge(_ head: RequestHead, _ access: Access = Access()) -> RequestRules.Verdict {
        var access = access
        return rules.judge(head, &access, at: AccessTests.at(1))
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
        #expect(judge(head("GET", target, host: host)) == .signIn(at: "http://10.77.77.1/r/setup"))
        // Nothing but a look, and on no other door.
        for method in ["POST", "HEAD", "PUT", "DELETE", "OPTIONS"] {
            #expect(status(judge(head(method, target, host: host))) == 421)
        }
        #expect(status(judge(head("GET", target, host: host, door: .network))) == 421)
        var two = head("GET", target, host: host)
        two.hosts = [host, "10.77.77.1"]
        #expect(status(judge(two)) == 421)
    }

    @Test("By its own name and number the page is the page; strangers of other networks are closed")
    func ownNames() {
        for host in ["10.77.77.1", "adhan-1a2b3c.local", "ADHAN-1A2B3C"] {
            #expect(judge(head("GET", "/r/setup", host: host)) == .redirect(to: "/r/pair"))
        }
        var far = head("GET", "/generate_204", host: "captive.apple.com")
        far.peer = NetworkAddress("203.0.113.7")!
        #expect(judge(far) == .close)
    }

    @Test("A network is named in the box's own network alone, from a keeper's phone, by the page itself")
    func joining() throws {
        let (access, _, token) = try AccessTests.paired(.keeper)
        func asked(_ door: RequestHead.Door, _ change: (inout RequestHead) -> Void = { _ in })
            -> RequestRules.Verdict
        {
            var head = self.head("POST", "/r/network", host: "10.77.77.1", door: door)
            head.cookies = ["adhan_remote=\(token.text)"]
            change(&head)
            return judge(head, access)
        }
        guard case .admit(let admission) = asked(.setUp) else { throw AccessTests.Wrong() }
        #expect(admission.door == .setUp)
        #expect(status(asked(.network)) == 404)
        #expect(status(asked(.setUp) { $0.cookies = [] }) == 401)
        #expect(status(asked(.setUp) { $0.origins = [] }) == 403)
        #expect(status(asked(.setUp) { $0.origins = ["http://captive.apple.com"] }) == 403)
        #expect(status(asked(.setUp) { $0.hosts = ["captive.apple.com"] }) == 421)
        let (family, _, other) = try AccessTests.paired(.household)
        var head = self.head("POST", "/r/network", host: "10.77.77.1")
        head.cookies = ["adhan_remote=\(other.text)"]
        #expect(status(judge(head, family)) == 403)
    }

    @Test("Whoever joined pairs with one tap, on that door alone; a code that is typed counts as one")
    func oneTap() throws {
        func read(_ form: String, _ door: RequestHead.Door) throws -> Act? {
            try Act.read(.enterCode, Form(form.utf8), role: nil, door: door)
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
        #expect(phone.role == .keeper && pair() == .refused)
        var machine = Access()
        #expect(
            machine.pair(
                .joined, name: AccessTests.name, token: AccessTests.token(3), from: Self.phone,
                at: AccessTests.at(1))
                == .refused)
    }

    @Test("The form of a network is read as it was typed")
    func form() throws {
        func read(_ form: String) throws -> Act? {
            try Act.read(.join, Form(form.utf8), role: .keeper, door: .setUp)
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
}
