import Foundation
import Glibc
import Host
import Testing

@Suite("Why a file cannot be read")
struct FileAccessTests {
    @Test("What is there and what is not")
    func plain() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "access-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appending(path: "a").path
        try "x".write(toFile: file, atomically: true, encoding: .utf8)
        #expect(FileAccess.of(file) == .readable)
        #expect(FileAccess.of(file + "b") == .missing)
        #expect(FileAccess.of(file + "/b") == .missing)
        #expect(FileAccess.of("/nowhere/at/all") == .missing)
    }

    @Test("The cause is named, and the command that mends it")
    func sentences() {
        #expect(
            FileAccess.closedFile(mode: 0o600).obstacle(for: "adhand")
                == "its mode 0600 does not let the user adhand read it")
        #expect(FileAccess.closedFile(mode: 0o600).remedy(for: "/a") == "sudo chmod a+rX /a")
        #expect(
            FileAccess.closedDirectory("/srv", mode: 0o700).obstacle(for: "adhand")
                == "the directory /srv (mode 0700) is closed to the user adhand")
        #expect(
            FileAccess.closedDirectory("/srv", mode: 0o700).remedy(for: "/srv/a") == "sudo chmod a+x /srv")
        #expect(
            FileAccess.hidden(directory: "/home").obstacle(for: "adhand")
                == "the service's sandbox hides /home from adhand")
        #expect(FileAccess.readable.obstacle(for: "adhand") == nil)
    }
}
