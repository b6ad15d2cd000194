import Foundation
import Host
import LabSupport
import PrayerEngine
import Protocol
import Testing
import Texts

/// A mosque's box in a temporary directory: the lab's sound card, a configuration, and the real adhand.
final class LabBox {
    let card: LabCard
    var directory: URL { card.directory }
    var state: URL { directory.appending(path: "state") }
    var socket: String { directory.appending(path: "s").path }
    var configuration: URL { directory.appending(path: "adhand.toml") }
    private(set) var program: Program?

    static let audio = Program.checkout.appending(path: "Resources/audio")

    /// A place for which nothing is due for hours, unless the test wants it otherwise; `debug trigger` is
    /// answered.
    init(_ configuration: String = "", place: Spot = Spot(noonIn: 6 * 3600)) throws {
        card = try LabCard()
        try configure(configuration, place: place)
    }

    deinit {
        program = nil
        card.remove()
    }

    func configure(_ text: String, place: Spot = Spot(noonIn: 6 * 3600)) throws {
        let own = text.contains("[debug]") ? "" : "\n[debug]\ntriggers = true\n"
        try (place.toml + text + own).write(to: configuration, atomically: true, encoding: .utf8)
    }

    /// Starts adhand and waits until it answers.
    @discardableResult
    func start(
        environment: [String: String] = [:], stateDirectory: String? = nil,
        launcher: (executable: String, arguments: [String])? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Program {
        let program = try launch(environment: environment, stateDirectory: stateDirectory, launcher: launcher)
        let answers = try await eventually {
            (try? Caller(socket).call(.getStatus)) != nil || !program.process.isRunning
        }
        try #require(
            answers && program.process.isRunning, "adhand does not answer: \(program.text)",
            sourceLocation: sourceLocation)
        return program
    }

    /// Starts adhand without waiting for anything.
    @discardableResult
    func launch(
        environment: [String: String] = [:], stateDirectory: String? = nil,
        launcher: (executable: String, arguments: [String])? = nil
    ) throws -> Program {
        let arguments = [
            "--config", configuration.path, "--state-dir", stateDirectory ?? state.path, "--socket", socket,
            "--audio-dir", Self.audio.path,
        ]
        let all = card.environment.merging(environment) { _, own in own }
        let started = try Program(arguments, in: directory, environment: all, launcher: launcher)
        program = started
        return started
    }

    // MARK: Talking

    func call<Answer>(_ method: MethodSignature<NoParameters, Answer>) throws -> Answer {
        try Caller(socket).call(method)
    }

    func call<Parameters, Answer>(
        _ method: MethodSignature<Parameters, Answer>, _ parameters: Parameters
    ) throws -> Answer {
        try Caller(socket).call(method, parameters)
    }

    @discardableResult
    func change(_ method: MethodSignature<NoParameters, ChangeReply>) throws -> ChangeReply {
        try Caller(socket).call(method)
    }

    @discardableResult
    func change<Parameters>(
        _ method: MethodSignature<Parameters, ChangeReply>, _ parameters: Parameters,
        as claim: CallerClaim? = nil
    ) throws -> ChangeReply {
        try Caller(socket).call(method, parameters, as: claim)
    }

    /// Calls a method that may not exist, with parameters that it may not take.
    func send(_ method: String, _ parameters: some Codable & Sendable = NoParameters()) throws {
        var caller = try Caller(socket)
        try caller.send(Varlink.call(method, parameters))
        _ = try Varlink.read(ChangeReply.self, from: caller.receive() ?? [])
    }

    @discardableResult
    func trigger(_ prayer: String, in delay: String? = nil) throws -> ChangeReply {
        try change(.trigger, TriggerParameters(prayer: prayer, delay: delay))
    }

    var status: StatusDocument {
        get throws { try call(.getStatus).status }
    }

    // MARK: Results

    var history: [HistoryEntry] {
        let text = (try? String(contentsOf: state.appending(path: "history.jsonl"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { try? JSON.decode(HistoryEntry.self, from: $0.utf8) }
    }

    /// The history's entry of an announcement, once it is there.
    func entry(
        _ id: String, within seconds: Double = 20, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> HistoryEntry {
        _ = try await eventually(within: seconds) { history.contains { $0.id == id } }
        return try #require(
            history.last { $0.id == id }, "no history of \(id): \(program?.text ?? "")",
            sourceLocation: sourceLocation)
    }

    func isPlaying(within seconds: Double = 10) async throws -> Bool {
        try await eventually(within: seconds) {
            try status.playback.state == .playing && !card.starts.isEmpty
        }
    }

    /// Waits until a line of the log contains `text`.
    func logs(_ text: String, within seconds: Double = 10) async throws -> Bool {
        try await eventually(within: seconds) { program?.text.contains(text) == true }
    }
}
