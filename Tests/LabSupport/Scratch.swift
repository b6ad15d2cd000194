import Foundation

/// A directory for one test, short enough for a socket's path. Who makes it removes it.
package struct Scratch {
    package let path: String

    package init() throws {
        path = "/tmp/ah-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    package func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }

    package func file(_ name: String) -> String { path + "/" + name }

    /// Writes a file, with the folders that its name needs.
    package func write(_ name: String, _ bytes: [UInt8]) throws {
        let target = URL(fileURLWithPath: file(name))
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: target)
    }

    /// The content; `nil` if there is no such file.
    package func read(_ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: file(name)).map { [UInt8]($0) }
    }

    package func removeFile(_ name: String) throws {
        try FileManager.default.removeItem(atPath: file(name))
    }

    package func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: true)
    }

    package func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: file(folder)).sorted()
    }

    package func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: file(name), withDestinationPath: target)
    }
}
