import CommandKit
import ControlClient
import Glibc
import Host
import Languages
import LogStore
import PrayerEngine
import PrayerLog

/// `adhan-companion run`: waits until a notification is due, shows it, and handles presses of buttons. `NotificationPlan`
/// decides from the current log, times and settings. Nothing is armed in advance, so nothing can be out of date.
final class CompanionLoop {
    private let options: CompanionOptions
    private var person: Person
    private let watch: DaemonWatch
    private let timer: WakeTimer
    private var bus: SessionBus?
    private var server: NotificationServer?
    private var shown: Set<String> = []
    private var snoozed: [PrayerSlot: Instant]
    /// Events before this instant are ignored.
    private var begin: Instant
    private var refreshedOn: CivilDate
    private var refreshedAt = MonotonicClock.now()
    private var isBusMissingKnown = false
    private var hasAdhan = false
    /// Whether a notification could not be shown and is to be tried again.
    private var isOwing = false
    /// The assumed place, once the person has been informed about it.
    private var shownPlace: String?

    /// Seconds until the next attempt to reach a missing bus or server. Each pause is twice the last, because a machine may
    /// have no desktop.
    private var pause = firstPauseSeconds
    private static let firstPauseSeconds = 5.0
    private static let longestPauseSeconds = 120.0

    init(_ options: CompanionOptions) throws(Refusal) {
        self.options = options
        person = try options.person()
        watch = try DaemonWatch(socket: options.socket)
        timer = try WakeTimer()
        snoozed = Snoozes(directory: person.directory).read()
        let now = WallClock.now()
        begin = now
        refreshedOn = person.times.zone.civilDate(of: now)
    }

    func run() throws(Refusal) -> Never {
        watch.start()
        while true {
            connect()
            let next = tick()
            timer.arm(at: next)
            wait()
        }
    }

    // MARK: One look

    /// Shows due notifications, and returns the instant of the next check.
    private func tick() -> Instant {
        let now = WallClock.now()
        begin = min(begin, now)
        refresh(on: person.times.zone.civilDate(of: now))
        let log: Logbook
        do throws(Refusal) {
            log = try person.logbook(try person.store(), now: now)
        } catch {
            // A damaged log, or one of a newer version, must not prevent notifications.
            Obstacles.warn(error.message)
            log = Logbook(packed: [], today: person.times.today(now))
        }
        let plan = NotificationPlan(
            log, zone: person.times.zone, settings: person.settings, snoozed: snoozed,
            after: max(begin, now - NotificationPlan.graceSeconds))
        isOwing = false
        for notice in NotificationPlan.due(plan.notices, now: now, shown: shown) { show(notice, log.today) }
        closeWhatIsOver(log.today)
        let coming = plan.notices.first { now < $0.at }?.at
        let ends = (server?.slots ?? []).compactMap { log.today.windows($0.date)?[$0.prayer].end }
        let isWaiting = isOwing || bus == nil
        let retry = isWaiting ? now + pause : nil
        pause = isWaiting ? min(pause * 2, Self.longestPauseSeconds) : Self.firstPauseSeconds
        // The next check is within an hour, because times and settings may change without an event.
        return ([coming, retry, now + 3600].compactMap(\.self) + ends).filter { now < $0 }.min() ?? now + 60
    }

    private func show(_ notice: PersonalNotice, _ today: Today) {
        guard let server, let window = today.windows(notice.slot.date)?[notice.slot.prayer] else {
            isOwing = true
            return
        }
        attempt { () throws(SessionBus.BusError) in
            let around = NoticeSurroundings(
                place: person.times.name, zone: person.times.zone, window: window,
                qibla: person.times.place.map { Qibla(from: $0).bearing }, hasAdhan: hasAdhan,
                mayMute: ControlRights.mayChange(socket: socket), guessedPlace: newGuessedPlace,
                capabilities: try server.capabilities())
            let notification = Notification(notice, around, words: person.words, settings: person.settings)
            try server.show(notification, of: notice.slot)
            shown.insert(notice.id)
            shownPlace = person.times.guessedPlace
        }
        if !shown.contains(notice.id) { isOwing = true }
    }

    private var newGuessedPlace: String? {
        person.times.guessedPlace == shownPlace ? nil : person.times.guessedPlace
    }

    /// Closes notifications whose prayer time has ended.
    private func closeWhatIsOver(_ today: Today) {
        guard let server else { return }
        for slot in server.slots where today.phase(slot) == .over {
            attempt { () throws(SessionBus.BusError) in try server.close(slot) }
        }
        snoozed = snoozed.filter { today.phase($0.key) == .open }
    }

    // MARK: Times

    private var socket: String { Paths.clientSocket(option: options.socket, in: .process) }

    /// Seconds after which settings and times are read again.
    private static let freshnessSeconds = 3500.0

    /// Reads settings and times again on a new day, every hour, and whenever adhand reports a change.
    private func refresh(on date: CivilDate, force: Bool = false) {
        let isStale = MonotonicClock.now() - refreshedAt > Self.freshnessSeconds
        guard force || isStale || refreshedOn != date else { return }
        (refreshedOn, refreshedAt) = (date, MonotonicClock.now())
        do throws(Refusal) {
            let before = person.times.origin
            person = try options.person()
            // Until now, the times came from adhand.
            if case .configuration = person.times.origin, case .kept = before { reportTimesAreComputed() }
        } catch {
            StandardError.write("adhan-companion: \(error.message); the earlier settings stay in force")
        }
        if options.config == nil { CachedTimesFile(directory: person.directory).renew(from: socket) }
    }

    private func handle(_ news: DaemonWatch.News) {
        switch news {
        case .connected, .changed:
            hasAdhan = true
            attempt { () throws(SessionBus.BusError) in try server?.closeStopped() }
            refresh(on: refreshedOn, force: true)
        case .absent:
            hasAdhan = false
            StandardError.write("adhan-companion: adhand does not answer; \(origin)")
        case .lost:
            refresh(on: refreshedOn, force: true)
            // adhand has restarted, for example after an upgrade.
            hasAdhan = person.times.origin == .adhand
            if hasAdhan { return }
            let (title, why) = (person.words.text(.stopped), person.words.text(.stoppedWhy))
            attempt { () throws(SessionBus.BusError) in try server?.showStopped(title, why) }
            StandardError.write("adhan-companion: adhand has stopped; \(origin)")
        }
    }

    private func reportTimesAreComputed() {
        show(person.words.text(.computed), person.words.text(.computedWhy))
        StandardError.write("adhan-companion: the kept times of adhand are used up; \(origin)")
    }

    private var origin: String {
        switch person.times.origin {
        case .adhand: "its times are in force"
        case .kept(let asked): "times are those that it gave on \(asked.prefix(10))"
        case .configuration(let source): "times are computed by \(source)"
        }
    }

    // MARK: The bus

    private func connect() {
        guard bus == nil else { return }
        do throws(SessionBus.BusError) {
            let made = try SessionBus()
            bus = made
            server = NotificationServer(made)
            if isBusMissingKnown { StandardError.write("adhan-companion: the session bus is there again") }
            isBusMissingKnown = false
        } catch {
            disconnect(error)
        }
    }

    private func disconnect(_ failure: SessionBus.BusError) {
        bus = nil
        server = nil
        guard !isBusMissingKnown else { return }
        isBusMissingKnown = true
        StandardError.write(
            "adhan-companion: no session bus (\(failure.reason)), so nothing can be said on the desktop; it is looked for"
        )
    }

    /// Runs a call of the notification server. A refusal is reported; a lost bus is searched for again.
    private func attempt(_ body: () throws(SessionBus.BusError) -> Void) {
        do throws(SessionBus.BusError) {
            try body()
        } catch {
            if error.isFinal { return disconnect(error) }
            if !isOwing { StandardError.write("adhan-companion: the notification server: \(error.reason)") }
            isOwing = true
        }
    }

    private func wait() {
        var requests = [watch.descriptor, timer.descriptor].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        if let bus { requests.append(pollfd(fd: bus.descriptor, events: Int16(POLLIN), revents: 0)) }
        // Signals that arrived together with answers are already in the connection's buffer, where poll(2) does not see them.
        if !handleSignals() { unsafe poll(&requests, nfds_t(requests.count), -1) }
        timer.acknowledge()
        for news in watch.handle() { handle(news) }
        _ = handleSignals()
    }

    /// Handles signals of the bus. Returns whether there were any.
    private func handleSignals() -> Bool {
        guard let bus else { return false }
        do throws(SessionBus.BusError) {
            let signals = try bus.signals()
            for signal in signals { handle(signal) }
            return !signals.isEmpty
        } catch {
            disconnect(error)
            return true
        }
    }

    // MARK: Buttons

    private func handle(_ signal: SessionBus.Signal) {
        switch signal {
        case .serverChanged: server?.forget()
        case .closed(let id): server?.wasClosed(id)
        case .actionInvoked(let id, let key):
            guard let server, let slot = server.slot(of: id), let action = Notification.Action(rawValue: key)
            else {
                return
            }
            switch action {
            case .prayed: guard mark(slot) else { return }
            case .snooze: snooze(slot)
            case .mute: mute()
            }
            if action != .mute { attempt { () throws(SessionBus.BusError) in try server.close(slot) } }
        }
    }

    /// Marks a prayer. Returns whether it was marked.
    private func mark(_ slot: PrayerSlot) -> Bool {
        do throws(Refusal) {
            try person.mark(pressed: slot)
            return true
        } catch {
            show(person.words.text(.unmarked), error.message)
            return false
        }
    }

    private func snooze(_ slot: PrayerSlot) {
        let now = WallClock.now()
        snoozed[slot] = NotificationPlan.snooze(
            slot, at: now, today: person.times.today(now), settings: person.settings)
        do throws(FileError) {
            try Snoozes(directory: person.directory).write(snoozed)
        } catch {
            StandardError.write(
                "adhan-companion: \(error.message); what was put off is forgotten with the program")
        }
    }

    private func mute() {
        let button = MuteButton(client: ControlClient(socket: socket), words: person.words)
        if let (title, body) = button.press() { show(title, body) }
    }

    private func show(_ title: String, _ body: String) {
        attempt { () throws(SessionBus.BusError) in try server?.show(title, body) }
    }
}
