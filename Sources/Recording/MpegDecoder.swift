internal import CMpg123
internal import Glibc

/// One MP3 file being decoded by libmpg123 to stereo float frames, one MPEG frame at a time.
///
/// Every rate of MPEG audio is accepted and nothing is resampled here, so a file whose rate changes in the middle announces the
/// change instead of playing at the wrong pitch. Mono is duplicated by the decoder. Lengths claimed by headers limit nothing:
/// decoding ends where the data ends.
@safe struct MpegDecoder: ~Copyable {
    /// The result of one call of `next`. `audio` stays valid until the next call.
    @unsafe enum Step {
        /// Interleaved left/right samples, nominally within ±1.
        case audio(UnsafePointer<Float>, frames: Int)
        /// `rate` changes here.
        case rateChanged
        case end
    }

    let path: String
    /// Frames a second delivered by `next`; 0 before the first `rateChanged`.
    private(set) var rate = 0
    /// 1 or 2, as encoded at the beginning of the file.
    private(set) var channels = 0
    /// Frames delivered so far (skipped ones included) at the current rate.
    private(set) var position = 0
    /// Set when the data ended in an error or libmpg123 gave up on some of it.
    private(set) var damaged = false
    /// The byte after the last decoded frame, as libmpg123 counts.
    private var frameEnd = 0
    private let handle: OpaquePointer
    private let file: UnsafeMutablePointer<MpegFile>

    /// Consecutive decoding errors after which the rest of the file is given up. libmpg123 resynchronises by itself; an error
    /// that it reports instead is rare, and a file that only yields errors must not occupy the thread.
    private static let errorLimit = 64
    /// Seconds for skipping headers.
    private static let seekSeconds = 2.0

    init(path: String) throws(RecordingError) {
        let opened = try MpegFile(path: path)
        let file = UnsafeMutablePointer<MpegFile>.allocate(capacity: 1)
        unsafe file.initialize(to: opened)
        var code: Int32 = 0
        guard let handle = unsafe mpg123_new(nil, &code) else {
            unsafe Self.release(file)
            throw .decoder(path: path, cause: unsafe String(cString: mpg123_plain_strerror(code)))
        }
        guard unsafe Self.configure(handle), unsafe mpg123_open_handle(handle, file) == 0 else {
            let cause = unsafe String(cString: mpg123_strerror(handle))
            unsafe mpg123_delete(handle)
            unsafe Self.release(file)
            throw .decoder(path: path, cause: cause)
        }
        self.path = path
        unsafe self.handle = handle
        unsafe self.file = file
    }

    deinit {
        unsafe mpg123_delete(handle)
        unsafe Self.release(file)
    }

    private static func release(_ file: UnsafeMutablePointer<MpegFile>) {
        unsafe file.deinitialize(count: 1)
        unsafe file.deallocate()
    }

    private static func configure(_ handle: OpaquePointer) -> Bool {
        // Tags are skipped, not parsed: a tag may claim any size, and nothing in it is needed here.
        let flags = Int(MPG123_QUIET.rawValue | MPG123_GAPLESS.rawValue | MPG123_SKIP_ID3V2.rawValue)
        unsafe mpg123_param2(handle, Int32(MPG123_ADD_FLAGS.rawValue), flags, 0)
        unsafe mpg123_param2(handle, Int32(MPG123_RESYNC_LIMIT.rawValue), -1, 0)
        unsafe mpg123_format_none(handle)
        var rates: UnsafePointer<Int>?
        var count = 0
        unsafe mpg123_rates(&rates, &count)
        for index in 0..<count {
            guard let rate = unsafe rates?[index] else { return false }
            unsafe mpg123_format(
                handle, rate, Int32(MPG123_STEREO.rawValue), Int32(MPG123_ENC_FLOAT_32.rawValue))
        }
        return unsafe mpg123_replace_reader_handle(
            handle,
            { context, buffer, count in
                guard let context = unsafe context, let buffer = unsafe buffer else { return -1 }
                return unsafe context.assumingMemoryBound(to: MpegFile.self).pointee.read(
                    into: buffer, count: count)
            },
            { context, offset, whence in
                guard let context = unsafe context else { return -1 }
                return unsafe context.assumingMemoryBound(to: MpegFile.self).pointee.seek(offset, whence)
            }, nil) == 0
    }

    /// Decodes the next MPEG frame. May block on the file system only.
    mutating func next() -> Step {
        for _ in 0..<Self.errorLimit {
            var audio: UnsafeMutablePointer<UInt8>?
            var bytes = 0
            switch unsafe mpg123_decode_frame(handle, nil, &audio, &bytes) {
            case MPG123_OK.rawValue:
                frameEnd = endOfFrame
                guard bytes > 0, rate > 0, let raw = UnsafeRawPointer(audio) else { continue }
                let frames = bytes / (2 * MemoryLayout<Float>.size)
                noteFrame()
                position += frames
                return unsafe .audio(raw.assumingMemoryBound(to: Float.self), frames: frames)
            case MPG123_NEW_FORMAT.rawValue:
                var (newRate, newChannels, encoding) = (0, Int32(0), Int32(0))
                unsafe mpg123_getformat(handle, &newRate, &newChannels, &encoding)
                guard newRate != rate else { continue }
                if rate == 0 { noteChannels() }
                rate = newRate
                position = 0
                return unsafe .rateChanged
            case MPG123_DONE.rawValue:
                return unsafe .end
            default:
                damaged = true
            }
        }
        return unsafe .end
    }

    private mutating func noteChannels() {
        var info = mpg123_frameinfo2()
        let known = unsafe mpg123_info2(handle, &info) == MPG123_OK.rawValue
        channels = known && UInt32(bitPattern: info.mode) == MPG123_M_MONO.rawValue ? 1 : 2
    }

    /// The fault of the decoded audio once it has ended: a sentence, or nil.
    /// - Parameter promised: the value of `promisedLength` at the beginning.
    func complaint(promised: Int?) -> String? {
        if unsafe file.pointee.failed { return "\"\(path)\" could not be read to its end" }
        if let promised, position < promised {
            let (encoded, decoded) = (Self.tenths(promised, rate), Self.tenths(position, rate))
            guard encoded != decoded else {
                let missing = max(1, 1000 * (promised - position) / rate)
                return "\"\(path)\" is damaged: \(missing) ms of it do not decode"
            }
            return "\"\(path)\" is damaged: \(encoded) s were encoded, \(decoded) s decode"
        }
        if unsafe file.pointee.isGivenUp { return "the rest of \"\(path)\" is no MP3 audio" }
        return damaged ? "the end of \"\(path)\" cannot be decoded" : nil
    }

    /// Seconds with one decimal place.
    static func tenths(_ frames: Int, _ rate: Int) -> String {
        let tenths = (frames * 10 + rate / 2) / max(1, rate)
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// Bytes of the file after the tags at its beginning.
    var audioBytes: Int { unsafe file.pointee.audioBytes }

    /// Whether only tags follow the last decoded frame.
    var endsWhole: Bool { unsafe file.pointee.isEnd(frameEnd) }

    /// Bytes of the last decoded MPEG frame.
    var frameBytes: Int {
        var info = mpg123_frameinfo2()
        guard unsafe mpg123_info2(handle, &info) == MPG123_OK.rawValue else { return 0 }
        return max(0, Int(info.framesize))
    }

    /// Frames that the Info tag promises after trimming; nil without such a tag.
    func promisedLength() -> Int? {
        var delay = 0
        guard
            unsafe mpg123_getstate2(handle, Int32(MPG123_ENC_DELAY.rawValue), &delay, nil)
                == MPG123_OK.rawValue, delay >= 0
        else { return nil }
        let frames = unsafe mpg123_length(handle)
        return frames > 0 ? frames : nil
    }

    /// Moves forward to the exact frame without decoding the frames between.
    ///
    /// libmpg123 counts positions as if all parts of a stream were alike, so in one that is joined of unlike files it lands elsewhere.
    /// A stream also counts as joined where it changes between mono and stereo alone, or has more frames than its Xing or Info header
    /// promised. It is then decoded from its beginning: slower, and right.
    /// - Returns: false where the stream cannot, or not in time, or is joined; it may be anywhere then.
    mutating func seek(to frame: Int) -> Bool {
        limitTime(to: Self.seekSeconds)
        let landed = unsafe mpg123_seek(handle, off_t(frame), SEEK_SET)
        limitTime(to: nil)
        guard landed >= 0, !isOutOfTime, !isJoined else { return false }
        position = Int(landed)
        return true
    }
}

extension MpegDecoder {
    /// Frames of a whole file according to its headers, from a pass over all of them; nil if that takes longer than `seconds`.
    static func scannedLength(path: String, within seconds: Double) -> Int? {
        guard let decoder = try? MpegDecoder(path: path) else { return nil }
        return decoder.scannedLength(within: seconds)
    }

    // Outside of the mutating methods: instrumenting them for the thread sanitizer ends the compiler (Swift 6.3.1).
    private var endOfFrame: Int { unsafe Int(mpg123_framepos(handle)) + frameBytes }
    private var isOutOfTime: Bool { unsafe file.pointee.isOutOfTime }
    private var isJoined: Bool {
        var value = 0
        let code = unsafe mpg123_getstate2(handle, Int32(MPG123_FRANKENSTEIN.rawValue), &value, nil)
        return code != MPG123_OK.rawValue || value != 0
    }
    private func noteFrame() { unsafe file.pointee.noteFrame() }
    private func limitTime(to seconds: Double?) { unsafe file.pointee.limitTime(to: seconds) }

    private func scannedLength(within seconds: Double) -> Int? {
        limitTime(to: seconds)
        guard unsafe mpg123_scan(handle) == MPG123_OK.rawValue, !isOutOfTime else { return nil }
        let frames = unsafe mpg123_length(handle)
        return frames > 0 ? frames : nil
    }
}
