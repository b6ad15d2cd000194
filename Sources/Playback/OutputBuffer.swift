/// Where frames are made and converted on their way from a stream to a device. What the device did not take
/// stays here.
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

    /// Forgets frames that were made but not taken.
    func clear() { (offset, held) = (0, 0) }

    /// Frames made and not taken.
    var leftOver: Int { held }

    /// Moves up to `room` frames from the stream into the device.
    /// - Returns: how many the device took.
    func fill(_ device: PcmDevice, from stream: SampleStream, room: Int) throws(DeviceError) -> Int {
        let parameters = device.parameters
        var taken = 0
        while taken < room {
            if held == 0 {
                let frames = min(Self.chunk, room - taken)
                unsafe stream.produce(into: floats, frames: frames)
                unsafe parameters.format.convert(
                    floats, frames: frames, channels: parameters.channels, into: bytes)
                (offset, held) = (0, frames)
            }
            let data = unsafe UnsafeRawPointer(bytes) + offset * parameters.bytesPerFrame
            let count = try unsafe device.write(data, frames: min(held, room - taken))
            if count == 0 { break }
            taken += count
            offset += count
            held -= count
        }
        return taken
    }
}
