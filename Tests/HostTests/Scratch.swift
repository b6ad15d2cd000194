import Foundation

/// A directory for one test, short enough for a socket's path. Who makes it removes it.
struct Scratch {
    let path: String

    init() throws {
        path = "/tmp/ah-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String { path + "/" + name }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        let target = URL(fileURLWithPath: file(name))
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: target)
    }

    func removeFile(_ name: String) throws {
        try FileManager.default.removeItem(atPath: file(name))
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: file(name), withDestinationPath: target)
    }
}
