/// MPEG-1 Layer III frames, as ISO/IEC 11172-3 lays them out: to damage one bit of them, or to make silent ones.
enum MpegFrames {
    private static let kilobits = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    private static let rates = [44100, 48000, 32000]

    /// Where each frame begins.
    static func starts(in bytes: [UInt8]) -> [Int] {
        var starts: [Int] = []
        var at = 0
        while at + 4 <= bytes.count {
            guard bytes[at] == 0xFF, bytes[at + 1] & 0xFE == 0xFA, bytes[at + 2] >> 4 < 15,
                bytes[at + 2] >> 2 & 3 < 3
            else {
                at += 1
                continue
            }
            starts.append(at)
            let rate = rates[Int(bytes[at + 2] >> 2 & 3)]
            at += 144_000 * kilobits[Int(bytes[at + 2] >> 4)] / rate + Int(bytes[at + 2] >> 1 & 1)
        }
        return starts
    }

    /// The bytes with the second highest bit of the first granule's global_gain flipped, in the frame that begins at
    /// `start`: 96 dB more where it was not set.
    static func flippingGain(of bytes: [UInt8], frame start: Int) -> [UInt8] {
        let isMono = bytes[start + 3] >> 6 == 3
        // main_data_begin 9, private_bits 5 or 3, scfsi 4 a channel; then part2_3_length 12 and big_values 9.
        let bit = 8 * 4 + 9 + (isMono ? 5 + 4 : 3 + 8) + 12 + 9 + 1
        var damaged = bytes
        damaged[start + bit / 8] ^= 0x80 >> UInt8(bit % 8)
        return damaged
    }

    /// The bytes with the global_gain of both granules 0, in a mono frame that begins at `start`: it is as good as silent.
    static func muting(_ bytes: [UInt8], frame start: Int) -> [UInt8] {
        var muted = bytes
        // main_data_begin 9, private_bits 5, scfsi 4; then part2_3_length 12 and big_values 9; a granule has 59 bits.
        for first in [39, 39 + 59] {
            for bit in first..<first + 8 { muted[start + 4 + bit / 8] &= ~(0x80 >> UInt8(bit % 8)) }
        }
        return muted
    }

    /// Frames of digital silence: 64 kbit/s, 44.1 kHz, mono, all of the side information zero.
    static func silence(seconds: Double) -> [UInt8] {
        let frame = [0xFF, 0xFB, 0x50, 0xC4] + [UInt8](repeating: 0, count: 204)
        return [UInt8](repeatElement(frame, count: Int(seconds * 44100 / 1152)).joined())
    }
}
