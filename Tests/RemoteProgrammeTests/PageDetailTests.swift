import Host
import Languages
import Places
import PrayerEngine
import Protocol
import RemoteProgramme
import Testing
import Texts

@Suite("Details of pages")
struct PageDetailTests {
    @Test("From maghrib on it is the next day of the Hijri calendar, unless days begin at midnight")
    func hijri() throws {
        let text = """
            [{"date": "2026-11-27", "hijri": {"year": 1448, "month": 6, "day": 17, "text": ""},
              "events": {"maghrib": "2026-11-27T16:31:00+01:00"}, "notes": {}},
             {"date": "2026-11-28", "hijri": {"year": 1448, "month": 6, "day": 18, "text": ""},
              "events": {"maghrib": "2026-11-28T16:30:00+01:00"}, "notes": {}}]
            """
        let days = try JSON.decode([TimesDocument.Day].self, from: Array(text.utf8))
        for (begins, now, day) in [
            ("maghrib", "2026-11-27T16:30:59+01:00", 17), ("maghrib", "2026-11-27T16:31:00+01:00", 18),
            ("midnight", "2026-11-27T23:00:00+01:00", 17),
        ] {
            let key = SettingsFacts.Key(
                key: RamadanFacts.dayBegins, kind: "choice", allowed: "", right: .keeper, value: begins)
            let settings = SettingsFacts(change: 0, keys: [key])
            #expect(RamadanFacts(settings: settings, days, now: now).day == day)
        }
    }

    private func context(_ change: (inout PageContext) -> Void = { _ in }) throws -> PageContext {
        let (phone, _) = try PageSamples.phone(.keeper, "Office")
        var context = PageContext(language: .english, phone: phone)
        context.isFresh = true
        change(&context)
        return context
    }

    private func text(_ page: Page, _ context: PageContext) -> String {
        String(decoding: page.html(context), as: UTF8.self)
    }

    @Test("All announcements can be reached, each under its own place in the list")
    func parts() throws {
        let entries = (0..<70).map {
            AnnouncementsFacts.Entry(text: "Lesson \($0)", until: "2026-12-01", mark: "mark-\($0)")
        }
        let page = Page.announcements(AnnouncementsFacts(entries: entries))
        var seen: Set<Int> = []
        for from in [0, 30, 60] {
            let shown = text(page, try context { $0.from = from })
            for index in 0..<70 where shown.contains("<bdi>Lesson \(index)</bdi>") {
                seen.insert(index)
                #expect(shown.contains(#"name="index" value="\#(index)""#))
                #expect(shown.contains(#"name="mark" value="mark-\#(index)""#))
            }
            for other in [0, 30, 60] where other != from {
                #expect(shown.contains(#"name="from" value="\#(other)""#), "\(from)")
            }
        }
        #expect(seen == Set(0..<70))
        // Beyond the end is the beginning.
        #expect(text(page, try context { $0.from = 400 }).contains("<bdi>Lesson 0</bdi>"))
        #expect(RequestHead.from("/r/announcements?lang=de&from=30") == 30)
        for odd in ["/r/announcements", "/r/announcements?from=-1", "/r/announcements?from=x"] {
            #expect(RequestHead.from(odd) == 0, "\(odd)")
        }
    }

    @Test("Every page leads to every other one, and iqama has its own name")
    func menu() throws {
        let log = text(.problem(.busy), try context { $0.back = .log })
        let setup = text(.setup(SetupFacts(SetupDraft(), volume: "40")), try context())
        for route in ["/r/", "/r/week", "/r/week#iqama", "/r/settings", "/r/health", "/r/setup", "/r/phones"]
        {
            #expect(setup.contains(#"href="\#(route)""#) && log.contains(#"href="\#(route)""#), "\(route)")
        }
        #expect(setup.contains("<details>"))
    }

    @Test("Where a code from the room is needed, the way leads to where it is entered")
    func codeNeeded() throws {
        let page = text(.problem(.fresh), try context { $0.back = .setup })
        let main = page.split(separator: "<main>").last ?? ""
        #expect(main.contains(#"href="/r/pair""#) && !main.contains(#"href="/r/setup""#))
    }

    @Test("A wait is as long as it is said to be")
    func waits() throws {
        for (seconds, words) in [
            (600, "Wait: 10 min"), (60, "Wait: 1 min"), (61, "Wait: 2 min"), (1, "Wait: 1 min"),
        ] {
            let shown = text(.problem(.wait), try context { $0.waitSeconds = seconds })
            #expect(shown.contains(words), "\(seconds): \(shown)")
        }
    }

    @Test("A conflict with one's own phone names it as this phone, and any other by its name")
    func own() throws {
        let mine = text(
            .week(PageSamples.week("x")), try context { $0.notice = .init(.problem(.conflict), by: "Office") }
        )
        #expect(mine.contains(" · This phone") && !mine.contains("<bdi>Office</bdi></p>"))
        let other = text(
            .week(PageSamples.week("x")), try context { $0.notice = .init(.problem(.conflict), by: "Hall") })
        #expect(other.contains("<bdi>Hall</bdi></p>"))
    }

    @Test("A Friday's exception is marked, also one that sets an iqama alone, and its iqama is shown")
    func friday() throws {
        let times = try JSON.decode(
            TimesDocument.self,
            from: Array(
                """
                {"location": {"name": "Trial", "latitude": 5.6, "longitude": -0.2, "elevation": 0, "townElevation": 0,
                 "timezone": "Africa/Accra", "approximate": false}, "calculation": \(Self.calculation), "days": [
                 {"date": "2026-11-27", "hijri": {"year": 1448, "month": 6, "day": 17, "text": ""}, "notes": {},
                  "events": {"dhuhr": "2026-11-27T11:48:00Z", "isha": "2026-11-27T18:52:00Z"}, "exceptions": [],
                  "iqama": {"dhuhr": "2026-11-27T13:15:00Z", "isha": "2026-11-27T19:10:00Z"}, "prayers": ["jumua", "isha"]}]}
                """.utf8))
        func facts(_ prayer: String) throws -> WeekFacts {
            WeekFacts(
                times,
                try JSON.decode(
                    ExceptionsReply.self,
                    from: Array(
                        #"{"exceptions": [{"date": "2026-11-27", "prayer": "\#(prayer)", "adhan": null, "iqama": "13:15", "reason": null}]}"#
                            .utf8)))
        }
        for prayer in ["dhuhr", "jumua"] {
            let day = try #require(try facts(prayer).days.first)
            #expect(day.times.map(\.iqama) == ["13:15", "19:10"], "\(prayer)")
            #expect(day.times.map(\.isException) == [true, false], "\(prayer)")
        }
        #expect(try facts("isha").days.first?.times.map(\.isException) == [false, true])
    }

    private static let calculation = """
        {"method": "auto", "asr": "standard", "highLatitude": "none", "rounding": "nearest", "midnight": "standard"}
        """

    @Test("What was done in part says both, with the reason")
    func shortfall() throws {
        var notice = PageContext.Notice(.done(.received), key: "adhan.isha.sound")
        notice.shortfall = .pinned
        notice.details = ["added \"our-adhan\""]
        let shown = text(.week(PageSamples.week("x")), try context { $0.notice = notice })
        #expect(shown.contains("<p>Received</p>") && shown.contains("added &quot;our-adhan&quot;"))
        #expect(shown.contains(">Fixed by the owner · Isha · Sound</p>"))
        #expect(shown.contains("role=\"alert\""))
    }

    @Test(
        "Changes by hand are listed for a keeper, each with its undo, and the page says that one replaces another"
    )
    func byHand() throws {
        var changes = HandChanges()
        let day = CivilDate(year: 2026, month: 11, day: 27)!
        _ = changes.note(
            .exception(day, .isha), from: .times(adhan: nil, iqama: 1215, reason: nil),
            to: .times(adhan: nil, iqama: 1230, reason: nil), by: "Hall")
        var week = PageSamples.week("x")
        week.hand = changes.changes
        let shown = text(.week(week), try context())
        #expect(shown.contains("<bdi>20:15 → 20:30</bdi>") && shown.contains("<bdi>Hall</bdi>"))
        #expect(shown.contains(#"name="hand" value="1""#) && shown.contains("replaces the one before"))
        #expect(try Act.read(.undo, Form("hand=1&page=week".utf8), role: .keeper) == .undoHand(1))
        let (household, _) = try PageSamples.phone(.household, "Kitchen")
        #expect(
            !text(.week(week), PageContext(language: .english, phone: household)).contains(#"name="hand""#))
    }

    @Test("Health leads a keeper to the page that mends it, and others to a person")
    func health() throws {
        let facts = HealthFacts(checks: [
            .init(
                name: "sounds", verdict: .fault, message: "there is no sound \"mine\"",
                fix: "adhanctl sound list"),
            .init(
                name: "disk", verdict: .warning, message: "it is nearly full",
                fix: "sudo journalctl --vacuum-size=100M"),
        ])
        let shown = text(.health(facts), try context())
        #expect(shown.contains(#"<a href="/r/sounds">"#) && !shown.contains("adhanctl sound list"))
        #expect(shown.contains("Ask the person who looks after this device: <code"))
        let (household, _) = try PageSamples.phone(.household, "Kitchen")
        let other = text(.health(facts), PageContext(language: .english, phone: household))
        #expect(!other.contains("<main><a href=\"/r/sounds\">") && other.contains("adhanctl sound list"))
        // Messages for people who do not look at a page are a keeper's choice.
        #expect(shown.contains("<a href=\"/r/messages\">") && !other.contains("/r/messages"))
    }

    @Test("A keeper is offered a topic that nobody guesses, and three steps; without the bridge, its package")
    func messagesOffered() throws {
        let topic = NtfyTopic.new()
        let offer = text(.messages(MessagesFacts(MessagesReply(""), topic: topic)), try context())
        #expect(offer.contains(">\(topic.name)</code>") && offer.contains("value=\"\(topic.address)\""))
        #expect(offer.contains("<ol>") && offer.contains("Send a test and keep the address"))
        #expect(!offer.contains("Also told") && !offer.contains("value=\"remove\""))
        let missing = text(.messages(MessagesFacts(nil, topic: topic)), try context())
        #expect(missing.contains(">sudo apt install adhand-bridge</code>") && !missing.contains("<form"))
        #expect(topic.name.count == 18 && topic != NtfyTopic.new())
    }

    @Test("An address that is set is shown, tried and removed; a sender that does not run shows")
    func messagesSet() throws {
        var reply = MessagesReply("")
        (reply.address, reply.others) = ("https://ntfy.sh/our-mosque", ["phone", "imam"])
        func shown() throws -> String {
            text(.messages(MessagesFacts(reply, topic: NtfyTopic(name: "adhan-x"))), try context())
        }
        let asleep = try shown()
        #expect(asleep.contains("Messages go to: <bdi>https://ntfy.sh/our-mosque</bdi>"))
        #expect(asleep.contains("Also told: <bdi>phone, imam</bdi>"))
        #expect(asleep.contains("sudo systemctl enable --now adhan-bridge"))
        #expect(asleep.contains("value=\"test\"") && asleep.contains("value=\"remove\""))
        reply.isRunning = true
        #expect(!(try shown()).contains("systemctl"))
    }

    @Test("Today's congregations stand under the times; where there is none, nothing speaks of them")
    func iqama() throws {
        let fajr = NowFacts.Entry(
            prayer: "fajr", time: "05:41", enabled: true, outcome: .upcoming, stage: .next)
        func page(_ iqama: [String: String]) throws -> String {
            let facts = NowFacts(
                place: "Trial", now: "04:00", next: nil, today: [fajr], mute: .init(active: false),
                isPlaying: false, isClockTrusted: true, iqama: iqama)
            return text(.now(facts), try context())
        }
        #expect(try page(["fajr": "06:01"]).contains("<bdi>05:41</bdi><br><bdi>06:01</bdi>"))
        #expect(try page(["fajr": "06:01"]).contains("Time / Iqama"))
        #expect(try !page([:]).contains("Time / Iqama"))
    }

    private func waiting(_ awaiting: StatusDocument.Awaiting?) -> NowFacts {
        var now = NowFacts(
            place: "Greenwich", now: "04:00", next: nil,
            today: [
                .init(prayer: "fajr", time: "05:41", enabled: true, outcome: .upcoming, stage: .upcoming)
            ],
            mute: .init(active: false), isPlaying: false, isClockTrusted: false)
        now.awaiting = awaiting
        return now
    }

    @Test("While the clock is awaited nothing is to come, and the page says what it takes")
    func awaitsClock() throws {
        let page = text(.now(waiting(.clock)), try context())
        #expect(page.contains("Nothing is called until the clock is right") && !page.contains("to come"))
        #expect(page.contains(#"<p class="problem"><a href="/r/network">"#))
        #expect(text(.now(waiting(nil)), try context()).contains("to come"))
        let (phone, _) = try PageSamples.phone(.household)
        let household = text(.now(waiting(.clock)), PageContext(language: .english, phone: phone))
        #expect(household.contains("Nothing is called") && !household.contains(#"href="/r/network""#))
    }

    @Test("While the place is awaited no times are shown, and a keeper's phone is led to the set-up")
    func awaitsPlace() throws {
        let now = text(.now(waiting(.place)), try context())
        var facts = PageSamples.week("x")
        let days = text(.week(facts), try context())
        facts.awaitsPlace = true
        let week = text(.week(facts), try context())
        #expect(days.contains("16:41") && !week.contains("16:41"))
        #expect(!now.contains("05:41") && !now.contains("Greenwich"))
        for page in [now, week] {
            let link = #"<p class="problem"><a href="/r/setup">No place is set; nothing is called</a></p>"#
            #expect(page.contains(link))
        }
        let (phone, _) = try PageSamples.phone(.household)
        let household = text(.week(facts), PageContext(language: .english, phone: phone))
        #expect(household.contains("No place is set") && !household.contains(#"href="/r/setup""#))
    }

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
        let told = text(
            .network(NetworkFacts(document, mayJoin: true)), try context { $0.notice = .init(.done(.trying)) }
        )
        document.state = .joining
        let trying = text(.network(NetworkFacts(document, mayJoin: true)), try context())
        for page in [told, trying] {
            #expect(page.split(separator: "The box now tries to join the network").count == 2)
            #expect(page.contains("up to 45 seconds") && !page.contains("name=\"ssid\""))
            #expect(!page.contains("is wrong"))
        }
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
        func page(takesWords: Bool = false, namesNetwork: Bool = false) -> String {
            var facts = PairFacts(takesWords: takesWords)
            facts.namesNetwork = namesNetwork
            return text(.pair(facts), PageContext(language: .english, phone: nil))
        }
        #expect(page().contains("Six-digit code") && page().contains("Open pairing on the screen"))
        let open = page(takesWords: true)
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

    @Test("A phone that was slower hears which one sets the box up")
    func slower() throws {
        var context = PageContext(language: .english, phone: nil)
        context.notice = .init(.problem(.claimed), by: "Kitchen phone")
        let page = text(.pair(PairFacts()), context)
        #expect(page.contains("“Kitchen phone” is setting up this box</p>"))
        #expect(!page.contains("wrong or has expired"))
    }

    @Test("Each output has a mute of its own, and says what keeps it silent")
    func outputs() throws {
        let now = NowFacts(
            place: "Trial", now: "04:00", next: nil, today: [], mute: .init(active: false), isPlaying: false,
            isClockTrusted: true,
            outputs: [
                .init(name: "hall"), .init(name: "women", hasFailed: true),
                .init(name: "horn", quiet: "night-law", quietUntil: "06:00"),
                .init(name: "bedroom", quiet: "mute", quietUntil: "06:10"),
            ])
        let page = text(.now(now), try context())
        #expect(page.contains("<bdi>women</bdi> · No sound</p>"))
        #expect(page.contains("<bdi>night-law</bdi> – <bdi>06:00</bdi>"))
        #expect(page.contains("<bdi>bedroom</bdi> · Muted until <bdi>06:10</bdi>"))
        // Four have three buttons each, and one can be unmuted.
        #expect(page.ranges(of: #"name="output""#).count == 4 * 3 + 1)
        #expect(page.contains(#"aria-label="Mute 30 min: hall""#))
        #expect(page.contains(#"aria-label="Unmute: bedroom""#))
    }

    @Test("An act about one output names it, and ends by itself")
    func actsOnOutputs() throws {
        #expect(try act(.mute, "output=hall&for=2h") == .muteOutput("hall", .seconds(7200)))
        #expect(try act(.mute, "output=&for=2h") == .mute(.seconds(7200)))
        #expect(try act(.unmute, "output=hall") == .unmuteOutput("hall"))
        #expect(throws: FieldRefusal.self) { try act(.mute, "output=hall&until=next") }
        #expect(throws: FieldRefusal.self) { try act(.mute, "output=hall") }
        #expect(throws: FieldRefusal.self) {
            try act(.mute, "output=\(String(repeating: "a", count: 17))&for=2h")
        }
    }

    private func act(_ route: Route.Name, _ form: String) throws -> Act? {
        try Act.read(route, try Form(form.utf8), role: .household)
    }

    @Test("A mute of one adhan names its prayer, and the end of a set-up says who stays silent")
    func names() throws {
        let now = NowFacts(
            place: "Trial", now: "04:00", next: nil, today: [],
            mute: .init(active: true, prayer: "fajr"), isPlaying: false, isClockTrusted: true)
        #expect(text(.now(now), try context()).contains(" · Fajr</p>"))
        let setup = SetupFacts(
            step: .done, times: [.init("fajr", "05:10", volume: 0), .init("asr", "15:10", volume: 35)])
        let shown = text(.setup(setup), try context())
        #expect(shown.contains("<bdi>0</bdi> · silent") && shown.contains("<bdi>35</bdi>"))
    }

    @Test(
        "A device from which nothing comes stands last; a tone that was not heard leads to advice and to another"
    )
    func loudspeakers() throws {
        var draft = SetupDraft()
        for (step, form) in [
            (.place, "place=Sarajevo"), (.method, "method=auto"), (.asr, "asr=standard"),
            (.loudspeaker, "device=hall"),
        ] as [(SetupDraft.Step, String)] {
            try draft.answer(step, Form(form.utf8)) { .embedded }
        }
        let devices = [
            SoundFacts.Device(name: "null", outcome: .opens, silence: .init(reason: "x", fix: "x")),
            SoundFacts.Device(name: "hall", outcome: .opens),
            SoundFacts.Device(name: "room", outcome: .opens),
        ]
        let texts = ["hall": "Loudspeaker in the hall"]
        let asked = text(
            .setup(SetupFacts(draft, devices: devices, deviceTexts: texts, volume: "40")), try context())
        #expect(asked.contains("<bdi>Loudspeaker in the hall</bdi>"))
        #expect(asked.contains("Do you hear the tone?") && asked.contains("Play a tone"))
        #expect(asked.contains(#"name="device" value="hall""#) && !asked.contains("switched on, connected"))
        try draft.heard("hall", false)
        let again = SetupFacts(draft, devices: devices, volume: "40")
        #expect(again.options.map(\.value) == ["room", "null", "hall"] && again.chosen == "room")
        let shown = text(.setup(again), try context())
        #expect(shown.contains("switched on, connected") && shown.contains("null · silent"))
        #expect(!shown.contains("hall · silent"))
        try draft.answer(.loudspeaker, Form("device=hall".utf8)) { .embedded }
        try draft.heard("hall", true)
        try draft.answer(.volume, Form("volume=50".utf8)) { .embedded }
        let done = text(.setup(SetupFacts(draft, deviceTexts: texts, volume: "40")), try context())
        #expect(done.contains("Loudspeaker: <bdi>Loudspeaker in the hall</bdi>"))
    }

    @Test("A device has the words of its card, and a number where another one has the same")
    func deviceWords() {
        func device(_ name: String, _ description: String?) -> SoundFacts.Device {
            SoundFacts.Device(name: name, outcome: .opens, description: description)
        }
        let texts = SetupFacts.texts([
            device("default", "Default Audio Device"),
            device("sysdefault:CARD=Device", "USB Audio Device, USB Audio"),
            device("plughw:CARD=Device,DEV=0", "USB Audio Device, USB Audio, Hardware device"),
            device("hall", nil),
            device("room", ""),
        ])
        #expect(
            texts == [
                "default": "Default Audio Device", "sysdefault:CARD=Device": "USB Audio Device",
                "plughw:CARD=Device,DEV=0": "USB Audio Device (2)", "hall": "hall", "room": "room",
            ])
    }

    @Test("A box with outputs keeps their devices, and says whose they are")
    func setupWithOutputs() throws {
        var draft = SetupDraft()
        for (step, form) in [
            (.place, "place=Sarajevo"), (.method, "method=auto"), (.asr, "asr=standard"),
        ] as [(SetupDraft.Step, String)] {
            try draft.answer(step, Form(form.utf8)) { .embedded }
        }
        let device = SoundFacts.Device(name: "hw:9", outcome: .opens)
        let facts = SetupFacts(draft, devices: [device], volume: "40", outputs: ["hall", "horn"])
        #expect(facts.options == [] && facts.chosen == "")
        #expect(text(.setup(facts), try context()).contains("As it is now (hall, horn)"))
    }

    @Test("A phone that is paired no more learns it, and led to the page for pairing")
    func unpaired() throws {
        #expect(PageProblem(status: 401, reason: .unpaired) == .unpaired)
        let shown = text(.problem(.unpaired), PageContext(language: .english, phone: nil))
        #expect(shown.contains("This phone is not paired") && shown.contains(#"href="/r/pair""#))
    }
}

extension RequestHead {
    fileprivate static func from(_ target: String) -> Int {
        RequestHead(peer: AccessTests.home, method: "GET", target: target, hosts: ["box.local"]).from
    }
}
