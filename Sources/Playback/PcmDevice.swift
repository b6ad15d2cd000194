internal import CAlsa
internal import Glibc

/// An open `snd_pcm_t` and the memory for its status; both are given back when it goes out of scope.
@safe private struct PcmHandle: ~Copyable {
    let pcm: OpaquePointer
    let report: OpaquePointer

    /// - Throws: ALSA's negative errno.
    init(name: String) throws(PcmSetup.Refusal) {
        var opened: OpaquePointer?
        let code = unsafe snd_pcm_open(&opened, name, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK))
        guard code >= 0, let pcm = unsafe opened else {
            throw PcmSetup.Refusal(operation: "open", code: code)
        }
        var memory: OpaquePointer?
        guard unsafe snd_pcm_status_malloc(&memory) >= 0, let report = unsafe memory else {
            unsafe snd_pcm_close(pcm)
            throw PcmSetup.Refusal(operation: "open", code: -ENOMEM)
        }
        unsafe self.pcm = pcm
        unsafe self.report = report
    }

    deinit {
        unsafe snd_pcm_status_free(report)
        unsafe snd_pcm_close(pcm)
    }
}

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
    let setup: PcmSetup
    private let handle: PcmHandle
    private var pcm: OpaquePointer { unsafe handle.pcm }

    /// - Parameter rate: frames a second that would suit best; the device may choose another.
    /// - Throws: `device` with the operation that failed.
    init(name: String, rate: Int) throws(PlaybackError) {
        AlsaMessages.forget()
        do throws(PcmSetup.Refusal) {
            handle = try PcmHandle(name: name)
            setup = try unsafe PcmSetup(configuring: handle.pcm, rate: rate)
        } catch {
            throw Self.failure(name, error.operation, error.code)
        }
        self.name = name
    }

    private static func failure(_ name: String, _ operation: String, _ code: Int32) -> PlaybackError {
        .device(name: name, operation: operation, code: code, cause: AlsaMessages.cause(code))
    }

    /// The error for a fault that `status` found.
    func fault(_ code: Int32) -> PlaybackError { Self.failure(name, "go on playing on", code) }

    private func check(_ code: Int32, _ operation: String) throws(PlaybackError) {
        if code < 0 { throw Self.failure(name, operation, code) }
    }

    func start() throws(PlaybackError) { try check(unsafe snd_pcm_start(pcm), "start") }

    /// Discards what is queued, at once.
    func drop() { unsafe snd_pcm_drop(pcm) }

    func prepare() throws(PlaybackError) { try check(unsafe snd_pcm_prepare(pcm), "prepare") }

    /// - Returns: false while the hardware is still waking up (to be asked again).
    func resume() -> Bool { unsafe snd_pcm_resume(pcm) != -EAGAIN }

    func status() throws(PlaybackError) -> Status {
        try check(unsafe snd_pcm_status(pcm, handle.report), "query")
        let fault: Int32 =
            switch unsafe snd_pcm_status_get_state(handle.report) {
            case SND_PCM_STATE_XRUN: -EPIPE
            case SND_PCM_STATE_SUSPENDED: -ESTRPIPE
            case SND_PCM_STATE_DISCONNECTED: -ENODEV
            default: 0
            }
        let free = unsafe min(Int(snd_pcm_status_get_avail(handle.report)), setup.buffer)
        let delay = unsafe max(0, Int(snd_pcm_status_get_delay(handle.report)))
        return Status(queued: setup.buffer - free, delay: max(delay, setup.buffer - free), fault: fault)
    }

    /// - Returns: frames taken, possibly 0.
    func write(_ data: UnsafeRawPointer, frames: Int) throws(PlaybackError) -> Int {
        let taken = unsafe snd_pcm_writei(pcm, data, snd_pcm_uframes_t(frames))
        if taken == -Int(EAGAIN) { return 0 }
        try check(Int32(truncatingIfNeeded: min(taken, 0)), "write to")
        return taken
    }

    /// The descriptors on which ALSA wants to be polled.
    func descriptors() -> [pollfd] {
        let count = max(0, Int(unsafe snd_pcm_poll_descriptors_count(pcm)))
        var list = [pollfd](repeating: pollfd(fd: -1, events: 0, revents: 0), count: count)
        let filled = unsafe snd_pcm_poll_descriptors(pcm, &list, UInt32(count))
        return Array(list.prefix(max(0, Int(filled))))
    }

    /// Lets plugins digest what `poll` found. Whether there is room is asked of `status`, which every plugin
    /// answers truthfully.
    func digest(_ polled: inout [pollfd]) {
        var events: UInt16 = 0
        unsafe snd_pcm_poll_descriptors_revents(pcm, &polled, UInt32(polled.count), &events)
    }
}
