import Foundation
import Testing

@testable import Playback
@testable import Recording

@Suite("Decoding ahead") struct DecodeAheadTests {
    /// Puts in the numbers from `first` on, `count` frames.
    private func put(_ samples: SampleQueue, from first: Int, count: Int) {
        var done = 0
        while done < count {
            let made = unsafe samples.put { out, room in
                let frames = min(room, count - done)
                for frame in 0..<frames {
                    unsafe out[2 * frame] = Float(first + done + frame)
                    unsafe out[2 * frame + 1] = Float(first + done + frame)
                }
                return frames
            }
            done += made ?? count
        }
    }

    /// The left samples of the next frames.
    private func read(_ samples: SampleQueue, _ count: Int) -> [Float] {
        var out = [Float](repeating: -1, count: 2 * count)
        let taken = unsafe out.withUnsafeMutableBufferPointer { buffer -> Int in
            guard let start = buffer.baseAddress else { return 0 }
            return unsafe samples.read(into: start, count: count)
        }
        return (0..<taken).map { out[2 * $0] }
    }

    private func stream(_ samples: SampleQueue, prerollSeconds: Double = 0) -> SampleStream {
        var order = PlayerOrder(id: "a", sounds: [])
        order.prerollSeconds = prerollSeconds
        return SampleStream(
            order,
            .init(
                rate: 8000, durationSeconds: nil, skipped: [], gainDb: 0, samples: samples,
                complaints: .init()))
    }

    private func produce(_ stream: SampleStream, _ count: Int) -> [Float] {
        var out = [Float](repeating: -1, count: 2 * count)
        unsafe out.withUnsafeMutableBufferPointer { buffer in
            if let start = buffer.baseAddress { unsafe stream.produce(into: start, frames: count) }
        }
        return (0..<count).map { out[2 * $0] }
    }

    @Test("A device that fails in the same way is reported once, whatever words ALSA has for it")
    func reports() {
        let active = ActiveOrder(
            PlayerOrder(id: "a", sounds: []), stream(SampleQueue(rate: 8000)), isSubstituted: false)
        func isNews(_ code: Int32, _ cause: String, next: String? = nil) -> Bool {
            let error = DeviceError.failed(name: "hall", operation: "open", code: code, cause: cause)
            return active.isNews(.init(error, of: "hall", next: next))
        }
        let (first, reworded, other) = (isNews(-2, "it is not there"), isNews(-2, "x"), isNews(-16, "x"))
        #expect(first && !reworded && other)
        let (elsewhere, starving, still) = (
            isNews(-2, "x", next: "horn"), active.isNews(.starving), active.isNews(.starving)
        )
        #expect(elsewhere && starving && !still)
    }

    @Test("What was taken can be had again for half a second, and no longer")
    func rewinding() {
        let samples = SampleQueue(rate: 8000)
        put(samples, from: 0, count: 20_000)
        #expect(read(samples, 10_000) == (0..<10_000).map(Float.init))
        #expect(samples.rewind(4000))
        #expect(!samples.rewind(1))
        #expect(read(samples, 4).first == 6000)
        #expect(samples.drop(20_000) == 20_000 - 6004)
        #expect(samples.available == 0)
    }

    @Test("A million frames pass from one thread to the other, each once and in order")
    func twoThreads() {
        let samples = SampleQueue(rate: 8000)
        let writer = Thread {
            put(samples, from: 0, count: 1_000_000)
            samples.finish()
        }
        writer.start()
        var next = 0
        let deadline = Date().addingTimeInterval(60)
        while next < 1_000_000, Date() < deadline {
            let taken = read(samples, 777)
            if taken.isEmpty { usleep(200) }
            #expect(taken == (next..<next + taken.count).map(Float.init))
            next += taken.count
        }
        #expect(next == 1_000_000)
        #expect(samples.isComplete || samples.available == 0)
    }

    @Test("A writer that waits for room is let go when nobody wants any more")
    func closing() throws {
        let samples = SampleQueue(rate: 8000)
        let done = DispatchSemaphore(value: 0)
        Thread {
            while unsafe samples.put({ _, room in room }) != nil {}
            done.signal()
        }.start()
        Thread.sleep(forTimeInterval: 0.1)
        samples.close()
        #expect(done.wait(timeout: .now() + 5) == .success)
    }

    @Test("Silence takes the place of what is not decoded yet, and the sound goes on where the clock is")
    func starving() {
        let samples = SampleQueue(rate: 8000)
        put(samples, from: 1, count: 1000)
        let stream = stream(samples, prerollSeconds: 0.125)
        #expect(stream.ready == 2000)
        #expect(produce(stream, 1500) == [Float](repeating: 0, count: 1000) + (1...500).map(Float.init))
        #expect(produce(stream, 1000) == (501...1000).map(Float.init) + [Float](repeating: 0, count: 500))
        #expect(stream.starvedFrames == 500)
        #expect(stream.ready == 0 && stream.end == nil)
        put(samples, from: 1001, count: 1000)
        samples.finish()
        #expect(produce(stream, 1000) == (1501...2000).map(Float.init) + [Float](repeating: 0, count: 500))
        #expect(stream.starvedFrames == 500)
        #expect(stream.end == 3000)
    }

    @Test("Going on elsewhere: a little back, and as far ahead as need be")
    func moving() {
        let samples = SampleQueue(rate: 8000)
        put(samples, from: 0, count: 10_000)
        let stream = stream(samples)
        _ = produce(stream, 5000)
        #expect(stream.move(to: 3000))
        // A ramp of 5 ms makes the beginning inaudible.
        #expect(produce(stream, 100).suffix(50) == (3050..<3100).map(Float.init))
        #expect(!stream.move(to: 500))
        #expect(stream.move(to: 12_000))
        #expect(stream.ready == 0)
        put(samples, from: 10_000, count: 5000)
        #expect(produce(stream, 100).suffix(50) == (12_050..<12_100).map(Float.init))
        #expect(stream.starvedFrames == 0)
    }

    @Test("Opening a recording delivers exactly its frames, from any place on the timeline")
    func opening() throws {
        let order = PlayerOrder(id: "a", sounds: [SoundFile(path: Fixture.path("cbr128_44k_stereo.mp3"))])
        let whole = try Fixture.decoded("cbr128_44k_stereo.mp3")
        let stream = try SampleStream.opened(order)
        #expect(stream.durationSeconds == 1.5)
        var left: [Float] = []
        // 63 times 1050 frames are all of it. What is taken before it is decoded is silence.
        for _ in 0..<63 {
            for _ in 0..<20_000 where stream.ready < 1050 { usleep(500) }
            left += produce(stream, 1050)
        }
        left += produce(stream, 1)
        #expect(stream.end == 66150)
        #expect(Array(left.prefix(66150)) == (0..<66150).map { whole[2 * $0] })
        let later = try SampleStream.opened(order, at: 30_000)
        #expect(produce(later, 1000).suffix(500) == (30_500..<31_000).map { whole[2 * $0] }[...])
    }
}

extension SampleStream {
    /// Opens an order's recordings and waits for that.
    static func opened(_ order: PlayerOrder, rate: Int? = nil, at frame: Int = 0) throws -> SampleStream {
        guard let decoding = DecodeAhead.start(order, rate: rate, at: frame, opened: {}) else {
            throw CancellationError()
        }
        let deadline = Date().addingTimeInterval(60)
        while Date() < deadline {
            if let result = decoding.result { return SampleStream(order, try result.get(), at: frame) }
            usleep(500)
        }
        decoding.abandon()
        throw CancellationError()
    }
}
