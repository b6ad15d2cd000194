internal import CAlsa
internal import Glibc
internal import Synchronization

/// An open and configured `snd_pcm_t`; closed when it goes out of scope. Opening and closing wait a bounded
/// time.
@safe struct PcmHandle: ~Copyable {
    let pcm: OpaquePointer
    let setup: PcmSetup

    /// Seconds. A local card opens within milliseconds, a sound server that has to be started first within a
    /// second.
    private static let openTimeout = 2.0
    /// Seconds. The same card can only be opened again once it is closed, so it is worth a short wait.
    private static let closeTimeout = 0.5

    /// Devices whose opening never returned; they are not tried again before it does.
    private static let stuck = Mutex<Set<String>>([])

    /// Pointers between threads travel as numbers: each is owned by exactly one side at any time.
    private struct Opened: Sendable {
        var address: UInt
        var setup: PcmSetup
    }

    init(name: String, rate: Int) throws(PlaybackError) {
        let silent = PlaybackError.device(
            name: name, operation: "open", code: -ETIMEDOUT,
            cause: "no answer within \(Int(Self.openTimeout)) s")
        if Self.stuck.withLock({ $0.contains(name) }) { throw silent }
        let outcome = Errand.run(timeout: Self.openTimeout) {
            Self.open(name, rate: rate)
        } late: { outcome in
            Self.stuck.withLock { _ = $0.remove(name) }
            if case .success(let opened) = outcome { Self.close(opened.address) }
        }
        guard let outcome else {
            Self.stuck.withLock { _ = $0.insert(name) }
            throw silent
        }
        let opened = try outcome.get()
        guard let pcm = unsafe OpaquePointer(bitPattern: opened.address) else { throw silent }
        unsafe self.pcm = pcm
        setup = opened.setup
    }

    deinit {
        let address = unsafe UInt(bitPattern: pcm)
        _ = Errand.run(timeout: Self.closeTimeout, work: { Self.close(address) }, late: { _ in })
    }

    private static func open(_ name: String, rate: Int) -> Result<Opened, PlaybackError> {
        AlsaMessages.listen()
        var opened: OpaquePointer?
        let code = unsafe snd_pcm_open(&opened, name, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK))
        guard code >= 0, let pcm = unsafe opened else { return .failure(.alsa(name, "open", code)) }
        do throws(PcmSetup.Refusal) {
            let setup = try unsafe PcmSetup(configuring: pcm, rate: rate)
            return .success(Opened(address: UInt(bitPattern: pcm), setup: setup))
        } catch {
            let failure = PlaybackError.alsa(name, error.operation, error.code)
            unsafe snd_pcm_close(pcm)
            return .failure(failure)
        }
    }

    private static func close(_ address: UInt) {
        unsafe snd_pcm_close(OpaquePointer(bitPattern: address))
    }
}

extension PlaybackError {
    /// The error for an ALSA call that answered `code`, with whatever alsa-lib had to say about it.
    static func alsa(_ name: String, _ operation: String, _ code: Int32) -> PlaybackError {
        .device(name: name, operation: operation, code: code, cause: AlsaMessages.cause(code))
    }
}
