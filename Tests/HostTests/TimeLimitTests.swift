import Foundation
import Synchronization
import Testing

@testable import Host

struct TimeLimitTests {
    @Test("Work that ends in time gives its result")
    func workThatEndsInTimeGivesItsResult() {
        #expect(TimeLimit.run(10) { 7 } == 7)
        #expect(TimeLimit.run(on: "/in-time", seconds: 10) { 8 } == 8)
    }

    @Test("Work that hangs is abandoned, and not begun a second time on the same path")
    func workThatHangsIsLeftBehindAndNotBegunTwice() throws {
        let release = DispatchSemaphore(value: 0)
        let begun = Mutex(0)
        let hang: @Sendable () -> Int = {
            begun.withLock { $0 += 1 }
            release.wait()
            return 1
        }
        #expect(TimeLimit.run(on: "/hangs", seconds: 0.2, hang) == nil)
        // One thread waits for it already.
        #expect(TimeLimit.run(on: "/hangs", seconds: 0.2, hang) == nil)
        #expect(begun.withLock { $0 } <= 1)
        release.signal()
        let deadline = ContinuousClock.now + .seconds(20)
        var answer: Int?
        while answer == nil, ContinuousClock.now < deadline {
            usleep(20_000)
            answer = TimeLimit.run(on: "/hangs", seconds: 10) { 2 }
        }
        #expect(answer == 2)
    }

    /// Ctrl+C and the like are for those threads that wait for them.
    @Test("No signal interrupts a background thread")
    func aBackgroundThreadIsInterruptedByNoSignal() throws {
        var (interrupting, before, after) = (sigset_t(), sigset_t(), sigset_t())
        unsafe sigemptyset(&interrupting)
        unsafe sigaddset(&interrupting, SIGTERM)
        unsafe pthread_sigmask(SIG_UNBLOCK, &interrupting, &before)
        let blocked = TimeLimit.run(10) { () -> Bool in
            var mask = sigset_t()
            unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
            return [SIGTERM, SIGINT, SIGCHLD].allSatisfy { unsafe sigismember(&mask, $0) == 1 }
        }
        unsafe pthread_sigmask(SIG_SETMASK, &before, &after)
        #expect(blocked == true)
        #expect(unsafe sigismember(&after, SIGTERM) == 0)
    }
}
