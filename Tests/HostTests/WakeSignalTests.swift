import Foundation
import Synchronization
import Testing

@testable import Host

@Suite("A wait that another thread ends", .timeLimit(.minutes(1)))
struct WakeSignalTests {
    @Test("It is set until it is cleared, however often it was set")
    func setAndClear() {
        let signal = WakeSignal()
        #expect(!signal.isSet)
        signal.set()
        signal.set()
        #expect(signal.isSet)
        let began = MonotonicClock.now()
        signal.wait(30)
        #expect(MonotonicClock.now() - began < 20)
        #expect(signal.isSet)
        signal.clear()
        #expect(!signal.isSet)
        let cleared = MonotonicClock.now()
        signal.wait(0.1)
        #expect(MonotonicClock.now() - cleared >= 0.09)
    }

    /// The waiting thread clears the signal and then reads the counter, which the other thread raises before it sets the signal.
    /// Therefore none is overlooked, and no wait runs out.
    @Test("None is lost that is set while the one before is cleared")
    func race() throws {
        let signal = WakeSignal()
        let added = Atomic(0)
        let most = 20_000
        let worker = Thread {
            for _ in 0..<most {
                added.add(1, ordering: .sequentiallyConsistent)
                signal.set()
            }
        }
        worker.start()
        var seen = 0
        while seen < most {
            let began = MonotonicClock.now()
            signal.wait(30)
            try #require(MonotonicClock.now() - began < 29, "lost after \(seen) of \(most)")
            signal.clear()
            seen = added.load(ordering: .sequentiallyConsistent)
        }
        // The last one may have been set after it was counted.
        while !worker.isFinished { Thread.sleep(forTimeInterval: 0.001) }
        signal.clear()
        #expect(!signal.isSet)
    }
}
