internal import ControlClient
internal import DisplayFeed
internal import Glibc
internal import Host
internal import Languages
internal import NIOCore
internal import PrayerEngine
import Protocol
internal import ScreenPlan
internal import Synchronization
internal import Texts
internal import WebServer

/// Polls adhand on a thread of its own, and holds the state that every page receives.
final class DaemonPoller: Sendable {
    struct State: Sendable {
        /// JSON for this machine and for others, per view; empty until adhand has answered once.
        var documents: [StateVariant: ByteBuffer] = [:]
        /// The state for pages until then: the clock, and a note that the screen waits for adhand.
        var waiting: [StateVariant: ByteBuffer] = [:]
        /// Increases with every change.
        var serial = 0
        /// The reason why adhand cannot be polled; `nil` while it answers.
        var failure: String? = "adhand has not answered yet"
        var slides = SlideFolder.Found()

        /// The state for pages. Until adhand has answered once, it shows that the screen waits.
        var events: [StateVariant: ByteBuffer] { documents.isEmpty ? waiting : documents }

        func document(for variant: StateVariant) -> ByteBuffer { documents[variant] ?? ByteBuffer() }
    }

    private let client: ControlClient
    private let zones: ZoneFiles
    private let file: DisplayFile
    private let documents: PageDocuments
    private let state = Mutex(State())

    private struct Attention {
        /// The time of the last request from a page (CLOCK_MONOTONIC).
        var lastViewed = -Double.infinity
        var isResting = false
        /// The wall clock minus the monotonic one. It changes when the clock is set or the machine has slept.
        var lead: Double?
    }
    private let attention = Mutex(Attention())
    /// Ends the poller's wait.
    private let wakeSignal = WakeSignal()

    /// Seconds that a change waits for further ones, between two complete polls, and between two checks of the slides' folder.
    /// With these a hung adhand is reported within 40 s.
    private static let settlingSeconds = 0.1
    private static let refreshSeconds = 35.0
    private static let slideIntervalSeconds = 30.0
    /// Seconds between two attempts while adhand does not answer.
    private static let retrySeconds = 1.0
    /// Seconds without a request after which the screen counts as unwatched, and the extension of both intervals from then on.
    /// adhand reports changes anyway, and the next request gets a new state at once.
    private static let attentionSeconds = 90.0
    private static let restExtensionSeconds = 600.0

    init(
        socket: String, zones: ZoneFiles, page: Page, file: DisplayFile, isConfigWrong: Bool,
        preview: Bool
    ) {
        client = ControlClient(socket: socket)
        self.zones = zones
        self.file = file
        documents = PageDocuments(
            page: page, config: file.config, isConfigWrong: isConfigWrong, preview: preview)
    }

    /// `nil` for an unknown view.
    func variant(_ audience: Audience, _ view: String?) -> StateVariant? {
        let name = view ?? DisplayConfig.usualView(for: audience)
        return documents.hasView(name) ? StateVariant(audience, name) : nil
    }

    var viewNames: [String] { file.config.viewNames }

    var now: State { state.withLock { $0 } }

    func start(_ changed: @escaping @Sendable () -> Void) {
        startThread("poller") { self.follow(changed) }
    }

    // MARK: Attention

    /// Catches up on polls that were postponed while the screen was unwatched. The server calls it with every request, and each
    /// second for every listening page.
    func noteViewer() {
        let (now, lead) = (MonotonicClock.now(), WallClock.now().unixSeconds - MonotonicClock.now())
        let isNews = attention.withLock { attention in
            let wasSet = attention.lead.map { abs($0 - lead) > 1 } ?? false
            let wasResting = attention.isResting
            attention = Attention(lastViewed: now, isResting: false, lead: lead)
            return wasResting || wasSet
        }
        if isNews { wakeSignal.set() }
    }

    /// Seconds until the next poll, unless adhand reports a change first.
    private func wait(_ inputs: PollInputs) -> Double {
        if inputs.lostSince != nil { return Self.retrySeconds }
        if inputs.isDirty { return Self.settlingSeconds }
        return max(0, min(inputs.nextRefresh, inputs.nextSlides) + putOff() - MonotonicClock.now())
    }

    /// The extension of the intervals for adhand and the slides.
    private func putOff() -> Double {
        attention.withLock { attention in
            attention.isResting = MonotonicClock.now() - attention.lastViewed > Self.attentionSeconds
            return attention.isResting ? Self.restExtensionSeconds : 0
        }
    }

    // MARK: Following

    private func follow(_ changed: @escaping @Sendable () -> Void) -> Never {
        var inputs = PollInputs()
        while true {
            handleLoss(pollUntilLost(&inputs, changed), &inputs, changed)
            usleep(1_000_000)
        }
    }

    /// Polls until adhand is lost. It is a function of its own and not inlined, because the optimizer of Swift 6.2 never
    /// finishes with it inside the loop.
    @inline(never)
    private func pollUntilLost(_ inputs: inout PollInputs, _ changed: @Sendable () -> Void)
        -> ControlClientError
    {
        var monitor = ControlMonitor(client, snapshot: true, wakeSignal: wakeSignal)
        while true {
            do throws(ControlClientError) {
                try poll(&monitor, &inputs, changed)
            } catch {
                return error
            }
        }
    }

    private func poll(
        _ monitor: inout ControlMonitor, _ inputs: inout PollInputs, _ changed: @Sendable () -> Void
    ) throws(ControlClientError) {
        switch try monitor.next(withinSeconds: wait(inputs)) {
        case .connected:
            inputs.isDirty = true
        case .event:
            // Only the last event of a burst matters, but a burst must not delay the screen for long.
            if !inputs.isDirty { inputs.nextRefresh = MonotonicClock.now() + Self.settlingSeconds }
            inputs.isDirty = true
            if MonotonicClock.now() < inputs.nextRefresh { return }
        case .nothing: wakeSignal.clear()
        case .lost(let failure):
            return handleLoss(failure, &inputs, changed)
        }
        let now = MonotonicClock.now()
        let later = putOff()
        if inputs.nextSlides + later <= now {
            inputs.nextSlides = now + Self.slideIntervalSeconds
            let found = SlideFolder.read((inputs.documents ?? documents).config)
            if found != inputs.slides { inputs.isDirty = true }
            inputs.slides = found
        }
        inputs.checkClock()
        guard inputs.isDirty || inputs.nextRefresh + later <= now || inputs.lostSince != nil else { return }
        inputs.isDirty = false
        do throws(ControlClientError) {
            inputs.daemon = try DaemonAnswers(asking: client, zones: zones, now: WallClock.now())
        } catch {
            return handleLoss(error, &inputs, changed)
        }
        inputs.lostSince = nil
        inputs.nextRefresh = now + Self.refreshSeconds
        readSettings(&inputs)
        if inputs.daemon?.status.audio.hasFailed == true {
            inputs.silentSince = inputs.silentSince ?? WallClock.now()
        } else {
            inputs.silentSince = nil
        }
        publish(inputs, failure: nil, changed)
    }

    /// Reads the settings that commands have changed since the last poll, and the pictures that they name.
    private func readSettings(_ inputs: inout PollInputs) {
        guard let settings = inputs.daemon?.settings, settings != inputs.settings else { return }
        inputs.settings = settings
        let documents = documents.with(file.with(settings))
        inputs.documents = documents
        inputs.slides = SlideFolder.read(documents.config)
    }

    private func handleLoss(
        _ failure: ControlClientError, _ inputs: inout PollInputs, _ changed: @Sendable () -> Void
    ) {
        let now = MonotonicClock.now()
        let isNews = inputs.lostSince == nil
        inputs.lostSince = inputs.lostSince ?? WallClock.now()
        inputs.isDirty = true
        // The daemon's agenda covers more time than a page receives at once.
        inputs.checkClock()
        guard isNews || inputs.nextRefresh <= now else { return }
        inputs.nextRefresh = now + Self.refreshSeconds
        publish(inputs, failure: failure.message, changed)
    }

    // MARK: Telling

    private func publish(_ inputs: PollInputs, failure: String?, _ changed: @Sendable () -> Void) {
        let now = WallClock.now()
        let documents = inputs.documents ?? documents
        let found = inputs.daemon.map { documents.all($0, inputs, now: now) } ?? [:]
        let waiting = inputs.daemon == nil ? documents.waiting(by: zones, now: now) : [:]
        state.withLock {
            $0.waiting = waiting
            // The last state remains valid for two days.
            if !found.isEmpty { $0.documents = found }
            $0.failure = failure
            $0.slides = inputs.slides
            $0.serial += 1
        }
        changed()
    }

    /// The state at another time. It blocks until adhand answers, so it is not called on the server's loop.
    func document(at now: Instant, view: String) -> Result<[UInt8], ServerError> {
        do throws(ControlClientError) {
            var inputs = PollInputs()
            let daemon = try DaemonAnswers(asking: client, zones: zones, now: now)
            let documents = documents.with(file.with(daemon.settings ?? []))
            inputs.slides = SlideFolder.read(documents.config)
            return .success(documents.one(daemon, inputs, StateVariant(.machine, view), now: now))
        } catch {
            return .failure(ServerError(message: error.message))
        }
    }
}
