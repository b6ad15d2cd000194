internal import CLinux
internal import Glibc

extension ChildProcess {
    /// Runs `path` as a process group that ends with it: processes that it leaves behind are killed, and after
    /// ``Orphans/adopt()`` also those that left its group.
    /// - Parameters:
    ///   - arguments: without the program's own name.
    ///   - environment: `NAME=value` each; nothing of our own is passed on.
    ///   - input: the bytes of its standard input, which it need not read.
    ///   - limit: seconds after which the group is asked to end.
    ///   - grace: further seconds after which it is killed.
    ///   - guarding: as in ``run(_:called:_:environment:input:descriptors:limit:mostOutput:guarding:)``.
    /// - Returns: how it ended; ``Outcome/errorText`` is the end of both of its outputs.
    package static func runGroup(
        _ path: String, _ arguments: [String], environment: [String], input: [UInt8] = [], limit: Double,
        grace: Double, guarding: (() -> Int32?) -> Void = { _ = $0() }
    ) throws(FileError) -> Outcome {
        let begun = MonotonicClock.now()
        let output = try Pipe(for: path)
        let inputFile = input.isEmpty ? OwnedDescriptor(-1) : try file(of: input, for: path)
        let standard = Standard(
            input: input.isEmpty ? nil : inputFile.raw, output: output.writing.raw, error: output.writing.raw)
        var child = pid_t()
        var code: Int32 = 0
        guarding {
            Orphans.starting {
                code = spawn(&child, path, [path] + arguments, environment, [], standard)
                return code == 0 ? child : nil
            }
        }
        let end = output.keepReading()
        guard code == 0 else { throw FileError("run", path, code: code) }
        var heard: [UInt8] = []
        var isAsked = false
        // Waits for the end of the process, not of its outputs, which processes left behind may keep open.
        while !wait(for: child, until: 0) {
            let passed = MonotonicClock.now() - begun
            if passed >= limit, !isAsked {
                kill(-child, SIGTERM)
                isAsked = true
            }
            if passed >= limit + grace { break }
            drain(end.raw, into: &heard, for: passed < 1 ? 0.01 : 0.1)
            Orphans.bury()
        }
        // Its number remains its own until it is reaped, and so does its group's.
        kill(-child, SIGKILL)
        _ = wait(for: child, until: .infinity)
        drain(end.raw, into: &heard, for: 0)
        var status: Int32 = 0
        guarding {
            while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
            return nil
        }
        Orphans.end(of: child)
        let signal = status & 0x7F
        let ending: Ending =
            isAsked ? .timedOut : signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
        return Outcome(ending: ending, errorText: String(decoding: heard, as: UTF8.self))
    }

    /// Reads the bytes that are available or arrive within `seconds`; endless output is cut off.
    private static func drain(_ descriptor: Int32, into heard: inout [UInt8], for seconds: Double) {
        let deadline = MonotonicClock.now() + seconds
        var chunk = [UInt8](repeating: 0, count: 16_384)
        repeat {
            let left = max(0, deadline - MonotonicClock.now())
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&request, 1, Int32((left * 1000).rounded(.up))) > 0 else { return }
            let count = unsafe chunk.withUnsafeMutableBytes {
                unsafe read(descriptor, $0.baseAddress, $0.count)
            }
            if count > 0 {
                heard = (heard + chunk[..<count]).suffix(mostErrorBytes)
            } else if count == 0 {
                // The other end is closed; the process itself may still run.
                usleep(useconds_t(left * 1e6))
                return
            }
        } while MonotonicClock.now() < deadline
    }
}
