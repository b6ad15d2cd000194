/// Every page, with the facts that it shows.
package enum Page: Sendable {
    case pair(PairFacts)
    case now(NowFacts)
    case week(WeekFacts)
    case health(HealthFacts)
    case log(LogFacts)
    case settings(SettingsFacts)
    case phones(PhonesFacts)
    case friday(FridayFacts)
    case ramadan(RamadanFacts)
    case announcements(AnnouncementsFacts)
    case sounds(SoundsFacts)
    case timetable(TimetableFacts)
    case setup(SetupFacts)
    case messages(MessagesFacts)
    case network(NetworkFacts)
    /// A refusal without a form to return to.
    case problem(PageProblem)

    /// The size limit of a page with its style and its script, in bytes.
    package static let mostBytes = 30_000

    /// The bytes of the page (`text/html; charset=utf-8`).
    package func html(_ context: PageContext) -> [UInt8] {
        let maker = PageMaker(context)
        let (title, content) = content(maker)
        return maker.document(
            self, title: title, head: head, content: content
        ).document
    }

    private func content(_ maker: PageMaker) -> (String, [HTML]) {
        let text = { maker.context.text($0) }
        return switch self {
        case .pair(let facts): (text("pair"), maker.pair(facts))
        case .now(let facts): (text("now"), maker.now(facts))
        case .week(let facts): (text("week"), maker.week(facts))
        case .health(let facts): (text("health"), maker.health(facts))
        case .log(let facts): (text("log"), maker.log(facts))
        case .settings(let facts): (text("settings"), maker.settings(facts))
        case .phones(let facts): (text("phones"), maker.phones(facts))
        case .friday(let facts): (maker.prayer("jumua"), maker.friday(facts))
        case .ramadan(let facts): (maker.ramadanName, maker.ramadan(facts))
        case .announcements(let facts): (text("announcements"), maker.announcements(facts))
        case .sounds(let facts): (text("sounds"), maker.sounds(facts))
        case .timetable(let facts): (text("timetable"), maker.timetable(facts))
        case .setup(let facts): (text("setup"), maker.setup(facts))
        case .messages(let facts): (text("messages"), maker.messages(facts))
        case .network(let facts): (text("network"), maker.network(facts))
        case .problem(let problem): (maker.word(problem), maker.problem(problem))
        }
    }

    /// A page that reports adhand's absence reloads itself.
    private var head: [HTML] {
        guard case .problem(.away) = self else { return [] }
        return [.element("meta", [("http-equiv", "refresh"), ("content", "10")])]
    }

    /// The address of this page; `nil` for refusals.
    var route: Route.Name? {
        switch self {
        case .pair: .pair
        case .now: .now
        case .week: .week
        case .health: .health
        case .log: .log
        case .settings: .settings
        case .phones: .phones
        case .friday: .friday
        case .ramadan: .ramadan
        case .announcements: .announcements
        case .sounds: .sounds
        case .timetable: .timetable
        case .setup: .setup
        case .messages: .messages
        case .network: .network
        case .problem: nil
        }
    }
}
