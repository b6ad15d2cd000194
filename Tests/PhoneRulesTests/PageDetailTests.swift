import Host
import Languages
import PhoneRules
import Places
import PrayerEngine
import Protocol
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

    func context(_ change: (inout PageContext) -> Void = { _ in }) throws -> PageContext {
        let (phone, _) = try PageSamples.phone(.keeper, "Office")
        var context = PageContext(language: .english, phone: phone)
        context.isFresh = true
        change(&context)
        return context
    }

    func text(_ page: Page, _ context: PageContext) -> String {
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
        let setup = text(.setup(SetupFacts(PhoneSetupDraft(), volume: "40")), try context())
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
