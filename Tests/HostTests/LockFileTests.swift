import Foundation
import LabSupport
import Testing

@testable import Host

@Suite("A file that one program holds")
struct LockFileTests {
    @Test("Who holds it is waited for, and given up after a while; afterwards nothing lies there")
    func held() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let path = scratch.file("a.lock")
        let first = try #require(try LockFile.acquire(path, patienceSeconds: 0))
        #expect(try LockFile.acquire(path, patienceSeconds: 0.1) == nil)
        first.release()
        #expect(!FileManager.default.fileExists(atPath: path))
        let second = try #require(try LockFile.acquire(path, patienceSeconds: 0))
        second.release()
    }

    @Test(
        "What a killed program left binds nobody; what is no file is refused; a directory that is missing is reported"
    )
    func leftovers() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write("a.lock", [])
        try #require(try LockFile.acquire(scratch.file("a.lock"), patienceSeconds: 0)).release()
        try scratch.link("link.lock", to: scratch.file("elsewhere"))
        #expect(throws: FileError.self) {
            try LockFile.acquire(scratch.file("link.lock"), patienceSeconds: 0)
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.file("elsewhere")))
        let made = unsafe mkfifo(scratch.file("pipe.lock"), 0o600)
        #expect(made == 0)
        #expect(throws: FileError.self) {
            try LockFile.acquire(scratch.file("pipe.lock"), patienceSeconds: 0)
        }
        #expect(throws: FileError.self) {
            try LockFile.acquire(scratch.file("no/a.lock"), patienceSeconds: 0)
        }
    }

    @Test("Of many who want it each has it alone")
    func crowd() async throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let (path, count) = (scratch.file("a.lock"), scratch.file("count"))
        try "0".write(toFile: count, atomically: false, encoding: .utf8)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...8 {
                group.addTask {
                    let lock = try #require(try LockFile.acquire(path, patienceSeconds: 20))
                    let number = Int(try String(contentsOfFile: count, encoding: .utf8)) ?? 0
                    usleep(2000)
                    try "\(number + 1)".write(toFile: count, atomically: false, encoding: .utf8)
                    lock.release()
                }
            }
            try await group.waitForAll()
        }
        #expect(try String(contentsOfFile: count, encoding: .utf8) == "8")
    }
}
