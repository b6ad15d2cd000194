import CommandKit
package import ControlClient
import Glibc
import Host
package import Protocol
import Settings
import Texts

/// Checks a configuration with adhand's rights: through the running daemon; else, as root, with a program that runs as adhand's
/// user in its sandbox; else, for a user's own adhand, with a program of that user. If none of these is available, only the
/// text is checked, and the result says so.
package struct CheckRunner {
    let daemon: ControlClient
    /// The given file; `nil`: the files that the next start would read.
    let file: String?

    package init(
        daemon: ControlClient, file: String?
    ) {
        self.daemon = daemon
        self.file = file
    }

    /// Seconds to wait, because devices and files may be slow.
    private static let patienceSeconds = 45.0
    private var isSystem: Bool { daemon.socket == Paths.systemSocket }

    package func document() throws(CommandError) -> CheckDocument {
        guard let file else {
            if let seen = try seen() { return seen }
            return try text()
        }
        let path = Directories.absolute(file)
        let local: Result<CheckDocument, CommandError>
        do throws(CommandError) {
            local = .success(try text())
        } catch {
            local = .failure(error)
        }
        // An invalid text is invalid for every user.
        if case .success(let document) = local, !document.valid { return document }
        if FileAccess.of(path) == .missing { return try local.get() }
        let isOwn = isSystem && path == Paths.systemConfiguration
        guard let seen = try seen(isOwn ? nil : path) else { return try local.get() }
        guard !isOwn, let obstacle = seen.problems.first(where: { $0.kind == .access }) else { return seen }
        // The file may be a draft that will be copied to its place.
        var document = try local.get()
        document.problems.removeAll { $0.kind == .access }
        document.add(
            CheckProblem(
                .access, .warning, "\(obstacle.message); so its sounds and devices were not tried",
                fix: obstacle.fix))
        return document
    }

    // MARK: Checks with adhand's rights

    /// The result with adhand's rights; `nil` if no program with these is available.
    private func seen(_ path: String? = nil) throws(CommandError) -> CheckDocument? {
        do throws(CommandError) {
            return try daemon.ask(
                .check, CheckParameters(file: path),
                patienceSeconds: Self.patienceSeconds
            ).check
        } catch  where error.status == .unreachable && !error.isHang {
            return try asService(path)
        } catch  where error.status == .notPermitted || error.isUnknownMethod {
            return nil
        } catch {
            throw error
        }
    }

    private func asService(_ path: String?) throws(CommandError) -> CheckDocument? {
        guard isSystem, SystemTool.output("systemctl", ["cat", "--no-pager", "adhand.service"]) != nil else {
            return try alone(path)
        }
        return answer(ServiceSandbox.run("adhand.service", options(path), seconds: Self.patienceSeconds))
    }

    private func alone(_ path: String?) throws(CommandError) -> CheckDocument? {
        let environment = Environment.process
        let beside =
            environment.executable.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/adhand"
        guard let program = environment.exists(beside) ? beside : ChildProcess.find("adhand", in: environment)
        else { return nil }
        let variables = environment.variables.map { "\($0.key)=\($0.value)" }
        return answer(
            SystemTool.run(program, options(path), environment: variables, seconds: Self.patienceSeconds))
    }

    private func options(_ path: String?) -> [String] {
        ["--check", "--json"] + (path.map { ["--config", $0] } ?? [])
    }

    private func answer(_ outcome: SystemTool.Outcome?) -> CheckDocument? {
        outcome.flatMap { try? JSON.decode(CheckDocument.self, from: $0.output.utf8) }
    }

    // MARK: The text alone

    private func text() throws(CommandError) -> CheckDocument {
        let user = Account.ownNameOrNumber
        let configuration: LocalConfiguration
        do throws(CommandError) {
            configuration = try LocalConfiguration(file: file)
            let site = try configuration.daemonSite()
            var document = CheckDocument(
                file: configuration.source, view: .text, user: user, files: configuration.files,
                settings: configuration.settings, site: site)
            document.add(
                CheckProblem(
                    .access, .warning,
                    "only the text was looked at, by you: whether adhand can read it, its sounds and its devices, "
                        + (geteuid() == 0
                            ? "it has to say itself, and it does not answer"
                            : "adhand itself or root has to say"),
                    fix: geteuid() == 0 ? nil : "sudo adhanctl check" + (file.map { " \($0)" } ?? "")))
            return document
        } catch  where error.mistake != nil {
            let problems = error.mistake.map { $0.all.map { CheckProblem($0) } } ?? []
            return CheckDocument(file: error.mistake?.file ?? "", view: .text, user: user, problems: problems)
        } catch {
            throw error
        }
    }
}
