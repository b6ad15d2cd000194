import LabSupport
import PhoneRules
import PrayerEngine
import SeededRandom
import Testing

@Suite("Who may come in")
struct AccessTests {
    static let day = CivilDate(year: 2026, month: 11, day: 24)
    static let home = NetworkAddress("192.168.1.20")!
    static let name = PhoneName("Kitchen phone")!

    static func at(_ uptime: Double, _ day: CivilDate? = AccessTests.day) -> PhoneMoment {
        PhoneMoment(uptime: uptime, day: day)
    }

    static func random(_ count: Int, _ seed: UInt64) -> [UInt8] {
        var generator = SplitMix64(seed: seed)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    static func token(_ seed: UInt64) -> PhoneToken { PhoneToken(random: random(32, seed)) }

    /// A phone that was paired at uptime 0.
    static func paired(_ role: Role = .household) throws -> (Access, Phone, PhoneToken) {
        var access = Access()
        let opening = try access.open(role, by: .command, random: random(24, 1), at: at(0))
        let verdict = access.pair(
            .code(opening.secret.code), name: name, token: token(2), from: home, at: at(0))
        guard case .paired(let phone) = verdict else { throw Wrong() }
        return (access, phone, token(2))
    }

    struct Wrong: Error {}

    static func other(_ code: String) -> String { code == "000000" ? "000001" : "000000" }

    @Test(
        "A code is six digits, a key 128 bits, a token 256 bits, and all of them come from the bytes that were handed in"
    )
    func secrets() {
        let secret = PairingSecret(random: [UInt8](repeating: 0xAB, count: 16) + [0, 0, 0, 0, 0, 0, 0, 7])
        #expect(secret.code == "000007" && secret.key == String(repeating: "ab", count: 16))
        #expect(PairingSecret(random: [UInt8](repeating: 255, count: 24)).code == "551615")
        let token = PhoneToken(random: [UInt8](repeating: 0, count: 32))
        #expect(token.text == String(repeating: "0", count: 64) && PhoneToken(token.text) == token)
        for text in ["", "0", String(repeating: "0", count: 63), String(repeating: "A", count: 64)] {
            #expect(PhoneToken(text) == nil)
        }
    }

    @Test("The first code opens, once; the phone is known by its token from then on")
    func pairing() throws {
        var (access, phone, token) = try Self.paired(.keeper)
        #expect(phone.role == .keeper && phone.name == "Kitchen phone" && phone.paired == "2026-11-24")
        #expect(access.phone(of: token, at: Self.at(1))?.id == phone.id)
        #expect(access.phone(of: Self.token(3), at: Self.at(1)) == nil)
        let code = PairingSecret(random: Self.random(24, 1)).code
        #expect(
            access.pair(.code(code), name: Self.name, token: Self.token(3), from: Self.home, at: Self.at(1))
                == .refused)
        #expect(!(try String(decoding: access.list.json, as: UTF8.self)).contains(token.text))
        #expect(try PhoneList(json: access.list.json) == access.list)
    }

    @Test("Five wrong codes close a window for digits and not for its key")
    func burning() throws {
        var access = Access()
        let opening = try access.open(.household, by: .touch, random: Self.random(24, 1), at: Self.at(0))
        let (code, key) = (opening.secret.code, opening.secret.key)
        for _ in 0..<5 {
            #expect(pair(&access, .code(Self.other(code)), "10.0.0.9", 1) == .refused)
        }
        #expect(pair(&access, .code(code), "10.0.0.1", 2) == .refused)
        guard case .paired = pair(&access, .key(key), "10.0.0.1", 3) else { throw Wrong() }
    }

    private func pair(_ access: inout Access, _ proof: PairingProof, _ address: String, _ uptime: Double)
        -> Access.PairingVerdict
    {
        access.pair(
            proof, name: Self.name, token: Self.token(9), from: NetworkAddress(address)!, at: Self.at(uptime))
    }

    @Test("Digits of other scripts, spaces and halves of a code are wrong")
    func strangeCodes() throws {
        var access = Access()
        let opening = try access.open(.household, by: .command, random: Self.random(24, 1), at: Self.at(0))
        let code = opening.secret.code
        let wide = String(
            String.UnicodeScalarView(code.unicodeScalars.map { Unicode.Scalar($0.value + 0xFEE0)! }))
        for text in [wide, " " + code, String(code.dropLast()), code + "0"] {
            #expect(pair(&access, .code(text), "10.0.0.1", 1) == .refused)
        }
        guard case .paired = pair(&access, .code(code), "10.0.0.1", 1) else { throw Wrong() }
    }

    @Test("More than ten wrong tries of one address are refused for ten minutes, and no other address is")
    func tries() throws {
        var access = Access()
        for index in 0...10 { #expect(pair(&access, .key("x"), "10.0.0.1", Double(index)) == .refused) }
        let opening = try access.open(.household, by: .command, random: Self.random(24, 1), at: Self.at(11))
        #expect(pair(&access, .key(opening.secret.key), "10.0.0.1", 12) == .wait(seconds: 598))
        guard case .paired = pair(&access, .key(opening.secret.key), "10.0.0.2", 12) else { throw Wrong() }
        let later = try access.open(.household, by: .command, random: Self.random(24, 2), at: Self.at(610))
        guard case .paired = pair(&access, .key(later.secret.key), "10.0.0.1", 610) else { throw Wrong() }
    }

    @Test("After three burnt windows within an hour the screen opens none for an hour, a command does")
    func lockOut() throws {
        var access = Access()
        for window in 0..<3 {
            let start = Double(window) * 100
            let opening = try access.open(
                .household, by: .touch, random: Self.random(24, UInt64(window)), at: Self.at(start))
            for guess in 0..<5 {
                _ = pair(
                    &access, .code(Self.other(opening.secret.code)), "10.0.\(window).\(guess)", start + 1)
            }
        }
        #expect(throws: Access.OpeningRefusal.lockedOut(seconds: 3501)) {
            try access.open(.household, by: .touch, random: Self.random(24, 5), at: Self.at(300))
        }
        _ = try access.open(.household, by: .command, random: Self.random(24, 5), at: Self.at(300))
        _ = try access.open(.household, by: .touch, random: Self.random(24, 5), at: Self.at(3801))
    }

    @Test("A code is fresh for an hour by a clock that nobody can set, and a new code makes it fresh again")
    func freshness() throws {
        var (access, phone, token) = try Self.paired(.keeper)
        #expect(
            access.isFresh(phone.id, at: Self.at(3599, nil)) && !access.isFresh(phone.id, at: Self.at(3600)))
        let opening = try access.open(.household, by: .command, random: Self.random(24, 7), at: Self.at(4000))
        let verdict = access.pair(
            .key(opening.secret.key), name: Self.name, token: Self.token(8), own: token, from: Self.home,
            at: Self.at(4000))
        // A window for the household takes nothing from a keeper.
        guard case .renewed(let same) = verdict else { throw Wrong() }
        #expect(same.id == phone.id && same.role == .keeper && access.list.phones.count == 1)
        #expect(access.isFresh(phone.id, at: Self.at(4001)))
        // No clock that goes back makes an old code fresh.
        _ = access.allowsAct(of: phone.id, at: Self.at(9000))
        #expect(!access.isFresh(phone.id, at: Self.at(4001)))
    }

    private func allows(_ access: inout Access, _ id: String, at moment: PhoneMoment) -> Bool {
        access.allowsAct(of: id, at: moment)
    }

    @Test("120 acts a minute, and then as many again")
    func acts() throws {
        var (access, phone, _) = try Self.paired()
        for index in 0..<120 { #expect(allows(&access, phone.id, at: Self.at(Double(index) / 10))) }
        #expect(!allows(&access, phone.id, at: Self.at(59)))
        #expect(allows(&access, phone.id, at: Self.at(60)))
        #expect(allows(&access, "another", at: Self.at(60)))
    }

    @Test("A pairing lasts 180 days; a wrong date hides a phone and does not delete it")
    func days() throws {
        var (access, phone, token) = try Self.paired()
        let day = Self.day!
        #expect(access.phone(of: token, at: Self.at(1, day.adding(days: 179))) != nil)
        #expect(access.phone(of: token, at: Self.at(1, day.adding(days: 180))) == nil)
        access.saw(phone.id, at: Self.at(1, day.adding(days: 10_000)))
        #expect(access.phone(of: token, at: Self.at(1, day.adding(days: 20)))?.seen == "2054-04-11")
        #expect(access.phone(of: token, at: Self.at(1, nil)) != nil)
        let (first, second) = (access.revoke(phone.id), access.revoke(phone.id))
        #expect(first && !second)
        #expect(access.phone(of: token, at: Self.at(1)) == nil && !access.isFresh(phone.id, at: Self.at(1)))
    }

    @Test("No window opens where no phone has room, and a pairing that has ended makes room")
    func most() throws {
        var (access, phone, _) = try Self.paired()
        access.limits.most = 1
        #expect(throws: Access.OpeningRefusal.full) {
            try access.open(.household, by: .command, random: Self.random(24, 3), at: Self.at(1))
        }
        let later = Self.day!.adding(days: 200)
        let opening = try access.open(
            .household, by: .card, random: Self.random(24, 3), at: Self.at(1, later))
        _ = access.pair(
            .key(opening.secret.key), name: Self.name, token: Self.token(4), from: Self.home,
            at: Self.at(1, later))
        #expect(access.list.phones.count == 1 && access.list.phones[0].id != phone.id)
    }

    @Test("A window is open for 1 to 600 seconds, 120 if nothing is said")
    func seconds() throws {
        var access = Access()
        for seconds in [-1, 0, 601] {
            #expect(throws: Access.OpeningRefusal.seconds) {
                try access.open(
                    .keeper, seconds: seconds, by: .command, random: Self.random(24, 1), at: Self.at(0))
            }
        }
        _ = try access.open(.keeper, by: .command, random: Self.random(24, 1), at: Self.at(5))
        #expect(access.secondsOpen(at: Self.at(6)) == 119 && access.secondsOpen(at: Self.at(125)) == nil)
        access.close()
        #expect(access.secondsOpen(at: Self.at(6)) == nil)
    }

    @Test("Names that end lines, turn the text around or fill the page are refused")
    func names() {
        for name in [
            "", "   ", "a\r\nb", "a\u{202E}b", "a\u{0}", "\u{2028}", String(repeating: "x", count: 61),
        ] {
            #expect(PhoneName(name) == nil)
        }
        #expect(PhoneName("  گوشی\u{200C}ها <b> ")?.text == "گوشی\u{200C}ها <b>")
    }

    @Test("A list with two phones of one token, or of another version, is refused")
    func damagedLists() throws {
        let (access, _, _) = try Self.paired()
        var list = access.list
        list.version = 2
        #expect(throws: (any Error).self) { try PhoneList(json: list.json) }
        list.version = 1
        list.phones += list.phones
        #expect(throws: (any Error).self) { try PhoneList(json: list.json) }
        #expect(throws: (any Error).self) { try PhoneList(json: Array("{".utf8)) }
    }

    @Test(
        "Random sequences of windows, tries and leaping clocks come out as in the model",
        arguments: 0..<6)
    func model(_ part: Int) {
        for seed in UInt64(part * 200)..<UInt64(part * 200 + RandomCases.count(200)) {
            var random = SplitMix64(seed: seed)
            let most = Int.random(in: 1...4, using: &random)
            var access = Access(limits: .init(days: 36_500, most: most))
            var model = AccessModel(most: most)
            var uptime = 0.0
            for step in 0..<80 {
                uptime += [0, 1, 7, 55, 119, 121, 599, 601, 1800].randomElement(using: &random)!
                // The date is anything, a day without trust included.
                let leap = Int.random(in: -3000...3000, using: &random)
                let moment = Self.at(uptime, leap % 5 == 0 ? nil : Self.day!.adding(days: leap))
                if Int.random(in: 0..<5, using: &random) == 0 {
                    expectSameOpening(&access, &model, moment, step, &random)
                } else {
                    expectSamePairing(&access, &model, moment, UInt64(step) + seed << 20, &random)
                }
            }
        }
    }

    private func expectSameOpening(
        _ access: inout Access, _ model: inout AccessModel, _ moment: PhoneMoment, _ step: Int,
        _ random: inout SplitMix64
    ) {
        let bytes = Self.random(24, random.next())
        let secret = PairingSecret(random: bytes)
        let seconds = [1, 60, 120, 600].randomElement(using: &random)!
        let role = Role.allCases.randomElement(using: &random)!
        let byTouch = Bool.random(using: &random)
        let expected = model.open(
            .init(
                opened: moment.uptime, seconds: Double(seconds), role: role, code: secret.code,
                key: secret.key),
            byTouch: byTouch)
        var outcome = "open"
        do {
            _ = try access.open(
                role, seconds: seconds, by: byTouch ? .touch : .command, random: bytes, at: moment)
        } catch .full {
            outcome = "full"
        } catch {
            outcome = "locked"
        }
        #expect(outcome == expected, "step \(step)")
    }

    private func expectSamePairing(
        _ access: inout Access, _ model: inout AccessModel, _ moment: PhoneMoment, _ seed: UInt64,
        _ random: inout SplitMix64
    ) {
        let address = Int.random(in: 1...3, using: &random)
        let target = model.windows.isEmpty ? nil : model.windows.suffix(2).randomElement(using: &random)
        let isRight = Int.random(in: 0..<8, using: &random) == 0
        let isCode = Int.random(in: 0..<4, using: &random) > 0
        let code = isRight ? target?.code ?? "123456" : Self.other(target?.code ?? "123456")
        let key = isRight ? target?.key ?? "none" : "none"
        let expected = model.pair(
            code: isCode ? code : nil, key: isCode ? nil : key, address: address, at: moment.uptime)
        let verdict = access.pair(
            isCode ? .code(code) : .key(key), name: Self.name, token: Self.token(seed),
            from: NetworkAddress("10.0.0.\(address)")!, at: moment)
        switch verdict {
        case .paired(let phone): #expect(expected == "paired \(phone.role)")
        case .renewed: Issue.record("no phone was paired before")
        case .refused: #expect(expected == "refused")
        case .full: #expect(expected == "full")
        case .wait: #expect(expected == "wait")
        case .mayName, .taken: Issue.record("this is no box")
        }
        #expect(access.list.phones.count == model.phones)
    }
}
