/// The state of one order, from cue to proof. Holds everything that belongs to the order; the device belongs to the playback
/// loop.
final class ActiveOrder {
    enum Phase: Equatable {
        /// Files are ready; another order has the device.
        case waiting
        /// There is no device: either none has been found yet, or it was lost.
        case searching(Search)
        /// The device is filled; only the start is missing.
        case cued
        /// `isStopping`: a fade-out was ordered by stop, shutdown or another order.
        case sounding(isStopping: Bool)
    }

    enum Search: Equatable {
        /// Devices are tried, but not before this `Uptime`.
        case device(retryUptime: Double)
        /// A device is found; it waits for a stream with another rate or position, which is being opened.
        case stream
    }

    enum Condition: Hashable {
        /// A device that cannot be used, the code of its error, and the device that is tried instead.
        case noDevice(String, code: Int32?, next: String?)
        /// The recording cannot be read fast enough.
        case starving

        init(_ error: DeviceError, of name: String, next: String?) {
            self = .noDevice(name, code: error.code, next: next)
        }
    }

    let order: PlayerOrder
    var phase = Phase.waiting
    private(set) var stream: SampleStream
    /// When `start` was requested, on `Uptime`'s clock; nil before.
    var startAskedUptime: Double?
    /// When `start` was first requested, even if another clock starts it.
    var firstAskedUptime: Double?
    /// `Uptime` at which it starts by itself, whatever the wall clock shows; nil where only `PlayerOrder.heardAtUnixSeconds`
    /// decides.
    var dueUptime: Double?
    /// Wall clock of the first start.
    var startedAtUnixSeconds: Double?
    /// `Uptime` at which timeline frame 0 left the device or, where the sound is heard elsewhere, should have left it.
    var originUptime: Double?
    /// Whether that `Uptime` is only the moment of the request; see ``adoptClock(_:)``.
    private var hasAdoptedClock = false
    var dropouts = 0
    var audible: AudibleShare
    var device: String?
    /// Devices that failed while this order played; they are tried last from then on.
    var suspects: [String] = []
    /// Each device's message when it was tried or lost last.
    var deviceErrors: [String] = []
    /// Whether a loss was reported without a recovery since.
    var hasReportedLoss = false
    /// Consecutive recoveries without a frame played in between.
    var recoveries = 0
    private var reported: Set<Condition> = []

    // The current segment of uninterrupted writing, on the stream's timeline.
    private var segment = 0
    private var written = 0
    /// Frames that the device had fetched, and frames that were heard, according to the latest status.
    private var fetched = 0
    private var heard = 0
    private var movedUptime = 0.0
    // The totals of earlier segments.
    private var writtenBefore = 0
    private var playedBefore = 0
    /// Timeline frame up to which earlier segments were heard.
    private(set) var resumeFrame = 0
    /// Timeline frame up to which frames have been counted as written: frames that are written twice count once.
    private var writtenUntilFrame = 0
    /// Frames of silence that earlier streams delivered in place of sound.
    private var starvedBefore = 0
    /// `Uptime` since which the stream has had nothing to deliver; nil while it has.
    var starvedSince: Double?

    /// Seconds of sound, as `SampleStream.durationSeconds`.
    let durationSeconds: Double?
    private let isSubstituted: Bool

    init(_ order: PlayerOrder, _ stream: SampleStream, isSubstituted: Bool) {
        self.order = order
        self.stream = stream
        audible = AudibleShare(volumeDb: order.gainDb)
        durationSeconds = stream.durationSeconds
        self.isSubstituted = isSubstituted
    }

    /// Whether it was requested before another order that should sound by now and therefore takes its place.
    func wasAsked(before other: ActiveOrder) -> Bool {
        guard let asked = firstAskedUptime ?? startAskedUptime, let later = other.startAskedUptime else {
            return false
        }
        return asked < other.firstAskedUptime ?? later
    }

    var isSounding: Bool { if case .sounding = phase { true } else { false } }
    var isStopping: Bool { phase == .sounding(isStopping: true) }

    /// Begins to try devices.
    func search(retryUptime: Double = 0) { phase = .searching(.device(retryUptime: retryUptime)) }

    /// Ends the opening of a stream, which is open by now or no longer wanted.
    func endReopening() {
        if phase == .searching(.stream) { search() }
    }

    /// - Returns: true the first time: a lasting condition is reported once.
    func isNews(_ condition: Condition) -> Bool { reported.insert(condition).inserted }

    var candidates: [String] {
        order.devices.filter { !suspects.contains($0) } + order.devices.filter { suspects.contains($0) }
    }

    /// The reason for an order that found no device in time.
    var reasonWithoutDevice: String {
        if order.devices.isEmpty { return "no sound device is named" }
        let names = order.devices.map { "\"\($0)\"" }.joined(separator: ", ")
        let reason =
            deviceErrors.isEmpty ? "\(names) did not work in time" : deviceErrors.joined(separator: "; ")
        return "no sound device was available: \(reason)"
    }

    /// The timeline frame, counted at `rate`, that should leave the device at `uptime`; 0 before the first start.
    func clockFrame(_ uptime: Double, rate: Int) -> Int {
        originUptime.map { Int((uptime - $0) * Double(rate)) } ?? 0
    }

    /// Sets the clock of a sound that is heard elsewhere: frame 0 should leave the device at this `Uptime`. An order that has
    /// begun, or whose clock was set before, keeps its clock.
    func setClock(originUptime origin: Double, uptime: Double) {
        guard originUptime == nil || hasAdoptedClock && startedAtUnixSeconds == nil else { return }
        hasAdoptedClock = false
        (originUptime, dueUptime) = (origin, origin)
        // An order that was requested to start at once is heard together with the others.
        if origin > uptime { startAskedUptime = nil }
    }

    /// Seconds after which the device of a resumed order is late; until then nothing is left out.
    private static let lateDeviceSeconds = 1.0

    /// Moves a resumed order to the sound's present position, if its device is late.
    func adoptClock(_ uptime: Double) {
        guard originUptime == nil, order.positionSeconds > 0, let startAskedUptime,
            uptime - startAskedUptime > Self.lateDeviceSeconds
        else { return }
        originUptime = startAskedUptime
        hasAdoptedClock = true
    }

    /// Seconds until it starts by itself; negative where it should have started. Nil where it does not start by itself.
    func secondsUntilStart(wall: Double, uptime: Double, toleranceSeconds: Double) -> Double? {
        guard startAskedUptime == nil, !isStopping else { return nil }
        if let dueUptime { return dueUptime - uptime }
        guard let heardAtUnixSeconds = order.heardAtUnixSeconds else { return nil }
        // A clock that jumped over the instant is no reason to start: whether it is still time is not decided here.
        let waitSeconds = heardAtUnixSeconds - order.leadSeconds - wall
        return waitSeconds > -toleranceSeconds ? waitSeconds : nil
    }

    /// Whether the clock is ahead, by this many seconds, of the frames that the device holds.
    func isBehind(_ uptime: Double, rate: Int, toleranceSeconds: Double) -> Bool {
        clockFrame(uptime, rate: rate) - heardUntil > Int(toleranceSeconds * Double(rate))
    }

    /// Notes that the device was started with the segment's first frame.
    func noteStart(_ uptime: Double) {
        if originUptime == nil { originUptime = uptime }
        movedUptime = uptime
    }

    /// `Uptime` at which the search for a device ends: when the order would be over by the clock or, as long as nothing was
    /// heard, when it would be too late to begin. Nil until the start is requested.
    var deadlineUptime: Double? {
        guard let begin = originUptime ?? startAskedUptime else { return nil }
        // A file without a known length gets ten minutes, longer than any adhan.
        let length = max(0, order.prerollSeconds) + (durationSeconds ?? 600)
        guard originUptime == nil else { return begin + length }
        // A resumed order is over when the sound would be.
        return begin
            + max(length, order.positionSeconds > 0 ? Self.lateDeviceSeconds : order.patienceSeconds)
    }

    // MARK: Counting frames

    /// Begins a new segment with timeline frame `frame`.
    func beginSegment(at frame: Int, uptime: Double) {
        (segment, written, fetched, heard) = (frame, 0, 0, 0)
        movedUptime = uptime
    }

    func wrote(_ frames: Int) { written += frames }

    func note(_ status: PcmDevice.Status, uptime: Double) {
        let nowFetched = max(0, written - status.queuedFrames)
        if nowFetched != fetched { movedUptime = uptime }
        fetched = nowFetched
        heard = max(heard, written - status.delayFrames)
    }

    /// Whether the clock says that everything written has been played: some plugins stop moving their pointer once they run dry.
    func shouldBeDry(_ uptime: Double) -> Bool { clockFrame(uptime, rate: stream.rate) >= segment + written }

    /// Notes that the device ran dry, so it has played everything.
    func noteRanDry() { (fetched, heard) = (written, written) }

    /// Frames that the device holds and has not fetched, as far as known.
    var queuedFrames: Int { written - fetched }

    /// Seconds until the last frame should have been heard; slightly more than zero even where it is overdue, because the device
    /// may report its position rarely.
    var secondsUntilEnd: Double {
        guard let end = stream.end else { return .infinity }
        return max(0.004, Double(end - heardUntil) / Double(stream.rate))
    }

    /// Timeline frame up to which the device has played.
    var heardUntil: Int { segment + heard }
    /// Seconds since the device last took a frame.
    func standstill(_ uptime: Double) -> Double { uptime - movedUptime }
    /// Whether anything was played since the segment began.
    var hasMoved: Bool { heard > 0 }

    /// Ends the segment; queued frames that were not played are lost.
    func endSegment() {
        let end = segment + written
        playedBefore += stream.sound(in: segment..<max(segment, heardUntil))
        writtenBefore += stream.sound(in: min(max(segment, writtenUntilFrame), end)..<end)
        writtenUntilFrame = max(writtenUntilFrame, end)
        resumeFrame = max(resumeFrame, heardUntil)
        (segment, written, fetched, heard) = (resumeFrame, 0, 0, 0)
    }

    /// Continues with a stream of another rate or another position. To be called between segments.
    func replaceStream(_ new: SampleStream) {
        let scale = Double(new.rate) / Double(stream.rate)
        starvedBefore = Int((Double(starvedBefore + stream.starvedFrames) * scale).rounded())
        stream = new
        guard scale != 1 else { return }
        playedBefore = Int((Double(playedBefore) * scale).rounded())
        writtenBefore = Int((Double(writtenBefore) * scale).rounded())
        writtenUntilFrame = Int((Double(writtenUntilFrame) * scale).rounded())
        resumeFrame = Int((Double(resumeFrame) * scale).rounded())
    }

    func result(_ outcome: PlayerOutcome, endedAtUnixSeconds: Double) -> PlayerResult {
        endSegment()
        // Silence in place of sound does not count as sound.
        let starvedFrames = starvedBefore + stream.starvedFrames
        return PlayerResult(
            id: order.id, outcome: outcome, startedAtUnixSeconds: startedAtUnixSeconds,
            endedAtUnixSeconds: endedAtUnixSeconds, device: device, rateHz: stream.rate,
            framesWritten: max(0, writtenBefore - starvedFrames),
            framesPlayed: max(0, playedBefore - starvedFrames),
            dropouts: dropouts,
            audibleShare: audible.value,
            measuredShare: outcome == .completed && !isSubstituted ? order.measuredShare : nil,
            gainDb: stream.gainDb)
    }
}
