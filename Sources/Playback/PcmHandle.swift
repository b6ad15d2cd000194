internal import CAlsa
internal import Glibc
internal import Synchronization

/// An open and configured `snd_pcm_t`; closed when it goes out of scope. Everything that may wait for a sound server happens on
/// the device's own thread, for a bounded time.
@safe struct PcmHandle: ~Copyable {
    let pcm: OpaquePointer
    let parameters: PcmParameters
    /// Whether the device's own thread was granted real-time priority. Without it, handing it a task costs another wait for a
    /// processor: on a busy machine that doubles the lateness of a start.
    let isPrompt: Bool
    private let name: String
    private let runner: Worker
    /// Set when a call never returned: the device then belongs to the thread that hangs in it.
    private let abandoned = Atomic(false)

    /// Seconds for opening. A local card opens within milliseconds, a sound server that has to be started first within a second.
    private static let openTimeoutSeconds = 2.0
    /// Seconds for starting and stopping. They take a server a few milliseconds; another device is to sound within two seconds.
    private static let controlTimeoutSeconds = 1.0
    /// Seconds for closing. The same card can only be opened again once it is closed, so a short wait pays off.
    private static let closeTimeoutSeconds = 0.5

    /// Pointers between threads travel as numbers: each is owned by exactly one side at any time.
    private struct Opened: Sendable {
        var address: UInt
        var parameters: PcmParameters
        var isPrompt: Bool
    }

    init(name: String, rate: Int) throws(DeviceError) {
        let silent = Self.silence(name, "open", Self.openTimeoutSeconds)
        if StuckDevices.known.contains(name) { throw silent }
        guard let runner = Worker(name: "playback-device") else { throw .alsa(name, "open", -EAGAIN) }
        let outcome = runner.run(timeoutSeconds: Self.openTimeoutSeconds) {
            Self.open(name, rate: rate)
        } late: { outcome in
            if case .success(let opened) = outcome { Self.close(opened.address) }
            StuckDevices.known.note(name, -1)
        }
        guard let outcome else {
            StuckDevices.known.note(name, 1)
            throw silent
        }
        let opened = try outcome.get()
        guard let pcm = unsafe OpaquePointer(bitPattern: opened.address) else { throw silent }
        unsafe self.pcm = pcm
        (parameters, isPrompt) = (opened.parameters, opened.isPrompt)
        (self.name, self.runner) = (name, runner)
    }

    deinit {
        guard !abandoned.load(ordering: .relaxed) else { return }
        let address = unsafe UInt(bitPattern: pcm)
        _ = runner.run(
            timeoutSeconds: Self.closeTimeoutSeconds, work: { Self.close(address) }, late: { _ in })
    }

    /// Runs work on the device's own thread.
    /// - Parameter operation: a verb for "cannot … <device>".
    /// - Throws: the error of `work`, or `failed` with ETIMEDOUT when it does not return within a second; the device must not be
    ///     used any more then.
    func perform<Outcome: Sendable>(
        _ operation: String, _ work: @escaping @Sendable (OpaquePointer) -> Result<Outcome, DeviceError>
    ) throws(DeviceError) -> Outcome {
        let (address, name) = unsafe (UInt(bitPattern: pcm), name)
        let outcome = runner.run(timeoutSeconds: Self.controlTimeoutSeconds) {
            () -> Result<Outcome, DeviceError> in
            guard let pcm = unsafe OpaquePointer(bitPattern: address) else {
                return .failure(.alsa(name, operation, -ENODEV))
            }
            return unsafe work(pcm)
        } late: { _ in
            Self.close(address)
            StuckDevices.known.note(name, -1)
        }
        guard let outcome else {
            abandoned.store(true, ordering: .relaxed)
            StuckDevices.known.note(name, 1)
            throw Self.silence(name, operation, Self.controlTimeoutSeconds)
        }
        return try outcome.get()
    }

    private static func silence(_ name: String, _ operation: String, _ seconds: Double) -> DeviceError {
        .failed(
            name: name, operation: operation, code: -ETIMEDOUT, cause: "no answer within \(Int(seconds)) s")
    }

    private static func open(_ name: String, rate: Int) -> Result<Opened, DeviceError> {
        AlsaMessages.listen()
        var opened: OpaquePointer?
        let code = unsafe snd_pcm_open(&opened, name, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK))
        guard code >= 0, let pcm = unsafe opened else { return .failure(.alsa(name, "open", code)) }
        do throws(PcmParameters.ParameterError) {
            let parameters = try unsafe PcmParameters(configuring: pcm, rate: rate)
            // The thread sleeps here until the instant at which it starts the device.
            let isPrompt = PlaybackThread.setRealtime(true)
            return .success(
                Opened(address: UInt(bitPattern: pcm), parameters: parameters, isPrompt: isPrompt))
        } catch {
            let failure = DeviceError.alsa(name, error.operation, error.code)
            unsafe snd_pcm_close(pcm)
            return .failure(failure)
        }
    }

    private static func close(_ address: UInt) {
        PlaybackThread.setRealtime(false)
        unsafe snd_pcm_close(OpaquePointer(bitPattern: address))
    }
}

extension DeviceError {
    /// The error for an ALSA call that returned `code`, with alsa-lib's own message about it.
    static func alsa(_ name: String, _ operation: String, _ code: Int32) -> DeviceError {
        .failed(name: name, operation: operation, code: code, cause: AlsaMessages.cause(code))
    }
}
