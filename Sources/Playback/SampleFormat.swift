internal import CAlsa
internal import Glibc

/// The sample formats that a device may accept, in the order in which they are tried.
///
/// S16 comes first: every card and every mixer accepts it unchanged, so nothing behind us converts it again, and MP3 at any usual
/// bitrate is noisier than 16 bits. The wider ones serve devices that offer nothing else. All are little endian, like the
/// machines that adhand is built for.
enum SampleFormat: CaseIterable, Sendable {
    case s16, s32, s24, s24packed, float

    var alsa: snd_pcm_format_t {
        switch self {
        case .s16: SND_PCM_FORMAT_S16_LE
        case .s32: SND_PCM_FORMAT_S32_LE
        case .s24: SND_PCM_FORMAT_S24_LE
        case .s24packed: SND_PCM_FORMAT_S24_3LE
        case .float: SND_PCM_FORMAT_FLOAT_LE
        }
    }

    var bytes: Int {
        switch self {
        case .s16: 2
        case .s24packed: 3
        case .s32, .s24, .float: 4
        }
    }

    /// Converts stereo frames to this format with `channels` channels. Rounds to nearest and saturates, so a gain that is too
    /// high clips instead of wrapping around. One channel receives the mean of both; channels beyond the second stay silent.
    func convert(
        _ stereo: UnsafePointer<Float>, frames: Int, channels: Int, into out: UnsafeMutableRawPointer
    ) {
        if self == .s16, channels == 2 { return unsafe Self.plainS16(stereo, count: 2 * frames, into: out) }
        var at = 0
        for frame in 0..<frames {
            let (left, right) = unsafe (stereo[2 * frame], stereo[2 * frame + 1])
            for channel in 0..<channels {
                let value =
                    channels == 1 ? (left + right) / 2 : channel == 0 ? left : channel == 1 ? right : 0
                unsafe store(value, at: out + at)
                at += bytes
            }
        }
    }

    /// The common case of nearly every device, in a loop that the compiler can vectorise.
    private static func plainS16(
        _ samples: UnsafePointer<Float>, count: Int, into out: UnsafeMutableRawPointer
    ) {
        let words = unsafe out.assumingMemoryBound(to: Int16.self)
        var index = 0
        while index < count {
            var value = unsafe samples[index] * 32768
            value = value < 32767 ? value : 32767
            value = value > -32768 ? value : -32768
            // At 1.5 · 2²³ a Float's last bit is worth 1: adding it rounds to nearest even and leaves the integer in the low bits
            // of the pattern. `rounded()` would be a function call per sample on plain x86-64.
            unsafe words[index] = Int16(truncatingIfNeeded: (value + 12_582_912).bitPattern)
            index += 1
        }
    }

    private func store(_ value: Float, at address: UnsafeMutableRawPointer) {
        switch self {
        case .s16: unsafe address.storeBytes(of: Int16(Self.integer(value, 15)), as: Int16.self)
        case .s32: unsafe address.storeBytes(of: Self.integer(value, 31), as: Int32.self)
        case .s24: unsafe address.storeBytes(of: Self.integer(value, 23), as: Int32.self)
        case .s24packed:
            let word = Self.integer(value, 23)
            unsafe address.storeBytes(of: UInt8(truncatingIfNeeded: word), as: UInt8.self)
            unsafe address.storeBytes(
                of: UInt8(truncatingIfNeeded: word >> 8), toByteOffset: 1, as: UInt8.self)
            unsafe address.storeBytes(
                of: UInt8(truncatingIfNeeded: word >> 16), toByteOffset: 2, as: UInt8.self)
        case .float: unsafe address.storeBytes(of: max(-1, min(1, value)), as: Float.self)
        }
    }

    /// ±1 as a signed integer with `bits` magnitude bits. Computed in Double: a Float cannot hold the largest 32-bit value.
    private static func integer(_ value: Float, _ bits: Int) -> Int32 {
        let full = Double(1 << bits)
        return Int32(max(-full, min(full - 1, (Double(value) * full).rounded(.toNearestOrEven))))
    }
}
