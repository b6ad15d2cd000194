internal import CAlsa
internal import Glibc

/// One open ALSA playback device, configured and non-blocking. Policy lives elsewhere: every method makes one
/// step and says what ALSA said.
///
/// Blocking: opening and closing may block inside sound-server plugins; everything else returns at once.
final class PcmDevice {
    struct Status {
        /// Frames written that the device has not fetched yet.
        var queued: Int
        /// Frames written that have not been heard yet; includes what the hardware holds beyond the buffer.
        var delay: Int
        /// 0, or the negative errno that the next write would get: -EPIPE, -ESTRPIPE, -ENODEV.
        var fault: Int32
    }

    let name: String
    var setup: PcmSetup { handle.setup }
    private let handle: PcmHandle
    private let report: StatusMemory
    private var pcm: OpaquePointer { unsafe handle.pcm }

    @safe private struct StatusMemory: ~Copyable {
        let pointer: OpaquePointer

        init?() {
            var memory: OpaquePointer?
            guard unsafe snd_pcm_status_malloc(&memory) >= 0, let memory = unsafe memory else { return nil }
            unsafe pointer = memory
        }

        deinit { unsafe snd_pcm_status_free(pointer) }
    }

    /// - Parameter rate: frames a second that would suit best; the device may choose another.
    /// - Throws: `device` with the operation that failed.
    init(name: String, rate: Int) throws(PlaybackError) {
        guard let report = StatusMemory() else { throw .alsa(name, "open", -ENOMEM) }
        self.report = report
        self.name = name
        handle = try PcmHandle(name: name, rate: rate)
    }

    private func check(_ code: Int32, _ operation: String) throws(PlaybackError) {
        if code < 0 { throw .alsa(name, operation, code) }
    }

    /// The error for a fault that `status` found.
    func fault(_ code: Int32) -> PlaybackError { .alsa(name, "go on playing on", code) }

    func start() throws(PlaybackError) { try check(unsafe snd_pcm_start(pcm), "start") }

    /// Discards what is queued, at once.
    func drop() { unsafe snd_pcm_drop(pcm) }

    func prepare() throws(PlaybackError) { try check(unsafe snd_pcm_prepare(pcm), "prepare") }

    /// - Returns: false while the hardware is still waking up (to be asked again).
    func resume() -> Bool { unsafe snd_pcm_resume(pcm) != -EAGAIN }

    func status() throws(PlaybackError) -> Status {
        try check(unsafe snd_pcm_status(pcm, report.pointer), "query")
        let fault: Int32 =
            switch unsafe snd_pcm_status_get_state(report.pointer) {
            case SND_PCM_STATE_XRUN: -EPIPE
            case SND_PCM_STATE_SUSPENDED: -ESTRPIPE
            case SND_PCM_STATE_DISCONNECTED: -ENODEV
            default: 0
            }
        let free = unsafe min(Int(snd_pcm_status_get_avail(report.pointer)), setup.buffer)
        let delay = unsafe max(0, Int(snd_pcm_status_get_delay(report.pointer)))
        return Status(queued: setup.buffer - free, delay: max(delay, setup.buffer - free), fault: fault)
    }

    /// - Returns: frames taken, possibly 0.
    func write(_ data: UnsafeRawPointer, frames: Int) throws(PlaybackError) -> Int {
        let taken = unsafe snd_pcm_writei(pcm, data, snd_pcm_uframes_t(frames))
        if taken == -Int(EAGAIN) { return 0 }
        try check(Int32(truncatingIfNeeded: min(taken, 0)), "write to")
        return taken
    }
}
