import Host
import Languages
import PhoneRules
import Places
import PrayerEngine
import Protocol
import Testing
import Texts

/// The box's own network, and the first phone in it.
extension PageDetailTests {
    @Test(
        "In the box's own network the page leads to the box's address on the next one; elsewhere to where it is named"
    )
    func networks() throws {
        let key = String(repeating: "ab", count: 16)
        let pairing = "http://adhan-1a2b3c.local:8790/r/pair"
        #expect(NetworkFacts.home(pairing, key: nil) == "http://adhan-1a2b3c.local:8790/r/")
        var facts = NetworkFacts(NetworkDocument(state: .hotspot), mayJoin: true)
        facts.home = NetworkFacts.home(pairing, key: key)
        let own = text(.network(facts), try context())
        #expect(own.contains(#"<a href="\#(pairing)#\#(key)"><bdi>\#(pairing)</bdi></a>"#))
        #expect(own.contains("connect this phone to the same network"))
        let link = #"<a href="http://10.77.77.1/r/network">"#
        let other = text(
            .network(NetworkFacts(NetworkDocument(state: .hotspot), mayJoin: false)), try context())
        #expect(other.contains(link) && !other.contains(#"name="ssid""#) && !own.contains(link))
        let joined = text(
            .network(NetworkFacts(NetworkDocument(state: .joined), mayJoin: false)), try context())
        #expect(!joined.contains(link))
    }

    @Test("Networks that were seen are a tap away; a box that tries one says so, and asks for none")
    func triedNetworks() throws {
        var document = NetworkDocument(
            state: .hotspot, last: .wrongPassword,
            networks: (1...9).map { .init(ssid: "Wi-Fi \($0)", signal: -40, secured: true) })
        let form = text(.network(NetworkFacts(document, mayJoin: true)), try context())
        #expect(form.contains(#"<button type="button" data-ssid value="Wi-Fi 5" hidden>Wi-Fi 5</button>"#))
        #expect(!form.contains(#"<button type="button" data-ssid value="Wi-Fi 6""#))
        #expect(form.contains(#"<label class="box"><input type="checkbox" name="hidden" value="yes">"#))
        let started = text(
            .network(NetworkFacts(document, mayJoin: true)), try context { $0.notice = .init(.done(.trying)) }
        )
        document.state = .joining
        let trying = text(.network(NetworkFacts(document, mayJoin: true)), try context())
        for page in [started, trying] {
            #expect(page.split(separator: "The box now tries to join the network").count == 2)
            #expect(page.contains("up to 45 seconds") && !page.contains("name=\"ssid\""))
            #expect(!page.contains("is wrong"))
        }
    }

    @Test("Where the box has Imager's key the page names wifi.txt; for what a phone named it does not")
    func derivedKey() throws {
        var document = NetworkDocument(state: .hotspot)
        func page() throws -> String { text(.network(NetworkFacts(document, mayJoin: true)), try context()) }
        let plain = try page()
        #expect(!plain.contains("Imager") && !plain.contains("wifi.txt"))
        document.hasDerivedKey = true
        let derived = try page()
        #expect(derived.contains(#"<p class="problem" role="alert">The box did not join the network of"#))
        #expect(derived.contains("write them into wifi.txt on the card") && derived.contains(#"name="ssid""#))
        (document.last, document.name) = (.refused, "Home")
        let refused = try page()
        #expect(refused.contains("Use a network with a WPA2 password, or a cable."))
        #expect(!refused.contains("wifi.txt") && !refused.contains("Imager"))
    }

    @Test("A network without its password is refused beside the field, in words of its own")
    func missingPassword() throws {
        let facts = NetworkFacts(NetworkDocument(state: .hotspot), mayJoin: true)
        let page = text(
            .network(facts),
            try context {
                $0.filled = try? Form("ssid=Home&password=".utf8)
                ($0.refused, $0.refusedAct) = (FieldRefusal("password", .missing), .join)
                $0.notice = .init(.problem(.invalid))
            })
        #expect(page.contains("This network needs its password") && page.contains(#"value="Home""#))
        #expect(page.contains(#"name="password" type="password" aria-invalid="true" id="here""#))
    }

    @Test("In the box's own network the set-up and the page about networks lead to each other")
    func ways() throws {
        func own(_ change: (inout PageContext) -> Void = { _ in }) throws -> PageContext {
            try context {
                $0.entryPoint = .setUp
                change(&$0)
            }
        }
        var setup = SetupFacts(PhoneSetupDraft(), volume: "40")
        setup.offersNetwork = true
        let network = #"<p><a href="/r/network">"#
        #expect(text(.setup(setup), try own()).contains(network))
        // Without a fresh code, too: a network needs none.
        let stale = text(.setup(setup), try own { $0.isFresh = false })
        #expect(stale.contains(network) && !stale.contains(#"name="place""#))
        var facts = NetworkFacts(NetworkDocument(state: .hotspot, last: .notFound), mayJoin: true)
        let back = #"<p><a href="/r/setup?open">"#
        #expect(!text(.network(facts), try own()).contains(back))
        facts.offersSetup = true
        let shown = text(.network(facts), try own())
        #expect(shown.contains(back) && shown.contains(#"name="ssid""#))
        // The plain address would lead back.
        #expect(!shown.contains(#"href="/r/setup""#))
        #expect(text(.network(facts), try context()).contains(#"<p><a href="/r/setup">"#))
    }

    @Test("The first phone in the box's own network learns what it is asked for, and may choose a language")
    func firstPhone() {
        let page = text(.pair(PairFacts(hasJoined: true)), PageContext(language: .english, phone: nil))
        #expect(
            page.contains("This is the first phone")
                && page.contains(#"<form method="get" action="/r/pair">"#))
        #expect(!page.contains(#"name="code""#))
    }

    @Test("Where a word or a key counts the form says so, and takes one")
    func words() throws {
        func page(acceptsWords: Bool = false, namesNetwork: Bool = false) -> String {
            var facts = PairFacts(acceptsWords: acceptsWords)
            facts.namesNetwork = namesNetwork
            return text(.pair(facts), PageContext(language: .english, phone: nil))
        }
        #expect(page().contains("Six-digit code") && page().contains("Open pairing on the screen"))
        let open = page(acceptsWords: true)
        #expect(open.contains("the word in pair.txt") && open.contains(#"maxlength="60""#))
        #expect(!open.contains("Six-digit") && !open.contains("Open pairing"))
        let own = page(namesNetwork: true)
        #expect(own.contains("enter the key of its own Wi-Fi") && own.contains(#"maxlength="60""#))
    }

    @Test("The script takes no letter out of a word, and no form without a code stops it")
    func script() {
        let script = String(decoding: PageAssets.script, as: UTF8.self)
        #expect(script.contains(#"code.maxLength > 6 ? "" : /\D/g"#) && script.contains("if (code)"))
        #expect(!script.contains("code.closest"))
    }

    @Test("A phone that was slower hears which one sets the box up, and how it is paired itself")
    func slower() throws {
        var context = PageContext(language: .english, phone: nil)
        context.notice = .init(.problem(.claimed), by: "Kitchen phone")
        let page = text(.pair(PairFacts()), context)
        #expect(page.contains("“Kitchen phone” is setting up this box</p>"))
        #expect(!page.contains("wrong or has expired"))
        let way = "Open pairing on the screen or at the prayer clock"
        #expect(page.ranges(of: way).count == 1)
        var facts = PairFacts()
        facts.namesNetwork = true
        let own = text(.pair(facts), context)
        #expect(own.contains(way) && own.contains("enter the key of its own Wi-Fi"))
        context.notice = nil
        #expect(!text(.pair(facts), context).contains(way))
    }
}
