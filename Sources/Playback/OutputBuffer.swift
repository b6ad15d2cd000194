/// Produces and converts frames on their way from a stream to a device. Frames that the device did not take are kept here.
@safe final class OutputBuffer {
    private static let chunk = 4096
    /// The widest frame: 32 channels of 4 bytes, more than ALSA cards have.
    private static let widestFrame = 128
    private let floats = UnsafeMutablePointer<Float>.allocate(capacity: 2 * chunk)
    private let bytes = UnsafeMutableRawPointer.allocate(byteCount: chunk * widestFrame, alignment: 16)
    private var offset = 0
    private var held = 0

    deinit {
        unsafe floats.deallocate()
        unsafe bytes.deallocate()
    }

    /// Discards frames that were produced but not written.
    func clear() { (offset, held) = (0, 0) }

    /// Frames that were produced but not written.
    var leftOverFrames: Int { held }

    /// Moves up to `room` frames from the stream into the device. Waits for frames that are not decoded yet, unless fewer than
    /// `reserve` would be queued then: silence replaces them.
    /// - Parameters:
    ///   - audible: counts every frame of sound that is produced.
    ///   - reserve: frames of the room that must be filled with whatever is available.
    /// - Returns: how many frames the device took.
    func fill(
        _ device: PcmDevice, from stream: SampleStream, _ audible: inout AudibleShare, room: Int,
        reserve: Int = 0
    ) throws(DeviceError) -> Int {
        let parameters = device.parameters
        var written = 0
        while written < room {
            if held == 0 {
                let ready = min(stream.ready, room - written)
                let frames = min(Self.chunk, max(ready, reserve - written))
                if frames <= 0 { break }
                let start = stream.position
                unsafe stream.produce(into: floats, frames: frames)
                let sound = stream.sound(in: start..<start + frames)
                let silence = min(frames, max(0, stream.prerollFrames - start))
                unsafe audible.add(floats + 2 * silence, frames: sound, rate: stream.rate)
                unsafe parameters.format.convert(
                    floats, frames: frames, channels: parameters.channels, into: bytes)
                (offset, held) = (0, frames)
            }
            let data = unsafe UnsafeRawPointer(bytes) + offset * parameters.bytesPerFrame
            let count = try unsafe device.write(data, frames: min(held, room - written))
            if count == 0 { break }
            written += count
            offset += count
            held -= count
        }
        return written
    }
}
