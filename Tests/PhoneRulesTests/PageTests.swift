import Foundation
import Languages
import PhoneRules
import PrayerEngine
import Protocol
import Testing
import Texts

@Suite("Pages")
struct PageTests {
    private func context(_ language: Language, _ phone: Phone) -> PageContext {
        var context = PageContext(language: language, phone: phone)
        context.isFresh = true
        let name = PageSamples.hostile
        context.notice = .init(.problem(.conflict), undo: 14, by: name, key: name, reason: name)
        return context
    }

    @Test(
        "Every page is well formed, labelled, escaped and small, in every language and for both roles",
        arguments: Language.codes)
    func every(_ code: String) throws {
        let language = try #require(Language.embedded(code))
        let assets = PageAssets.style.count + PageAssets.script.count
        for role in Role.allCases {
            let (phone, phones) = try PageSamples.phone(role)
            for page in PageSamples.all(PageSamples.hostile, phones) {
                let html = page.html(context(language, phone))
                let name = "\(code) \(role) \(page)".prefix(60)
                let checker = PageChecker(html)
                #expect(checker.problems.isEmpty, "\(name)")
                #expect(html.count + assets <= Page.mostBytes, "\(name): \(html.count) and \(assets) bytes")
                let root = checker.elements.first
                #expect(root?.attributes["lang"] == code && root?.attributes["dir"] == language.direction)
                let scripts = checker.elements.filter { $0.name == "script" }
                #expect(scripts.map { $0.attributes["src"] } == ["/r/page.js"], "\(name)")
            }
        }
    }

    /// For people to look at: REMOTE_PAGES names a folder.
    @Test(
        "Pages are kept where somebody asks for them",
        .enabled(if: ProcessInfo.processInfo.environment["REMOTE_PAGES"] != nil))
    func keep() throws {
        let folder = URL(filePath: ProcessInfo.processInfo.environment["REMOTE_PAGES"] ?? "")
        try Data(PageAssets.style).write(to: folder.appending(path: "style.css"))
        try Data(PageAssets.script).write(to: folder.appending(path: "page.js"))
        for code in Language.codes {
            let language = try #require(Language.embedded(code))
            for role in Role.allCases {
                let (phone, phones) = try PageSamples.phone(role, "Kitchen")
                for (index, page) in PageSamples.all("Kitchen", Array(phones.prefix(3))).enumerated() {
                    var context = PageContext(language: language, phone: phone)
                    context.isFresh = true
                    context.notice =
                        index % 2 == 0 ? .init(.done(.saved), undo: 14) : .init(.problem(.conflict))
                    let kind = String("\(page)".prefix { $0 != "(" })
                    let name = "\(code)-\(role)-\(index)-\(kind).html"
                    try Data(page.html(context)).write(to: folder.appending(path: name))
                }
            }
        }
    }

    @Test("Every form goes to an act that this phone may do, in the form that this act reads")
    func forms() throws {
        for role in Role.allCases {
            let (phone, phones) = try PageSamples.phone(role)
            for page in PageSamples.all("Kitchen", phones) {
                // Pages that a household's phone never gets.
                switch page {
                case .phones where role == .household, .setup where role == .household,
                    .messages where role == .household, .network where role == .household:
                    continue
                default: break
                }
                let checker = PageChecker(page.html(context(.english, phone)))
                for form in checker.elements where form.name == "form" {
                    // The choice of a language is an address, and so is that of a part of a long list.
                    if form.attributes["method"] == "get" {
                        let pages = ["/r/", "/r/pair", "/r/week", "/r/announcements"]
                        #expect(pages.contains(form.attributes["action"] ?? ""))
                        continue
                    }
                    // The part is where the answer begins.
                    let action = form.attributes["action"]?.split(separator: "#").map(String.init) ?? []
                    let route = Route.all.first { $0.path == action.first && $0.method == .post }
                    #expect(action.last == "here")
                    let found = try #require(route, "\(form.attributes)")
                    #expect(form.attributes["method"] == "post")
                    let isUpload = form.attributes["enctype"] == "multipart/form-data"
                    if case .upload = found.body { #expect(isUpload) } else { #expect(!isUpload) }
                    if role == .household { #expect(found.right == .household || found.right == .anybody) }
                }
                for link in checker.elements where link.name == "a" {
                    // The same box by another name or number, for a network that this page is not in.
                    if link.attributes["href"]?.hasPrefix("http://") == true {
                        guard case .network = page else { throw AccessTests.Wrong() }
                        continue
                    }
                    // A page, or a part of one that it has.
                    let address = link.attributes["href"]?.split(separator: "#").map(String.init) ?? []
                    let route = Route.all.first { $0.path == address.first && $0.method == .get }
                    #expect(address.count < 2 || [["/r/week", "iqama"], ["/r/", "mute"]].contains(address))
                    #expect(route != nil && !(role == .household && route?.right == .keeper))
                }
            }
        }
    }

    @Test("The languages have the same phrases, and none is left in English by oversight")
    func phrases() throws {
        let english = Language.english.remote
        #expect(english.count > 90)
        for code in Language.codes {
            let phrases = try #require(Language.embedded(code)).remote
            #expect(Set(phrases.keys) == Set(english.keys), "\(code)")
            #expect(
                phrases.allSatisfy { key, phrase in
                    let isFilled = phrase.contains("{name}") == english[key]?.contains("{name}")
                    let rest = phrase.replacing("{name}", with: "")
                    return !phrase.isEmpty && isFilled && !rest.contains("{")
                        && !phrase.lowercased().contains("adhand")
                })
            if code != "en" {
                let same = phrases.count { english[$0.key] == $0.value }
                #expect(same < 12, "\(code): \(same)")
            }
        }
    }

    @Test("No key stands on a page in place of its phrase")
    func missing() throws {
        var language = Language.english
        let (phone, phones) = try PageSamples.phone(.keeper, "Kitchen")
        var bare = ""
        for page in PageSamples.all("Kitchen", phones) {
            bare += String(decoding: page.html(context(language, phone)), as: UTF8.self)
        }
        for key in [
            "outcome-", "verdict-", "state-", "show-", "replace-", "setup-", "hijri-", "asr-", "clock-",
            "dates-",
            "finding-", "health-", "label-",
        ] {
            #expect(!bare.contains(">\(key)"), "\(key)")
        }
        language = try #require(Language.embedded("ar"))
        let arabic = String(
            decoding: Page.now(PageSamples.now("x")).html(context(language, phone)), as: UTF8.self)
        #expect(
            arabic.contains("dir=\"rtl\"") && arabic.contains("<bdi>16:41</bdi>")
                && !arabic.contains(">Mute<"))
    }

    @Test("A form that was refused comes back with its words, and the field is marked")
    func refused() throws {
        let (phone, _) = try PageSamples.phone(.keeper, "Kitchen")
        var context = PageContext(language: .english, phone: phone)
        context.filled = try Form("date=2026-12-01&prayer=isha&iqama=25%3A99&reason=%3Cb%3E".utf8)
        do {
            _ = try Act.read(.exception, context.filled!, role: .keeper)
            Issue.record("it was taken")
        } catch {
            context.refused = error
        }
        #expect(context.refused?.field == "iqama" && context.refused?.code == .format)
        let page = String(decoding: Page.week(PageSamples.week("x")).html(context), as: UTF8.self)
        #expect(
            page.contains("value=\"25:99\" aria-invalid=\"true\"") && page.contains("value=\"&lt;b&gt;\""))
        #expect(page.contains("<option value=\"isha\" selected>"))
    }

    @Test("Only what was changed in a form of settings is sent on")
    func settings() throws {
        let form = try Form(
            "expect=14&adhan.fajr.volume=45&was:adhan.fajr.volume=60&adhan.isha.volume=50&was:adhan.isha.volume=50"
                .utf8)
        let act = try Act.read(.set, form, role: .household)
        guard case .set(let changes, let expect)? = act else { throw AccessTests.Wrong() }
        #expect(changes.map(\.key) == ["adhan.fajr.volume"] && changes[0].value == "45" && expect == 14)
    }

    @Test("An iqama from a date on is an act of its own, in the words of its reader")
    func iqama() throws {
        let friday = CivilDate(year: 2026, month: 11, day: 27)!
        for typed in ["20:15", "+10m", "20", "+20", " + 20 "] {
            let fields = [
                Form.Field("expect", "3"), .init("prayer", "isha"), .init("iqama", typed),
                .init("from", "2026-11-27"),
            ]
            let act = try Act.read(.set, Form(fields: fields), role: .keeper)
            #expect(act == .changeIqama(.isha, typed, from: friday, expect: 3))
            for byKey in ["iqama.isha.at=\(typed)&was:iqama.isha.at=", "key=iqama.isha.at&value=\(typed)"] {
                let form = try Form(byKey.replacing("+", with: "%2B").utf8)
                let act = try Act.read(.set, form, role: .keeper)
                #expect(act == .set([.init(key: "iqama.isha.at", value: typed)], expect: nil), "\(byKey)")
            }
        }
        let days = "prayer=isha&iqama=20&from=2026-11-27&until="
        #expect(
            try Act.read(.set, Form((days + "2026-11-27").utf8), role: .keeper)
                == .changeIqama(.isha, "20", from: friday, until: friday, expect: nil))
        #expect(throws: FieldRefusal.self) {
            try Act.read(.set, Form((days + "2026-11-26").utf8), role: .keeper)
        }
        #expect(throws: FieldRefusal.self) {
            try Act.read(.set, Form("prayer=isha&iqama=soon&from=2026-11-27".utf8), role: .keeper)
        }
    }

    @Test(
        "A prayer before adhand's start is no alarm, a muted one is not announced, and a silent device is reported"
    )
    func stages() throws {
        let language = try #require(Language.embedded("en"))
        let (phone, _) = try PageSamples.phone(.household)
        func word(_ outcome: Outcome, _ stage: PrayerStage) -> String {
            let entry = NowFacts.Entry(
                prayer: "asr", time: "15:10", enabled: true, outcome: outcome, stage: stage)
            let facts = NowFacts(
                place: "Trial", now: "15:11", next: nil, today: [entry], mute: .init(active: false),
                isPlaying: false, isClockTrusted: true)
            let html = String(decoding: Page.now(facts).html(context(language, phone)), as: UTF8.self)
            let cells = html.components(separatedBy: "<td>").map { $0.components(separatedBy: "</td>")[0] }
            return cells.count > 2 ? cells[2] : ""
        }
        #expect(word(.missed, .beforeStart) == "–")
        #expect(word(.missed, .missed) == "missed")
        #expect(word(.upcoming, .muted) == "muted")
        #expect(word(.upcoming, .next) == "to come")
        #expect(word(.playing, .unheard) == word(.failed, .failed))
        #expect(word(.playing, .playing) != word(.playing, .unheard))
    }

    @Test("The page while adhand is away tries again by itself, and leads back")
    func away() {
        let page = String(
            decoding: Page.problem(.away).html(PageContext(language: .english, phone: nil)), as: UTF8.self)
        #expect(page.contains("http-equiv=\"refresh\"") && page.contains("href=\"/r/\""))
    }

    @Test("The language of the address goes before the phone's, the browser's and the display's")
    func languages() {
        #expect(Language.code(target: "/r/?lang=ar", chosen: "de", accepts: ["fr"]) == "ar")
        #expect(Language.code(target: "/r/?lang=xx", chosen: "de", accepts: ["fr"]) == "de")
        #expect(Language.code(target: "/r/", accepts: ["xx, en;q=0.5, tr-TR;q=0.8"], display: "ur") == "tr")
        #expect(Language.code(target: "/r/", accepts: ["de;q=0, *"], display: "ur") == "ur")
        #expect(Language.code(target: "/r/") == "en")
    }

    @Test("The page's colours are at least 7 to 1 apart, light and dark")
    func contrast() {
        let style = String(decoding: PageAssets.style, as: UTF8.self)
        let themes = style.matches(
            of:
                /--ink:(#\w+);--paper:(#\w+);--soft:(#\w+);--line:(#\w+);--act:(#\w+);--on:(#\w+);--bad:(#\w+)/
        )
        #expect(themes.count == 2)
        for theme in themes {
            let (ink, paper, soft, act, on, bad) = (theme.1, theme.2, theme.3, theme.5, theme.6, theme.7)
            for (front, back) in [(ink, paper), (ink, soft), (act, paper), (on, act), (bad, paper)] {
                #expect(Self.contrast(front, back) >= 7, "\(front) on \(back)")
            }
            // A border has 3 to 1.
            #expect(Self.contrast(theme.4, paper) >= 3)
        }
    }

    /// Of two colours (WCAG 2.2, relative luminance).
    private static func contrast(_ a: Substring, _ b: Substring) -> Double {
        let (x, y) = (luminance(a), luminance(b))
        return (max(x, y) + 0.05) / (min(x, y) + 0.05)
    }

    private static func luminance(_ colour: Substring) -> Double {
        var digits = String(colour.dropFirst())
        if digits.count == 3 { digits = digits.map { "\($0)\($0)" }.joined() }
        let number = Int(digits, radix: 16) ?? 0
        let parts = [number >> 16, number >> 8 & 255, number & 255].map { part -> Double in
            let value = Double(part) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
}
