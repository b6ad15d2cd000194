import Foundation
import LabSupport
import Synchronization
import Testing

@testable import Host

@Suite("Another program") struct ChildProcessTests {
    private func run(_ script: String, limit: Double = 20, descriptors: [Int32] = []) throws
        -> ChildProcess.Outcome
    {
        try ChildProcess.run(
            "/bin/sh", ["-c", script], environment: ["PATH=/usr/bin:/bin", "WHO=me"],
            descriptors: descriptors,
            limitSeconds: limit, guarding: { _ = $0() })
    }

    @Test("It ends with its status, and what it said last on standard error is kept")
    func ending() throws {
        #expect(
            try run("echo out; echo \"$WHO: no\" >&2; exit 3")
                == .init(ending: .exited(3), errorText: "me: no\n"))
        #expect(try run("kill -TERM $$") == .init(ending: .killed(signal: SIGTERM), errorText: ""))
        let long = try run("i=0; while [ $i -lt 2000 ]; do echo \"line $i\" >&2; i=$((i+1)); done")
        #expect(long.errorText.utf8.count == 4096 && long.errorText.hasSuffix("line 1999\n"))
    }

    @Test("What it writes is listened to when that is asked for, and it is ended when that is too much")
    func output() throws {
        func listen(_ script: String, most: Int) throws -> ChildProcess.Outcome {
            try ChildProcess.run(
                "/bin/sh", ["-c", script], environment: ["PATH=/usr/bin:/bin"], limitSeconds: 20,
                mostOutput: most)
        }
        #expect(
            try listen("echo out; echo no >&2; sleep 0.1; printf more", most: 100)
                == .init(ending: .exited(0), errorText: "no\n", output: Array("out\nmore".utf8)))
        let endless = try listen("while :; do echo again; done", most: 10_000)
        #expect(endless.ending == .killed(signal: SIGKILL))
        #expect(endless.output.count == 10_000)
    }

    @Test("It starts with nothing of ours: no input, no variable, no ignored or blocked signal")
    func clean() throws {
        signal(SIGXFSZ, SIG_IGN)
        defer { signal(SIGXFSZ, SIG_DFL) }
        let outcome = try run(
            "cat >&2; echo \"${HOME-none}\" >&2; grep -E '^Sig(Blk|Ign)' /proc/self/status >&2")
        let lines = outcome.errorText.split(separator: "\n")
        #expect(lines.first == "none" && lines.count == 3)
        for line in lines.dropFirst() {
            let signals = try #require(UInt64(line.split(separator: "\t")[1], radix: 16))
            // The 31 signals that have names; what lies above them the C library keeps for itself.
            #expect(signals & 0x7FFF_FFFF == 0)
        }
    }

    @Test("It gets the descriptors it is given, whatever their numbers are here, and no others")
    func descriptors() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write("in", Array("hello".utf8))
        let input = try #require(FileHandle(forReadingAtPath: scratch.file("in")))
        _ = FileManager.default.createFile(atPath: scratch.file("out"), contents: nil)
        let output = try #require(FileHandle(forWritingAtPath: scratch.file("out")))
        // The wrong way round, if numbers were taken as they come.
        let outcome = try run(
            "cat <&3 >&4; ls /proc/self/fd | tr '\\n' ' ' >&2",
            descriptors: [input.fileDescriptor, output.fileDescriptor])
        #expect(outcome.ending == .exited(0))
        #expect(try String(contentsOfFile: scratch.file("out"), encoding: .utf8) == "hello")
        // 5 is the directory that ls reads.
        #expect(outcome.errorText == "0 1 2 3 4 5 ")
    }

    @Test("It may not take longer than it is given, and what it started ends with it")
    func timeout() throws {
        let clock = ContinuousClock()
        let start = clock.now
        let reports = Mutex<[Int32?]>([])
        let outcome = try ChildProcess.run(
            "/bin/sh", ["-c", "sleep 300 & echo $! >&2; wait"], environment: [], descriptors: [],
            limitSeconds: 0.5,
            guarding: { change in
                let child = change()
                reports.withLock { $0.append(child) }
            })
        #expect(outcome.ending == .timedOut)
        #expect(clock.now - start < .seconds(10))
        let grandchild = try #require(Int32(outcome.errorText.filter(\.isNumber)))
        var isGone = false
        for _ in 0..<500 where !isGone {
            // A process that nobody has buried yet is a zombie, and as dead.
            let status = try? String(contentsOfFile: "/proc/\(grandchild)/stat", encoding: .utf8)
            isGone = status.map { $0.contains(") Z ") } ?? true
            if !isGone { usleep(10_000) }
        }
        #expect(isGone)
        let notices = reports.withLock { $0 }
        #expect(notices.count == 2 && notices[0] != nil && notices[1] == nil)
    }

    @Test("A program that is not there is an error that names it")
    func missing() {
        let error = #expect(throws: FileError.self) {
            try ChildProcess.run(
                "/nowhere/ffmpeg", [], environment: [], descriptors: [], limitSeconds: 1,
                guarding: { _ = $0() })
        }
        #expect(error?.message == "cannot run \"/nowhere/ffmpeg\": No such file or directory")
    }

    @Test("A program is found along PATH, where it can be run and is no directory")
    func path() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write("a/tool", [])
        try scratch.write("b/tool/x", [])
        try scratch.write("c/tool", [])
        #expect(unsafe chmod(scratch.file("c/tool"), 0o755) == 0)
        func find(_ folders: [String]) -> String? {
            let path = folders.map { scratch.file($0) }.joined(separator: ":")
            return ChildProcess.find(
                "tool", in: Environment(variables: ["PATH": path], userID: 0, exists: { _ in false }))
        }
        #expect(find(["a", "b", "none", "c"]) == scratch.file("c/tool"))
        #expect(find(["a", "b"]) == nil)
    }
}
