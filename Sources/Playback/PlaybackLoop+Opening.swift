internal import Clocks
internal import Glibc
internal import Recording

/// An order whose recordings are being opened: when it is cued, and again where the device runs at another rate.
struct Opening {
    /// The order as it will be played, with the fallback in place of a recording that could not be opened in time.
    var order: PlayerOrder
    let rate: Int?
    let frame: Int
    /// The order that has the device and waits for another rate; nil for a new order.
    let target: ActiveOrder?
    var decoding: DecodeAhead
    /// Seconds after which it is given up, and the `Uptime` at which they are over.
    let limitSeconds: Double
    let deadlineUptime: Double
    /// A start command that arrived meanwhile, to be followed once the order is open.
    var start: Start?

    struct Start {
        var askedUptime: Double?
        var dueUptime = 0.0
        /// See `PlaybackLoop.setClock`.
        var originUptime: Double?
    }
    var skipped: [SampleSource.SkippedSound] = []
}

/// Opens and decodes recordings on separate threads; the playback loop waits for each only for a bounded time.
extension PlaybackLoop {
    /// The least number of seconds for opening an order's recordings and decoding their first half second. A slow card needs a
    /// tenth of it.
    private static let openTimeSeconds = 2.0
    /// Seconds where there is no substitute, because there is no fallback or the sound is already under way: the loop waits for a
    /// machine that is merely slow.
    private static let lastOpenTimeSeconds = 10.0

    /// - Parameter target: the order that already plays, for another rate or another position.
    func open(_ order: PlayerOrder, rate: Int? = nil, at frame: Int = 0, for target: ActiveOrder? = nil) {
        let queue = queue
        guard let decoding = DecodeAhead.start(order, rate: rate, at: frame, opened: { queue.post(.opened) })
        else {
            let reason = "the system grants no thread for decoding; free memory or raise the limit on tasks"
            if let target { return finish(target, .failed(reason)) }
            return report(.ended(PlayerResult(unheard: order, .failed(reason), at: now())))
        }
        let isUnderWay = frame > 0 || order.positionSeconds > 0
        // Half of the available time, so that as much is left for the fallback.
        let least = order.fallback == nil || isUnderWay ? Self.lastOpenTimeSeconds : Self.openTimeSeconds
        let time = max(least, ((order.heardAtUnixSeconds ?? 0) - now()) / 2)
        openings.append(
            Opening(
                order: order, rate: rate, frame: frame, target: target, decoding: decoding,
                limitSeconds: time,
                deadlineUptime: Uptime.now() + time))
    }

    /// Continues with the sounds that are open, and gives up those that take too long.
    func checkOpenings() {
        // Handling one may begin or end others.
        for decoding in openings.map(\.decoding) {
            guard let index = openings.firstIndex(where: { $0.decoding === decoding }) else { continue }
            if let result = decoding.result {
                opened(openings.remove(at: index), result)
            } else if Uptime.now() >= openings[index].deadlineUptime {
                giveUp(openings.remove(at: index))
            }
        }
    }

    private func opened(_ opening: Opening, _ result: Result<DecodeAhead.Opened, RecordingError>) {
        switch result {
        case .failure(let error):
            if let target = opening.target { return finish(target, .failed("\(error)")) }
            report(.ended(PlayerResult(unheard: opening.order, .failed("\(error)"), at: now())))
        case .success(let source):
            let stream = SampleStream(opening.order, source, at: opening.frame)
            let skipped = opening.skipped + source.skipped
            if let target = opening.target {
                for sound in opening.skipped { report(sound, of: opening.order) }
                return resume(target, with: stream)
            }
            let active = ActiveOrder(
                opening.order, stream, isSubstituted: skipped.contains { $0.substituted })
            for sound in skipped { report(sound, of: opening.order) }
            let start = opening.start
            if let origin = start?.originUptime {
                active.setClock(originUptime: origin, uptime: Uptime.now())
            }
            admit(active)
            if let start, let asked = start.askedUptime {
                self.start(opening.order.id, askedUptime: asked, dueUptime: start.dueUptime)
            }
        }
    }

    private func report(_ skipped: SampleSource.SkippedSound, of order: PlayerOrder) {
        if skipped.substituted {
            report(.substituted(id: order.id, path: skipped.path, reason: skipped.reason))
        } else {
            report(.damaged(id: order.id, reason: "\(skipped.reason); left out"))
        }
    }

    /// Gives up a recording that is not open by now: the fallback replaces it, once.
    private func giveUp(_ opening: Opening) {
        opening.decoding.abandon()
        var order = opening.order
        let index = opening.decoding.openingSound
        let path = order.sounds.indices.contains(index) ? order.sounds[index].path : order.id
        let error = RecordingError.unreadable(
            path: path, cause: "it was not open within \(Int(opening.limitSeconds)) s")
        guard let fallback = order.fallback, order.sounds.indices.contains(index) else {
            return opened(opening, .failure(error))
        }
        order.fallback = nil
        order.sounds[index] = fallback
        let before = openings.count
        open(order, rate: opening.rate, at: opening.frame, for: opening.target)
        guard openings.count > before else { return }
        openings[before].start = opening.start
        openings[before].skipped =
            opening.skipped + [.init(path: path, reason: "\(error)", substituted: true)]
    }

    /// Drops the unfinished openings of an order.
    func cancelOpenings(where isMeant: (Opening) -> Bool) {
        for opening in openings where isMeant(opening) { opening.decoding.abandon() }
        openings.removeAll(where: isMeant)
    }
}
