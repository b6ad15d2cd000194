import CommandKit
import ControlClient
import Foundation
import Host
import Protocol
import Testing

@testable import Maintenance

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

    /// The content; `nil` if there is no such file.
    func read(_ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: file(name)).map { [UInt8]($0) }
    }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: true)
    }

    func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: file(folder)).sorted()
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: file(name), withDestinationPath: target)
    }

    /// No adhand answers there.
    var silent: ControlClient { ControlClient(socket: file("no-socket")) }

    /// This directory as the state of an adhand that does not run.
    var place: StatePlace { StatePlace(named: path, silent) }
}

/// The refusal of an act; `nil` if it was carried out.
func refusal(_ act: () throws -> Void) -> CommandError? {
    do {
        try act()
        return nil
    } catch let error as CommandError {
        return error
    } catch {
        Issue.record(error)
        return nil
    }
}

/// The reply of the intake to an act that it refuses; `nil` if it was carried out.
func refusedReply(_ act: () throws -> Void) -> IntakeReply? {
    do {
        try act()
        return nil
    } catch let error as IntakeError {
        return error.reply
    } catch {
        Issue.record(error)
        return nil
    }
}
