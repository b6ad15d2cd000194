import CommandKit
package import Console
import Glibc
import Host
import Settings
import Texts

/// Setup's alert about missed adhans, written to the file of adhan-bridge beside the configuration. The service is only changed
/// if that is the machine's configuration.
package struct MessageSetup {
    private let file: String
    private let program: String?
    private let isForMachine: Bool

    private static let name = "phone"
    private static let user = "adhan-bridge"
    private static let unit = "adhan-bridge.service"

    /// - Parameter configuration: the configuration that is being set up.
    package init(beside configuration: String) {
        file = Directories.parent(of: configuration) + "/bridge.toml"
        isForMachine = configuration == Paths.systemConfiguration
        let own = Directories.parent(of: Environment.process.executable)
        program = [own, "/usr/local/bin", "/usr/bin"].map { "\($0)/adhan-bridge" }.first {
            unsafe access($0, X_OK) == 0
        }
    }

    // MARK: - The present state

    private struct Listing: Decodable {
        struct Alert: Decodable {
            let name: String
            let kind: String
            let address: String?
        }

        let alerts: [Alert]
    }

    package var surroundings: SetupMessages {
        guard let program else { return .notInstalled }
        let outcome = ask(program, ["alert", "--config", file, "--json"], seconds: 10)
        guard outcome.isGood, let listing = try? JSON.decode(Listing.self, from: Array(outcome.output.utf8))
        else { return .unreadable(outcome.reason) }
        let own = listing.alerts.first { $0.name == Self.name }
        return .ready(
            .init(
                file: file, now: own?.address, hasOthers: listing.alerts.contains { $0.name != Self.name },
                proposal: NtfyTopic.new().name))
    }

    // MARK: - A test message

    /// Sends a message before anything is saved.
    package func send(to address: String) -> MessageOutcome {
        guard let program else { return .failed(reason: "adhan-bridge is not installed") }
        var template = Array("/tmp/adhand-setup-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            return .failed(reason: "no folder can be made in /tmp: \(SystemError.text(errno))")
        }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer {
            for name in ["bridge.toml", "bridge.toml.bak", "bridge.toml.lock"] {
                unsafe unlink("\(folder)/\(name)")
            }
            unsafe rmdir(folder)
        }
        // Let the service's user into the folder; the file in it is readable by root and the service alone.
        unsafe chmod(folder, 0o755)
        let trial = "\(folder)/bridge.toml"
        let written = ask(
            program, ["alert", address, "--name", Self.name, "--config", trial, "--json"], seconds: 10)
        guard written.isGood else { return .failed(reason: written.reason) }
        return test(program, trial)
    }

    /// Runs the test as the service's user if there is one: a message needs no rights, and a file that this user cannot read
    /// would fail in the service as well.
    private func test(_ program: String, _ file: String) -> MessageOutcome {
        let command = [program, "test", Self.name, "--config", file, "--json"]
        let asUser = geteuid() == 0 && Account.home(of: Self.user) != nil
        let runner = "/usr/sbin/runuser"
        let outcome: Outcome
        if asUser, Environment.process.exists(runner) {
            outcome = ask(runner, ["-u", Self.user, "--"] + command, seconds: 40)
        } else {
            outcome = ask(program, Array(command.dropFirst()), seconds: 40)
        }
        return outcome.isGood ? .delivered : .failed(reason: outcome.reason)
    }

    // MARK: - Saving

    /// Writes the answer, makes the service use it, and sends a test message if none was sent.
    package func save(_ answer: MessageAnswer) -> SetupDocument.Alert {
        guard let program else {
            return result(
                answer, saved: false, nil,
                "adhan-bridge is not installed, so nobody learns when an adhan is not heard.", nil)
        }
        let words: [String] =
            switch answer {
            case .to(let address, _): ["alert", address, "--name", Self.name]
            case .nobody: ["alert", "--remove", "--name", Self.name]
            }
        let written = ask(program, words + ["--config", file, "--json"], seconds: 20)
        guard written.isGood else {
            return result(
                answer, saved: false, nil, "No address for messages was saved: \(written.reason)".ended, nil)
        }
        let service = start()
        guard case .to(let address, let isTried) = answer else {
            return result(
                answer, saved: true, nil,
                "Nobody learns any more when an adhan is not heard. \(service.message)",
                service.fix)
        }
        let outcome = "\(address) learns when an adhan is not heard"
        if isTried {
            return result(answer, saved: true, true, "\(outcome). \(service.message)", service.fix)
        }
        switch test(program, file) {
        case .delivered:
            return result(
                answer, saved: true, true, "\(outcome); a test message was taken there. \(service.message)",
                service.fix)
        case .failed(let reason):
            return result(
                answer, saved: true, false,
                "\(outcome), but the test message was not taken: \(reason.ended) \(service.message)",
                service.fix ?? "sudo adhan-bridge test \(Self.name)")
        }
    }

    private func result(
        _ answer: MessageAnswer, saved: Bool, _ delivered: Bool?, _ message: String, _ fix: String?
    ) -> SetupDocument.Alert {
        var address: String?
        if case .to(let text, _) = answer { address = text }
        return .init(
            file: file, address: address, saved: saved, delivered: delivered,
            message: message.trimming(while: \.isWhitespace), fix: fix)
    }

    // MARK: - The service

    private func start() -> (message: String, fix: String?) {
        guard isForMachine else { return ("", nil) }
        let typed = "sudo systemctl enable --now adhan-bridge"
        guard Environment.process.exists("/run/systemd/system") else {
            return ("systemd does not run here: start adhan-bridge yourself.", nil)
        }
        func does(_ words: [String]) -> Bool { SystemTool.run("systemctl", words, seconds: 40)?.status == 0 }
        // A running service reads the file again; a stopped one is started.
        guard does(["enable", Self.unit]), does(["reload-or-restart", Self.unit]) else {
            return ("adhan-bridge, which sends the messages, could not be started.", typed)
        }
        return ("adhan-bridge runs, and starts with the machine.", nil)
    }

    // MARK: - Asking adhan-bridge

    private struct Outcome {
        let isGood: Bool
        let output: String
        /// The reason without its full stop.
        let reason: String
    }

    private func ask(_ program: String, _ words: [String], seconds: Double) -> Outcome {
        let environment = ["PATH=/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL=C.UTF-8", "HOME=/nonexistent"]
        guard
            let outcome = try? ChildProcess.run(
                program, words, environment: environment, limitSeconds: seconds, mostOutput: 1 << 20)
        else { return Outcome(isGood: false, output: "", reason: "\"\(program)\" cannot be started") }
        let output = String(decoding: outcome.output, as: UTF8.self)
        switch outcome.ending {
        case .exited(0): return Outcome(isGood: true, output: output, reason: "")
        case .timedOut: return Outcome(isGood: false, output: output, reason: "adhan-bridge does not end")
        default:
            // The last line has the form "adhan-bridge: SENTENCE".
            var sentence = outcome.errorText.split(whereSeparator: \.isNewline).last.map(String.init) ?? ""
            if sentence.hasPrefix("adhan-bridge: ") { sentence.removeFirst("adhan-bridge: ".count) }
            return Outcome(
                isGood: false, output: output,
                reason: sentence.isEmpty ? "adhan-bridge failed without a word" : PlainText.visible(sentence))
        }
    }
}
