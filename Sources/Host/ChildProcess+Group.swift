internal import CLinux
internal import Glibc

extension ChildProcess {
    /// Runs `path` as a group of processes that ends with it: whatever it left behind is killed, and where ``Orphans/adopt()`` was called
    /// also what left its group.
    /// - Parameters:
    ///   - arguments: without the program's own name.
    ///   - environment: `NAME=value` each; nothing of our own is handed on.
    ///   - input: the bytes of its standard input; it need not read them.
    ///   - limit: seconds after which the group is asked to end.
    ///   - grace: seconds after which it is killed then.
    ///   - guarding: as ``run(_:called:_:environment:input:descriptors:limit:mostOutput:guarding:)`` has it.
    /// - Returns: how it ended; ``Outcome/errorText`` is the end of both of its outputs.
    package static func runGroup(
        _ path: String, _ arguments: [String], environment: [String], input: [UInt8] = [], limit: Double,
        grace: Double, guarding: (() -> Int32?) -> Void = { _ = $0() }
    ) throws(FileError) -> Outcome {
        let begun = WallClock.monotonic()
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
        // Its end is looked for, and not that of its outputs, which what it left behind may hold open.
        while !wait(for: child, until: 0) {
            let passed = WallClock.monotonic() - begun
            if passed >= limit, !isAsked {
                kill(-child, SIGTERM)
                isAsked = true
            }
            if passed >= limit + grace { break }
            drain(end.raw, into: &heard, for: passed < 1 ? 0.01 : 0.1)
            Orphans.bury()
        }
        // Its number is its own until it is buried, and so is its group's.
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

    /// Reads what is there now, or comes within `seconds`; one that writes without end is not listened to for longer.
    private static func drain(_ descriptor: Int32, into heard: inout [UInt8], for seconds: Double) {
        let deadline = WallClock.monotonic() + seconds
        var chunk = [UInt8](repeating: 0, count: 16_384)
        repeat {
            let left = max(0, deadline - WallClock.monotonic())
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&request, 1, Int32((left * 1000).rounded(.up))) > 0 else { return }
            let count = unsafe chunk.withUnsafeMutableBytes {
                unsafe read(descriptor, $0.baseAddress, $0.count)
            }
            if count > 0 {
                heard = (heard + chunk[..<count]).suffix(mostErrorBytes)
            } else if count == 0 {
                // Nobody holds the other end any longer; the process itself may still run.
                usleep(useconds_t(left * 1e6))
                return
            }
        } while WallClock.monotonic() < deadline
    }
}
