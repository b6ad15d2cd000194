internal import CAlsa
internal import Glibc

/// The parameters that a device accepted: found by asking it, `hw:` devices included, never assumed.
struct PcmParameters: Sendable {
    /// The step that the device refused, as a verb for "cannot … <device>", and ALSA's negative errno.
    struct ParameterError: Error {
        var operation: String
        var code: Int32
    }

    /// Frames a second.
    let rateHz: Int
    let channels: Int
    let format: SampleFormat
    let bufferFrames: Int
    let periodFrames: Int

    /// Whether the device reports its position only once a period.
    let isCoarse: Bool

    /// The least number of queued frames with which the device does not run dry between two checks.
    var shallowFrames: Int { isCoarse ? periodFrames + rateHz * 3 / 100 : rateHz * 6 / 100 }

    /// Seconds after which `queuedFrames` have to be topped up. Two thirds are left then, as a reserve for a machine that does
    /// not schedule the thread; faults are noticed at the next check as well.
    func napSeconds(_ queuedFrames: Int) -> Double {
        let frames = isCoarse ? min(queuedFrames / 3, periodFrames / 2) : queuedFrames / 3
        return min(Self.longestNapSeconds, max(Self.shortestNapSeconds, Double(frames) / Double(rateHz)))
    }

    private static let longestNapSeconds = 0.1
    private static let shortestNapSeconds = 0.002

    var bytesPerFrame: Int { channels * format.bytes }

    /// Microseconds of buffer: long enough to survive a fully loaded machine without real-time priority, short enough that a stop
    /// is heard at once.
    private static let bufferMicroseconds: UInt32 = 300_000
    private static let periodMicroseconds: UInt32 = 75_000

    init(configuring pcm: OpaquePointer, rate: Int) throws(ParameterError) {
        var memory: OpaquePointer?
        guard unsafe snd_pcm_hw_params_malloc(&memory) >= 0, let hardware = unsafe memory else {
            throw ParameterError(operation: "configure", code: -ENOMEM)
        }
        defer { unsafe snd_pcm_hw_params_free(hardware) }
        // The first round is without ALSA's own resampling, so that a plug layer reveals the card's real rate; some plugins
        // cannot work without it, hence the second round.
        var rejection = ParameterError(operation: "configure", code: -EINVAL)
        var agreed: (format: SampleFormat, channels: Int)?
        for resampling: UInt32 in [0, 1] where agreed == nil {
            for format in SampleFormat.allCases where agreed == nil {
                do throws(ParameterError) {
                    let channels = try unsafe Self.negotiate(
                        pcm, hardware, format, rate: rate, resampling: resampling)
                    agreed = (format, channels)
                } catch {
                    rejection = error
                }
            }
        }
        guard let agreed else { throw rejection }
        var actualRate: UInt32 = 0
        var (bufferFrames, periodFrames): (snd_pcm_uframes_t, snd_pcm_uframes_t) = (0, 0)
        unsafe snd_pcm_hw_params_get_rate(hardware, &actualRate, nil)
        unsafe snd_pcm_hw_params_get_buffer_size(hardware, &bufferFrames)
        unsafe snd_pcm_hw_params_get_period_size(hardware, &periodFrames, nil)
        guard actualRate > 0, bufferFrames > 0, periodFrames > 0 else { throw rejection }
        (format, channels) = agreed
        isCoarse = unsafe snd_pcm_hw_params_is_batch(hardware) != 0
        rateHz = Int(actualRate)
        (self.bufferFrames, self.periodFrames) = (Int(bufferFrames), Int(periodFrames))
        try unsafe Self.setSoftware(pcm, buffer: bufferFrames, period: periodFrames)
    }

    /// Makes one complete attempt, ending with `snd_pcm_hw_params`.
    /// - Returns: the number of channels.
    private static func negotiate(
        _ pcm: OpaquePointer, _ hardware: OpaquePointer, _ format: SampleFormat, rate: Int, resampling: UInt32
    ) throws(ParameterError) -> Int {
        try check(unsafe snd_pcm_hw_params_any(pcm, hardware), "configure")
        unsafe snd_pcm_hw_params_set_rate_resample(pcm, hardware, resampling)
        try check(
            unsafe snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED),
            "set interleaved access on")
        try check(unsafe snd_pcm_hw_params_set_format(pcm, hardware, format.alsa), "set a sample format on")
        var channels: UInt32 = 2
        try check(unsafe snd_pcm_hw_params_set_channels_near(pcm, hardware, &channels), "set channels on")
        var actualRate = UInt32(rate)
        try check(unsafe snd_pcm_hw_params_set_rate_near(pcm, hardware, &actualRate, nil), "set the rate on")
        var (bufferTime, periodTime) = (Self.bufferMicroseconds, Self.periodMicroseconds)
        unsafe snd_pcm_hw_params_set_buffer_time_near(pcm, hardware, &bufferTime, nil)
        unsafe snd_pcm_hw_params_set_period_time_near(pcm, hardware, &periodTime, nil)
        try check(unsafe snd_pcm_hw_params(pcm, hardware), "configure")
        return Int(channels)
    }

    private static func setSoftware(
        _ pcm: OpaquePointer, buffer: snd_pcm_uframes_t, period: snd_pcm_uframes_t
    ) throws(ParameterError) {
        var memory: OpaquePointer?
        guard unsafe snd_pcm_sw_params_malloc(&memory) >= 0, let software = unsafe memory else {
            throw ParameterError(operation: "configure", code: -ENOMEM)
        }
        defer { unsafe snd_pcm_sw_params_free(software) }
        try check(unsafe snd_pcm_sw_params_current(pcm, software), "configure")
        var boundary: snd_pcm_uframes_t = 0
        unsafe snd_pcm_sw_params_get_boundary(software, &boundary)
        // Filling never starts the device: snd_pcm_start alone decides the instant.
        try check(unsafe snd_pcm_sw_params_set_start_threshold(pcm, software, boundary), "configure")
        unsafe snd_pcm_sw_params_set_stop_threshold(pcm, software, buffer)
        unsafe snd_pcm_sw_params_set_avail_min(pcm, software, period)
        try check(unsafe snd_pcm_sw_params(pcm, software), "configure")
    }

    private static func check(_ code: Int32, _ operation: String) throws(ParameterError) {
        if code < 0 { throw ParameterError(operation: operation, code: code) }
    }
}
