internal import CAlsa
internal import Clocks
internal import Glibc
internal import Recording

/// One open ALSA playback device, configured and non-blocking. Policy lives elsewhere: each method performs one step and throws
/// ALSA's message.
///
/// Blocking: calls that may have to wait for a sound server (opening, starting, emptying, closing) run on the device's own thread
/// and are given up after a bounded time; everything else returns at once. Only starting waits as long as the server takes where
/// no real-time priority is available.
final class PcmDevice {
    struct Status {
        /// Frames written but not heard yet, the hardware's own buffer included.
        var queuedFrames: Int
        /// Frames written but not heard yet; includes frames that the hardware holds beyond the buffer.
        var delayFrames: Int
        /// 0, or the negative errno that the next write would get: -EPIPE, -ESTRPIPE, -ENODEV.
        var fault: Int32
    }

    let name: String
    var parameters: PcmParameters { handle.parameters }
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

    /// - Parameter rate: the preferred number of frames a second; the device may choose another.
    /// - Throws: `failed` with the operation that failed.
    init(name: String, rate: Int) throws(DeviceError) {
        guard let report = StatusMemory() else { throw .alsa(name, "open", -ENOMEM) }
        self.report = report
        self.name = name
        handle = try PcmHandle(name: name, rate: rate)
    }

    private func check(_ code: Int32, _ operation: String) throws(DeviceError) {
        if code < 0 { throw .alsa(name, operation, code) }
    }

    /// The error for a fault that `status` found.
    func fault(_ code: Int32) -> DeviceError { .alsa(name, "go on playing on", code) }

    /// When the device began to run.
    struct Start: Sendable {
        /// The start by the caller's clock, and by `Uptime`.
        var (wall, uptime): (Double, Double)
    }

    func start(now: @escaping @Sendable () -> Double) throws(DeviceError) -> Start {
        let name = name
        // Nothing may come between the instant and the sound: only a thread that runs at once justifies the detour, which keeps a
        // hanging server from silencing the next device too.
        let begin: @Sendable (OpaquePointer) -> Result<Start, DeviceError> = { pcm in
            let code = unsafe snd_pcm_start(pcm)
            guard code >= 0 else { return .failure(.alsa(name, "start", code)) }
            return .success(Start(wall: now(), uptime: Uptime.now()))
        }
        return try unsafe handle.isPrompt ? handle.perform("start", begin) : begin(pcm).get()
    }

    /// Discards the queued frames and makes the device ready to be filled again, from any state.
    func empty() throws(DeviceError) {
        let name = name
        try unsafe handle.perform("prepare") { pcm in
            // Suspended hardware has to be resumed first; where it cannot be, preparing does that.
            if unsafe snd_pcm_state(pcm) == SND_PCM_STATE_SUSPENDED { unsafe snd_pcm_resume(pcm) }
            unsafe snd_pcm_drop(pcm)
            let code = unsafe snd_pcm_prepare(pcm)
            return code < 0 ? .failure(.alsa(name, "prepare", code)) : .success(())
        }
    }

    func status() throws(DeviceError) -> Status {
        try check(unsafe snd_pcm_status(pcm, report.pointer), "query")
        let fault: Int32 =
            switch unsafe snd_pcm_status_get_state(report.pointer) {
            case SND_PCM_STATE_XRUN: -EPIPE
            case SND_PCM_STATE_SUSPENDED: -ESTRPIPE
            case SND_PCM_STATE_DISCONNECTED: -ENODEV
            default: 0
            }
        let free = unsafe min(Int(snd_pcm_status_get_avail(report.pointer)), parameters.bufferFrames)
        let delay = unsafe max(0, Int(snd_pcm_status_get_delay(report.pointer)))
        return Status(
            queuedFrames: parameters.bufferFrames - free,
            delayFrames: max(delay, parameters.bufferFrames - free), fault: fault)
    }

    /// - Returns: frames written, possibly 0.
    func write(_ data: UnsafeRawPointer, frames: Int) throws(DeviceError) -> Int {
        let written = unsafe snd_pcm_writei(pcm, data, snd_pcm_uframes_t(frames))
        if written == -Int(EAGAIN) { return 0 }
        try check(Int32(truncatingIfNeeded: min(written, 0)), "write to")
        return written
    }
}
