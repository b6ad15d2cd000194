internal import ControlClient
internal import DisplayFeed
internal import DisplayProgramme
internal import Glibc
internal import Host
internal import Languages
internal import NIOCore
internal import PrayerEngine
import Protocol
internal import Synchronization
internal import Texts

/// Follows adhand on a thread of its own, and keeps the state that every page is told.
final class Follower: Sendable {
    struct State: Sendable {
        /// As JSON, for this machine and for others, view by view; empty until adhand has answered once.
        var documents: [Told: ByteBuffer] = [:]
        /// What pages are told until then: the clock, and that adhand is waited for.
        var waiting: [Told: ByteBuffer] = [:]
        /// Rises with every change.
        var serial = 0
        /// Why adhand cannot be asked; `nil` while it answers.
        var failure: String? = "adhand has not answered yet"
        var slides = SlideFolder.Found()

        /// What pages are told: that adhand is waited for, until it has answered once.
        var events: [Told: ByteBuffer] { documents.isEmpty ? waiting : documents }

        func document(for told: Told) -> ByteBuffer { documents[told] ?? ByteBuffer() }
    }

    private let client: ControlClient
    private let zones: ZoneFiles
    private let page: Page
    private let config: DisplayConfig
    /// The settings of each view, by its name.
    private let views: [String: DisplayConfig]
    private let isConfigWrong: Bool
    private let preview: Bool
    private let donation: StateDocument.DonationEntry?
    private let state = Mutex(State())

    private struct Attention {
        /// When somebody asked last (CLOCK_MONOTONIC).
        var lastLook = -Double.infinity
        var isResting = false
        /// The wall clock less the monotonic one: changes when the clock is set, or the machine slept.
        var lead: Double?
    }
    private let attention = Mutex(Attention())
    /// Ends the follower's wait.
    private let doorbell = Doorbell()

    /// Seconds: how long a change may wait for more of its kind, how often all is asked anew (an adhand that hangs is told
    /// within 40 s), and how often the folder of slides is looked at.
    private static let settling = 0.1
    private static let refresh = 35.0
    private static let slideInterval = 30.0
    /// Seconds between two attempts while adhand does not answer.
    private static let retry = 1.0
    /// Seconds without a question after which nobody looks, and by how much both intervals are longer then: adhand tells what
    /// changes, and who looks again is told anew at once.
    private static let attentionSpan = 90.0
    private static let restExtension = 600.0

    init(
        socket: String, zones: ZoneFiles, page: Page, config: DisplayConfig, isConfigWrong: Bool,
        preview: Bool
    ) {
        self.isConfigWrong = isConfigWrong
        client = ControlClient(socket: socket)
        self.zones = zones
        self.page = page
        self.config = config
        views = Dictionary(
            uniqueKeysWithValues: config.viewNames.compactMap { name in
                config.seen(as: name).map { (name, $0) }
            })
        self.preview = preview
        donation = DonationCode.entry(config.donation)
    }

    /// Everything that is told.
    private var audiences: [Told] {
        views.keys.flatMap { [Told(.machine, $0), Told(.network, $0)] }
    }

    /// `nil` for a view that there is not.
    func told(_ audience: Audience, _ view: String?) -> Told? {
        let name = view ?? DisplayConfig.usualView(for: audience)
        return views[name] == nil ? nil : Told(audience, name)
    }

    var viewNames: [String] { config.viewNames }

    var now: State { state.withLock { $0 } }

    func start(_ changed: @escaping @Sendable () -> Void) {
        startThread("follower") { self.follow(changed) }
    }

    // MARK: Attention

    /// Somebody looks: what was not asked for while nobody did is asked now. To be called with every question, and each second
    /// for whoever listens.
    func look() {
        let (now, lead) = (WallClock.monotonic(), WallClock.now().unixSeconds - WallClock.monotonic())
        let isNews = attention.withLock { attention in
            let wasSet = attention.lead.map { abs($0 - lead) > 1 } ?? false
            let wasResting = attention.isResting
            attention = Attention(lastLook: now, isResting: false, lead: lead)
            return wasResting || wasSet
        }
        if isNews { doorbell.ring() }
    }

    /// Seconds until something is to be done, unless adhand tells news before.
    private func wait(_ world: World) -> Double {
        if world.lostSince != nil { return Self.retry }
        if world.isDirty { return Self.settling }
        return max(0, min(world.nextRefresh, world.nextSlides) + putOff() - WallClock.monotonic())
    }

    /// By how much looks at adhand and at the slides are put off now.
    private func putOff() -> Double {
        attention.withLock { attention in
            attention.isResting = WallClock.monotonic() - attention.lastLook > Self.attentionSpan
            return attention.isResting ? Self.restExtension : 0
        }
    }

    // MARK: Following

    private func follow(_ changed: @escaping @Sendable () -> Void) -> Never {
        var world = World()
        while true {
            lose(attendUntilLost(&world, changed), &world, changed)
            usleep(1_000_000)
        }
    }

    /// Apart from the loop around it, and not inlined: the optimizer of Swift 6.2 never ends with the two in one function.
    @inline(never)
    private func attendUntilLost(_ world: inout World, _ changed: @Sendable () -> Void) -> ControlFailure {
        var monitor = ControlMonitor(client, snapshot: true, doorbell: doorbell)
        while true {
            do throws(ControlFailure) {
                try attend(&monitor, &world, changed)
            } catch {
                return error
            }
        }
    }

    /// What is kept between looks.
    private struct World {
        var daemon: DaemonAnswers?
        var lostSince: Instant?
        var silentSince: Instant?
        var slides = SlideFolder.Found()
        var nextRefresh = 0.0
        var nextSlides = 0.0
        var isDirty = false
        private var lead: Double?

        /// When the wall clock was set, or the machine slept, since the last time, everything is due anew.
        mutating func lookAtClock() {
            let now = WallClock.now().unixSeconds - WallClock.monotonic()
            if let lead, abs(lead - now) > 1 { nextRefresh = 0 }
            lead = now
        }
    }

    private func attend(
        _ monitor: inout ControlMonitor, _ world: inout World, _ changed: @Sendable () -> Void
    ) throws(ControlFailure) {
        switch try monitor.next(within: wait(world)) {
        case .connected:
            world.isDirty = true
        case .event:
            // Of a burst the last one counts, but no burst keeps the screen waiting.
            if !world.isDirty { world.nextRefresh = WallClock.monotonic() + Self.settling }
            world.isDirty = true
            if WallClock.monotonic() < world.nextRefresh { return }
        case .nothing: doorbell.answer()
        case .lost(let failure):
            return lose(failure, &world, changed)
        }
        let now = WallClock.monotonic()
        let later = putOff()
        if world.nextSlides + later <= now {
            world.nextSlides = now + Self.slideInterval
            let found = SlideFolder.look(config)
            if found != world.slides { world.isDirty = true }
            world.slides = found
        }
        world.lookAtClock()
        guard world.isDirty || world.nextRefresh + later <= now || world.lostSince != nil else { return }
        world.isDirty = false
        do throws(ControlFailure) {
            world.daemon = try DaemonAnswers(asking: client, zones: zones, now: WallClock.now())
        } catch {
            return lose(error, &world, changed)
        }
        world.lostSince = nil
        world.nextRefresh = now + Self.refresh
        if world.daemon?.status.audio.hasFailed == true {
            world.silentSince = world.silentSince ?? WallClock.now()
        } else {
            world.silentSince = nil
        }
        publish(world, failure: nil, changed)
    }

    private func lose(
        _ failure: ControlFailure, _ world: inout World, _ changed: @Sendable () -> Void
    ) {
        let now = WallClock.monotonic()
        let isNews = world.lostSince == nil
        world.lostSince = world.lostSince ?? WallClock.now()
        world.isDirty = true
        // What adhand has told reaches further than a page is told at once.
        world.lookAtClock()
        guard isNews || world.nextRefresh <= now else { return }
        world.nextRefresh = now + Self.refresh
        publish(world, failure: failure.message, changed)
    }

    // MARK: Telling

    private func publish(_ world: World, failure: String?, _ changed: @Sendable () -> Void) {
        var documents: [Told: ByteBuffer] = [:]
        if let daemon = world.daemon {
            let now = WallClock.now()
            let display = shown(daemon, world, now: now)
            for told in audiences {
                documents[told] = ByteBuffer(bytes: document(display, world, told, now: now))
            }
        }
        let waiting = world.daemon == nil ? waitingDocuments() : [:]
        state.withLock {
            $0.waiting = waiting
            // What was told before goes on being true for two days.
            if !documents.isEmpty { $0.documents = documents }
            $0.failure = failure
            $0.slides = world.slides
            $0.serial += 1
        }
        changed()
    }

    private func shown(_ daemon: DaemonAnswers, _ world: World, now: Instant) -> DisplayWorld {
        var display = daemon.world(
            lostSince: world.lostSince, silentSince: world.silentSince, slides: world.slides,
            isScreenWrong: isConfigWrong, now: now)
        display.donation = donation
        return display
    }

    /// Before adhand has answered for the first time: by the machine's own zone, and without any time of prayer.
    private func waitingDocuments() -> [Told: ByteBuffer] {
        let zone = (try? zones.systemZone()) ?? .utc
        let nothing = DisplayWorld(schedule: Schedule(zone: zone, occasions: []), facts: DisplayFacts())
        var documents: [Told: ByteBuffer] = [:]
        for told in audiences {
            documents[told] = ByteBuffer(
                bytes: document(nothing, World(), told, now: WallClock.now(), isWaiting: true))
        }
        return documents
    }

    private func document(
        _ display: DisplayWorld, _ world: World, _ told: Told, now: Instant, isWaiting: Bool = false
    ) -> [UInt8] {
        guard let config = views[told.view] else { return [] }
        var settings = config.page
        settings.background = world.slides.background != nil
        settings.backgroundVersion = world.slides.background?.version
        settings.logo = world.slides.logo?.version
        guard let language = page.languages[config.page.languages.first ?? "en"] ?? page.languages["en"]
        else { return [] }
        var state = StateDocument(
            display, config.display, settings, language: language, now: now, for: told.audience,
            preview: preview && told.audience == .machine)
        if told.audience == .machine {
            state.views = viewNames
            state.displayView = self.config.displayView
        }
        state.build = page.build
        state.waiting = isWaiting ? true : nil
        return (try? JSON.encode(state)) ?? []
    }

    /// The state as it would be at another time. Asks adhand, which takes a while: not for the loop of the server.
    func document(at now: Instant, view: String) -> Result<[UInt8], ServerError> {
        do throws(ControlFailure) {
            var world = World()
            world.slides = SlideFolder.look(config)
            let daemon = try DaemonAnswers(asking: client, zones: zones, now: now)
            return .success(
                document(shown(daemon, world, now: now), world, Told(.machine, view), now: now))
        } catch {
            return .failure(ServerError(message: error.message))
        }
    }
}
