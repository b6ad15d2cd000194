import PhoneRules
import PrayerEngine
import Testing
import Texts

@Suite("A box that nobody has claimed")
struct SetUpTests {
    private static let key = "k7m2-9qxd-4wtp"
    private static let start = "0123456789abcdef0123456789abcdef"
    private var rules: SetUpRules {
        SetUpRules(
            hotspotKey: PairingWord(Self.key),
            card: .init(word: PairingWord("Open Sesame"), start: Self.start))
    }
    private static let lan = NetworkAddress("192.168.1.30")!

    private func box(list: PhoneList = PhoneList(), isUnplaced: Bool? = true) -> Access {
        var access = Access(list: list, setUp: rules)
        keep(&access, isUnplaced, 0)
        return access
    }

    private func keep(_ access: inout Access, _ isUnplaced: Bool?, _ uptime: Double) {
        access.keepSetUp(
            isUnplaced: isUnplaced, random: AccessTests.random(24, UInt64(uptime) + 7),
            at: AccessTests.at(uptime))
    }

    private func pair(
        _ access: inout Access, _ proof: PairingProof, _ uptime: Double = 1, token: UInt64 = 3,
        from address: NetworkAddress = Self.lan
    ) -> Access.PairingVerdict {
        access.pair(
            proof, name: AccessTests.name, token: AccessTests.token(token), from: address,
            at: AccessTests.at(uptime))
    }

    /// The first phone, until it has come back with its cookie.
    private func claims(_ access: inout Access, _ proof: PairingProof) -> Bool {
        guard case .paired(let phone) = pair(&access, proof), phone.role == .keeper else { return false }
        access.saw(phone.id, at: AccessTests.at(1))
        return true
    }

    private func role(_ verdict: Access.PairingVerdict) -> Role? {
        if case .paired(let phone) = verdict { return phone.role }
        return nil
    }

    @Test("The first phone is the keeper's, by digits, key, label or card, and it closes the set-up for good")
    func claiming() throws {
        let window = try #require(box().setUpWindow(at: AccessTests.at(1)))
        let proofs: [PairingProof] = [
            .code(window.secret.code), .key(window.secret.key), .code(Self.key), .code("K7M29QXD4WTP"),
            .code("k7m2 9qxd 4wtp"), .code("open sesame"), .code(" Open sesame "),
        ]
        for proof in proofs {
            var access = box()
            #expect(access.setUpState == .open)
            #expect(claims(&access, proof), "\(proof)")
            #expect(access.list.claimed?.by == "Kitchen phone" && access.list.claimed?.day == "2026-11-24")
            #expect(access.setUpState == .claimed(by: "Kitchen phone"))
            #expect(access.setUpWindow(at: AccessTests.at(2)) == nil)
            // Whatever is tried afterwards, by whoever knows the label.
            for again in proofs { #expect(pair(&access, again, 2, token: 4) == .refused) }
            keep(&access, true, 10)
            #expect(access.secondsOpen(at: AccessTests.at(10)) == nil)
            for phone in access.list.phones {
                let isGone = access.revoke(phone.id)
                #expect(isGone)
            }
            keep(&access, true, 20)
            #expect(!access.isSetUpOpen && pair(&access, .code(Self.key), 21, token: 5) == .refused)
            #expect(access.setUpState == .claimed(by: "Kitchen phone"))
            // It is on the disk, too.
            var after = Access(list: try PhoneList(json: access.list.json), setUp: rules)
            keep(&after, true, 0)
            #expect(!after.isSetUpOpen)
            access.reset()
            keep(&access, true, 30)
            #expect(access.isSetUpOpen)
            #expect(role(pair(&access, .code(Self.key), 31, token: 6)) == .keeper)
        }
    }

    @Test("A phone that never got its answer has claimed nothing, and the next one takes its place")
    func lostAnswer() throws {
        var access = box()
        guard case .paired(let lost) = pair(&access, .code(Self.key)) else { throw AccessTests.Wrong() }
        #expect(access.setUpState == .open && access.list.claimed == nil)
        // The power is away for a while, and what was saved is read again.
        access = box(list: try PhoneList(json: access.list.json))
        #expect(access.isSetUpOpen && access.list.phones.map(\.id) == [lost.id])
        guard case .paired(let next) = pair(&access, .code("Open Sesame"), 2, token: 4)
        else { throw AccessTests.Wrong() }
        #expect(next.role == .keeper && access.list.phones.map(\.id) == [next.id])
        #expect(access.phone(of: AccessTests.token(3), at: AccessTests.at(3)) == nil)
        // A box whose clock nobody trusts knows its keeper as well.
        access.saw(next.id, at: PhoneMoment(uptime: 3, day: nil))
        #expect(access.setUpState == .claimed(by: "Kitchen phone") && access.list.claimed?.day == "")
        #expect(pair(&access, .code(Self.key), 4, token: 5) == .refused)
        #expect(!box(list: try PhoneList(json: access.list.json)).isSetUpOpen)
    }

    @Test(
        "It is closed where a place is known, where adhand has not answered, on other machines, and beside a keeper's phone"
    )
    func closed() throws {
        for isUnplaced in [false, nil] {
            var access = box(isUnplaced: isUnplaced)
            #expect(!access.isSetUpOpen && access.setUpState == .closed)
            #expect(pair(&access, .code(Self.key)) == .refused)
        }
        var other = Access()
        keep(&other, true, 0)
        #expect(!other.mayBeSetUp && !other.isSetUpOpen && pair(&other, .code(Self.key)) == .refused)
        let (paired, _, _) = try AccessTests.paired(.keeper)
        #expect(paired.list.claimed != nil)
        let older = PhoneList.withoutClaim(paired.list)
        #expect(older.claimed == nil && older.isClaimed)
        #expect(!box(list: older).isSetUpOpen)
        // A household's phone claims nothing.
        let (family, _, _) = try AccessTests.paired(.household)
        #expect(family.list.claimed == nil && box(list: family.list).isSetUpOpen)
        // A place that becomes known closes it; adhand that is away for a moment does not.
        var access = box()
        keep(&access, nil, 2)
        #expect(access.isSetUpOpen)
        keep(&access, false, 4)
        #expect(!access.isSetUpOpen && access.setUpWindow(at: AccessTests.at(4)) == nil)
    }

    @Test("The window is renewed every two minutes with another code; one that a person opens comes first")
    func renewal() throws {
        var access = box()
        let first = try #require(access.setUpWindow(at: AccessTests.at(1)))
        keep(&access, true, 119)
        #expect(access.setUpWindow(at: AccessTests.at(119))?.secret == first.secret)
        keep(&access, true, 120)
        let second = try #require(access.setUpWindow(at: AccessTests.at(120)))
        #expect(second.secret != first.secret && second.seconds == 120)
        #expect(pair(&access, .key(first.secret.key), 121) == .refused)
        let opened = try access.open(
            .household, by: .command, random: AccessTests.random(24, 99), at: AccessTests.at(122))
        keep(&access, true, 124)
        #expect(access.setUpWindow(at: AccessTests.at(124)) == nil)
        #expect(role(pair(&access, .code(opened.secret.code), 125)) == .household)
        keep(&access, true, 126)
        #expect(access.setUpWindow(at: AccessTests.at(126)) != nil)
    }

    @Test(
        "Whoever guesses digits from any number of addresses has fifteen tries an hour, however long the box waits"
    )
    func guessing() {
        var access = box()
        var tries = 0
        for second in stride(from: 2, to: 6 * 3600, by: 2) {
            keep(&access, true, Double(second))
            guard let window = access.setUpWindow(at: AccessTests.at(Double(second))), window.acceptsCodes
            else { continue }
            tries += 1
            let address = NetworkAddress([
                10, UInt8(second >> 14 & 255), UInt8(second >> 7 & 127), UInt8(second & 127),
            ])!
            let wrong = AccessTests.other(window.secret.code)
            #expect(pair(&access, .code(wrong), Double(second), from: address) == .refused)
        }
        #expect((15...90).contains(tries), "\(tries)")
        // The code of the screen's QR code goes on.
        let at = 6 * 3600.0
        keep(&access, true, at)
        let key = access.setUpWindow(at: AccessTests.at(at))?.secret.key ?? ""
        #expect(role(pair(&access, .key(key), at)) == .keeper)
    }

    @Test("Ten wrong words an hour, of all addresses together; digits and key do not suffer from them")
    func words() throws {
        var access = box()
        for index in 0..<10 {
            let address = NetworkAddress([10, 0, 0, UInt8(index)])!
            #expect(pair(&access, .code("wrong-word-\(index)"), from: address) == .refused)
        }
        #expect(pair(&access, .code(Self.key), 2) == .refused)
        let window = try #require(access.setUpWindow(at: AccessTests.at(2)))
        #expect(window.acceptsCodes)
        keep(&access, true, 3601)
        var later = access
        #expect(role(pair(&later, .code(Self.key), 3602)) == .keeper)
        keep(&access, true, 3602)
        let code = try #require(access.setUpWindow(at: AccessTests.at(3602))).secret.code
        #expect(role(pair(&access, .code(code), 3602)) == .keeper)
    }

    @Test("pair.txt opens one window for the household at each start of a box that is claimed or has a place")
    func card() throws {
        for isUnplaced in [true, false] {
            let (before, _, _) = try AccessTests.paired(.keeper)
            var access = box(list: before.list, isUnplaced: isUnplaced)
            #expect(access.secondsOpen(at: AccessTests.at(1)) == 599)
            #expect(pair(&access, .code(Self.key), 2) == .refused)
            #expect(role(pair(&access, .code("OPEN SESAME"), 3)) == .household)
            keep(&access, isUnplaced, 4)
            #expect(access.secondsOpen(at: AccessTests.at(4)) == nil)
            // The same start again, after adhan-remote was killed.
            var again = Access(list: access.list, setUp: rules)
            keep(&again, isUnplaced, 10)
            #expect(again.secondsOpen(at: AccessTests.at(10)) == nil)
            var next = rules
            next.card = .init(word: nil, start: String(repeating: "a", count: 32))
            again = Access(list: access.list, setUp: next)
            keep(&again, isUnplaced, 10)
            #expect(role(pair(&again, .code(Self.key), 11, token: 8)) == .household)
        }
        // The word that claimed the box opens nothing more at that start.
        var access = box()
        #expect(claims(&access, .code("open sesame")))
        keep(&access, true, 2)
        #expect(access.secondsOpen(at: AccessTests.at(2)) == nil)
    }

    @Test(
        "Until a place is named a keeper's phone goes on with the set-up after a restart, without another code"
    )
    func goesOn() throws {
        let (paired, keeper, _) = try AccessTests.paired(.keeper)
        func restarted(_ isUnplaced: Bool?) -> Access { box(list: paired.list, isUnplaced: isUnplaced) }
        #expect(restarted(true).isFresh(keeper.id, at: AccessTests.at(9000)))
        for isUnplaced in [false, nil] {
            #expect(!restarted(isUnplaced).isFresh(keeper.id, at: AccessTests.at(9000)))
        }
        #expect(!restarted(true).isFresh("000000000000", at: AccessTests.at(1)))
        let (family, member, _) = try AccessTests.paired(.household)
        #expect(!box(list: family.list).isFresh(member.id, at: AccessTests.at(9000)))
        #expect(!Access(list: paired.list).isFresh(keeper.id, at: AccessTests.at(1)), "this is no box")
    }

    @Test("A form takes more than digits wherever a word counts")
    func forms() throws {
        #expect(box().acceptsWords(at: AccessTests.at(1)))
        let (before, _, _) = try AccessTests.paired(.keeper)
        // The window that pair.txt opens at a start.
        let later = box(list: before.list, isUnplaced: false)
        #expect(later.acceptsWords(at: AccessTests.at(599)) && !later.acceptsWords(at: AccessTests.at(600)))
        #expect(!box(isUnplaced: false).acceptsWords(at: AccessTests.at(700)))
    }

    @Test("The card's hand-over is read strictly")
    func handOver() {
        #expect(SetUpRules.Card(text: "\(Self.start)\nopen sesame\n")?.word == PairingWord("Open Sesame"))
        #expect(SetUpRules.Card(text: "\(Self.start)\n\n") == .init(word: nil, start: Self.start))
        for text in [
            "", "none", "none\n", "\(Self.start)\nshort\n", "\(Self.start)\nopen sesame", "x\nopen sesame\n",
        ] {
            #expect(SetUpRules.Card(text: text) == nil, "\(text)")
        }
    }

    @Test("A key of the hotspot is twelve letters, however it is typed")
    func hotspotKey() {
        #expect(HotspotKey(random: [UInt8](repeating: 0, count: 8)).text == "0000-0000-0000")
        #expect(HotspotKey(random: [UInt8](repeating: 255, count: 8)).text == "zzzz-zzzz-zzzz")
        #expect(
            HotspotKey("K7M2 9QXD 4WTP")?.text == Self.key
                && HotspotKey("oO0i-lL1I-0000")?.text == "0001-1111-0000")
        for text in ["", "none", "k7m2-9qxd-4wt", "k7m2-9qxd-4wtpp", "k7m2-9qxd-4wtu", "k7m2-9qxd-4wtß"] {
            #expect(HotspotKey(text) == nil)
        }
        #expect(
            PairingWord("1234567") == nil && PairingWord("       12345678") != nil
                && PairingWord("1234\u{202E}5678") == nil)
    }
}

extension PhoneList {
    /// As a version before claims wrote it.
    fileprivate static func withoutClaim(_ list: PhoneList) -> PhoneList {
        var older = PhoneList()
        older.phones = list.phones
        return older
    }
}
