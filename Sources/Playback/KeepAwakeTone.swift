internal import Clocks
internal import Glibc
internal import Recording

/// Two seconds of a tone that keeps a loudspeaker from falling asleep: too low and too quiet to be heard, but never silent, since
/// such loudspeakers wait for silence.
@safe final class KeepAwakeTone {
    static let seconds = 2.0
    static let hertz = 30.0
    /// The amplitude: -40 dBFS.
    static let amplitude = 0.01
    static let rampSeconds = 0.1
    /// Frames a second, unless the device requires another rate.
    private static let rate = 44100
    private static let chunk = 2048
    /// Seconds without a frame written after which the device counts as stuck.
    private static let stallSeconds = 0.5

    private let device: PcmDevice
    private var position = 0
    private var queued = 0
    private var movedAt: Double
    private let end: Int
    private let floats = UnsafeMutablePointer<Float>.allocate(capacity: 2 * chunk)
    private let bytes: UnsafeMutableRawPointer

    /// Opens a device, fills it and starts it.
    init(_ devices: [String]) throws(DeviceError) {
        var failure = DeviceError.alsa("", "open", -ENODEV)
        var opened: PcmDevice?
        for name in devices where opened == nil {
            do throws(DeviceError) {
                opened = try PcmDevice(name: name, rate: Self.rate)
            } catch {
                failure = error
            }
        }
        guard let opened else { throw failure }
        device = opened
        unsafe bytes = .allocate(byteCount: Self.chunk * opened.parameters.bytesPerFrame, alignment: 16)
        end = Int(Self.seconds * Double(opened.parameters.rateHz))
        movedAt = Uptime.now()
        try fill()
        _ = try device.start { 0 }
    }

    deinit {
        unsafe floats.deallocate()
        unsafe bytes.deallocate()
    }

    /// Seconds until the device needs more frames, or is done.
    var napSeconds: Double { device.parameters.napSeconds(queued) }

    /// - Returns: whether the tone has not ended yet.
    func feed() throws(DeviceError) -> Bool {
        let status = try device.status()
        if status.queuedFrames < queued { movedAt = Uptime.now() }
        queued = status.queuedFrames
        // An underrun after the last frame is the tone's end.
        if position >= end, status.fault != 0 || status.queuedFrames == 0 { return false }
        if status.fault != 0 { throw device.fault(status.fault) }
        guard Uptime.now() - movedAt < Self.stallSeconds else {
            throw .stalled(name: device.name, seconds: Uptime.now() - movedAt)
        }
        try fill()
        return true
    }

    private func fill() throws(DeviceError) {
        let parameters = device.parameters
        while position < end, queued < parameters.bufferFrames {
            let frames = min(Self.chunk, end - position, parameters.bufferFrames - queued)
            for frame in 0..<frames {
                let value = Self.sample(position + frame, of: end, at: parameters.rateHz)
                unsafe (floats[2 * frame], floats[2 * frame + 1]) = (value, value)
            }
            unsafe parameters.format.convert(
                floats, frames: frames, channels: parameters.channels, into: bytes)
            let written = try unsafe device.write(bytes, frames: frames)
            if written == 0 { break }
            position += written
            queued += written
        }
    }

    /// One of `count` frames. At zero crossings and at the beginnings of ramps the value is the smallest step of 16 bits, so that
    /// a detector of zeros finds none.
    static func sample(_ frame: Int, of count: Int, at rate: Int) -> Float {
        let ramp = rampSeconds * Double(rate)
        // The middle of the frame, so that neither end is zero.
        let at = Double(frame) + 0.5
        let rise = Double(FadeEnvelope.gain(min(1, at / ramp), rising: true))
        let fall = Double(FadeEnvelope.gain(min(1, (Double(count) - at) / ramp), rising: true))
        let wave = sin(2 * Double.pi * hertz * at / Double(rate))
        let value = Float(amplitude * rise * fall * wave)
        let least: Float = 1 / 32768
        return abs(value) >= least ? value : wave < 0 ? -least : least
    }
}
