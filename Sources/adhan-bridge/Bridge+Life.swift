internal import BridgePlan
internal import CommandKit
internal import Glibc
internal import Host
internal import MQTT
internal import Systemd

/// Applying the configuration, and an orderly end.
extension Bridge {
    /// Applies the whole file.
    func apply() {
        let now = MonotonicClock.now()
        book.settings = file.config.alerts
        queue.keep(file.config.destinations)
        beats = Dictionary(
            file.beats.map { beat in
                let known = beats[beat.settings.name]
                let isSame = known?.everySeconds == beat.settings.everySeconds
                return (
                    beat.settings.name,
                    isSame
                        ? known ?? HeartbeatClock(everySeconds: beat.settings.everySeconds, at: now)
                        : HeartbeatClock(everySeconds: beat.settings.everySeconds, at: now)
                )
            }, uniquingKeysWith: { first, _ in first })
        listener?.stop()
        listener = nil
        let address = file.config.prometheus.listen
        if !address.isEmpty {
            do throws(FileError) {
                let new = try MetricsListener(address)
                if new.start() { listener = new }
            } catch {
                Journal.log(error.message)
            }
        }
        figuresAt = 0
        // Another card may have another word.
        membership = nil
        connect()
        connectFleet()
    }

    func reload() {
        manager.reloading()
        defer { manager.ready() }
        readAgain { isNew in
            Journal.log("\"\(options.config)\" is \(isNew ? "in force" : "as it was")")
        }
    }

    /// Seconds between two checks of the phone page's address. No timer is set for them, because turns are at least as
    /// frequent.
    private static let pageSeconds = 30.0

    /// Applies an address that was set or removed on the phone page, whose program may not signal this one.
    func checkPage(_ now: Double) {
        guard now >= pageAt else { return }
        pageAt = now + Self.pageSeconds
        do throws(FileError) {
            guard try files.page() != page else { return }
            readAgain { _ in
                Journal.log(
                    page == nil
                        ? "the phone page's address for messages was removed"
                        : "the phone page's address for messages is in force")
            }
        } catch {
            journal.log("\(error.message); the one from before stays in force", .page, every: 900, at: now)
        }
    }

    private func readAgain(_ report: (_ isNew: Bool) -> Void) {
        // A damaged file must not end the sending of messages.
        let page: PageAlert?
        do throws(FileError) {
            page = try files.page()
        } catch {
            page = self.page
        }
        do throws(BridgeError) {
            let new = try BridgeFile.read(options.config, beside: page, isNeeded: file.hasFile)
            self.page = page
            guard new != file else { return report(false) }
            file = new
            topics = Topics(new.config, box: options.box)
            (refreshAt, wholeRefreshAt) = (0, 0)
            sent.forget()
            apply()
            report(true)
        } catch {
            for sentence in error.sentences { Journal.log(sentence) }
            Journal.log("what was in force stays so")
        }
    }

    /// Seconds for the farewells.
    private static let endSeconds = 3.0

    func end() -> Never {
        manager.stopping()
        keep()
        let number = sessionNumber
        session?.stop(farewell: Self.farewell(topics))
        stopFleet()
        // A farewell to a fleet that the box has just left may still be in progress.
        let fleetNumbers = Set(
            [fleetSession == nil ? nil : fleetSessionNumber, fleetFarewell].compactMap(\.self))
        var open = (session == nil ? 0 : 1) + fleetNumbers.count
        let deadline = MonotonicClock.now() + Self.endSeconds
        while open > 0, MonotonicClock.now() < deadline {
            open -= inbox.drain().count {
                switch $0 {
                case .mqtt(number, .stopped): true
                case .fleet(let ended, .stopped): fleetNumbers.contains(ended)
                default: false
                }
            }
            if open <= 0 { break }
            inbox.wakeSignal.wait(deadline - MonotonicClock.now())
        }
        files.remove(.broker)
        exit(0)
    }
}
