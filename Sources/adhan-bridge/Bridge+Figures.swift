internal import BridgePlan
internal import CommandKit
internal import ControlClient
internal import Host
internal import MQTT
internal import Protocol
internal import Settings
internal import Texts

/// Heartbeats, figures, and the data for `adhan-bridge status`.
extension Bridge {
    /// Seconds between two writes of figures without changes, and seconds that a change waits for further ones.
    private static let figureSeconds = 60.0
    static let figureSettleSeconds = 5.0

    // MARK: Heartbeats

    func beatWaits(_ now: Double) -> [Double] {
        beats.filter { !beatsUnderWay.contains($0.key) }.map { $0.value.waitSeconds(at: now) }
    }

    /// Asks adhand once for all heartbeats that are due, and sends them only if adhand is well.
    func beat(_ now: Double) {
        let due = file.beats.filter { beat in
            !beatsUnderWay.contains(beat.settings.name)
                && beats[beat.settings.name]?.waitSeconds(at: now) == 0
        }
        guard !due.isEmpty else { return }
        var status: StatusDocument?
        if isFollowing, lostAt == nil {
            do throws(ControlClientError) {
                let answer = try link.status()
                status = answer
                // The status answers both the heartbeat and the regular poll.
                apply(answer, MonotonicClock.now())
            } catch {
                lostAt = lostAt ?? now
                refreshAt = MonotonicClock.now() + Self.hangSeconds
            }
        }
        let answered = MonotonicClock.now()
        let verdict = HeartbeatRule.verdict(
            status, after: answered - now, isWrong: book.isWrong, graceSeconds: BoxSnapshot.graceSeconds)
        for beat in due {
            let name = beat.settings.name
            switch beats[name]?.act(on: verdict, at: answered) ?? .nothing {
            case .beat: ask(name, beat.url.text)
            case .fail: ask(name, beat.failURL)
            case .nothing: break
            }
        }
    }

    private func ask(_ name: String, _ url: String) {
        beatsUnderWay.insert(name)
        let inbox = inbox
        if !BackgroundThread.start({ inbox.put(.beatEnded(name: name, detail: Delivery.get(url))) }) {
            beatsUnderWay.remove(name)
        }
    }

    // MARK: Figures

    func writeFigures(_ now: Double) {
        let settings = file.config.prometheus
        guard listener != nil || !settings.textfile.isEmpty, now >= figuresAt else { return }
        figuresAt = now + Self.figureSeconds
        counts.isConnected = session?.isConnected == true
        counts.queued = queue.count
        let text = Metrics.text(
            isUp ? snapshot : nil, history: history, book, counts, version: adhandVersion)
        listener?.set(text)
        guard !settings.textfile.isEmpty else { return }
        do throws(FileError) {
            try AtomicFile.write(Array(text.utf8), to: settings.textfile, like: settings.textfile)
        } catch {
            journal.log(error.message, .textfile, every: Self.troubleSeconds, at: now)
        }
    }

    // MARK: Status

    func writeStatus() {
        let problems = ProblemsPayload(book, snapshot)
        let document = BridgeStatus(
            box: options.box, adhand: isUp,
            mqtt: session.map { session in
                BridgeStatus.Broker(
                    connected: session.isConnected, broker: brokerIndex.map { file.config.mqtt.brokers[$0] },
                    reason: session.isConnected ? nil : sessionFailure?.name)
            },
            fleet: fleetStatus,
            queued: queue.count, open: problems.open,
            destinations: file.destinations.map { destination in
                deliveries[destination.settings.name]
                    ?? BridgeStatus.Delivery(
                        name: destination.settings.name, at: nil, delivered: nil, detail: nil)
            })
        guard let bytes = try? JSON.encode(document), bytes != writtenStatus else { return }
        writtenStatus = bytes
        // A failure is ignored, because the file only informs, and a failure to write the queue is reported.
        try? files.write(bytes, to: .status)
    }
}
