import Foundation
import Protocol
import Testing
import Texts

@Suite("check")
struct CheckTests {
    private struct Answer: Decodable {
        let valid: Bool
        let usable: Bool
        let view: CheckDocument.View
        let problems: [CheckProblem]
        let error: ErrorDocument.Details?
    }

    private static func answer(_ outcome: Adhanctl.Outcome) throws -> Answer {
        try JSON.decode(Answer.self, from: outcome.output.utf8)
    }

    @Test(
        "A sound or a device that is not there is exit status 1, a wrong text 65; each with all that was found"
    )
    func statuses() throws {
        let program = try Adhanctl.inQueens("[adhan]\nsound = \"makkah\"\n[audio]\ndevices = [\"nosuch\"]")
        let unusable = try program.run("check")
        #expect(unusable.status == 1)
        #expect(unusable.output.hasPrefix("\(program.configurationFile): valid, but not usable here\n"))
        #expect(unusable.error.contains("adhanctl: there is no sound \"makkah\"; it is for"))
        #expect(unusable.error.contains("\"nosuch\""))
        let json = try Self.answer(try program.run("check --json"))
        #expect(json.valid && !json.usable && json.view == .own)
        #expect(json.problems.map(\.kind) == [.sound, .device])
        #expect(json.error?.name == "NotUsable" && json.error?.exit == 1)

        try program.configure("[adhan]\nvolum = 3\n")
        let wrong = try program.run("check --json")
        let answer = try Self.answer(wrong)
        #expect(wrong.status == 65 && !answer.valid && answer.problems.first?.line == 2)
        #expect(
            answer.error?.name == "ConfigurationInvalid" && answer.error?.file == program.configurationFile)
        #expect(answer.error?.line == 2 && answer.error?.column == 1 && answer.error?.exit == 65)
    }

    @Test("Where adhand runs it is asked, and its word counts, not what this user can read")
    func asks() throws {
        var program = try Adhanctl.inQueens("[audio]\ndevices = [\"null\"]")
        let file = program.configurationFile
        let problem = CheckProblem(
            .access, .problem,
            "adhand cannot read \"\(file)\": its mode 0600 does not let the user adhand read it",
            fix: "sudo chmod a+r \(file)", file: file)
        let found = CheckDocument(file: file, view: .daemon, user: "adhand", problems: [problem])
        let service = FakeService(in: program.home) { _ in .reply(.document(CheckReply(check: found))) }
        program.socket = service.path
        let outcome = try program.run("check")
        #expect(outcome.status == 1 && service.requests == [.check(file: nil)])
        #expect(outcome.error == "adhanctl: \(problem.message); try: sudo chmod a+r \(file)\n")
        // A file that is named may be a draft: that adhand cannot read it where it is, is worth a word.
        let draft = try program.run(["check", file])
        #expect(draft.status == 0 && service.requests.last == .check(file: file))
        #expect(draft.error.contains("so its sounds and devices were not tried"))
        withExtendedLifetime(service) {}
    }

    @Test(
        "An adhand that is older or does not permit it leaves the text alone to be looked at, and that is said"
    )
    func older() throws {
        for refusal in [
            ControlError.methodNotFound(method: "org.adhand.Control.Check"), .notPermitted(needed: "adhan"),
        ] {
            var program = try Adhanctl.inQueens("[adhan]\nsound = \"makkah\"")
            let service = FakeService(in: program.home) { _ in .reply(.refused(refusal)) }
            program.socket = service.path
            let outcome = try program.run("check")
            #expect(
                outcome.status == 0 && outcome.error.contains("warning: only the text was looked at, by you"))
            #expect(try Self.answer(try program.run("check --json")).view == .text)
            withExtendedLifetime(service) {}
        }
    }

    @Test("reload names what cannot be read, and --json has it as well")
    func reload() throws {
        var program = Adhanctl()
        let reply = ChangeReply("reloaded /x", problems: ["adhand cannot read \"/home/a.mp3\""])
        let service = FakeService(in: program.home) { _ in .reply(.document(reply)) }
        program.socket = service.path
        #expect(
            try program.run("reload")
                == .init(
                    status: 0, output: "reloaded /x\n",
                    error: "adhanctl: warning: adhand cannot read \"/home/a.mp3\"\n"))
        #expect(try program.run("reload --json").output.contains("\"problems\":[\"adhand cannot read"))
        withExtendedLifetime(service) {}
    }
}

@Suite("Failing with --json")
struct ErrorTests {
    private static func details(_ outcome: Adhanctl.Outcome) throws -> ErrorDocument.Details {
        #expect(outcome.output.split(separator: "\n").count == 1, "\(outcome)")
        return try JSON.decode(ErrorDocument.self, from: outcome.output.utf8).error
    }

    static let lines = [
        "status", "next", "mute", "log", "log -f", "history", "status --follow", "debug monitor",
        "debug timers", "stop",
        "enable fajr", "test-play fajr", "reload",
    ]

    @Test(
        "Every command prints one document, and its sentence for people on standard error", arguments: lines)
    func unreachable(line: String) throws {
        let outcome = try Adhanctl().run("--socket /nowhere/s \(line) --json")
        let details = try Self.details(outcome)
        #expect(outcome.status == 69 && details.exit == 69 && details.name == "Unreachable")
        #expect(outcome.error == "adhanctl: \(details.message)\n")
    }

    @Test(
        "Wrong usage is a document, too, whatever of the command line was understood",
        arguments: [
            "--json", "--json statu", "mute --json --for never", "times --json --format csv",
            "times --format json --year x",
            "--json times --date x",
            "explain --json dusk", "--json --frob", "enable --json",
        ])
    func usage(line: String) throws {
        let outcome = try Adhanctl.inQueens().run(line)
        let details = try Self.details(outcome)
        #expect(outcome.status == 64 && details.exit == 64 && details.name == "Usage", "\(outcome)")
    }

    @Test("The daemon's refusals keep their names, and a mistake its place")
    func names() throws {
        var program = Adhanctl()
        let service = FakeService(in: program.home) { _ in
            .reply(.refused(.configurationInvalid(file: "/x.toml", line: 3, column: 5, reason: "no")))
        }
        program.socket = service.path
        let details = try Self.details(try program.run("reload --json"))
        #expect(
            details
                == .init(
                    name: "ConfigurationInvalid", message: "no", file: "/x.toml", line: 3, column: 5, exit: 65
                ))
        withExtendedLifetime(service) {}
        let own = try Adhanctl.inQueens("[adhan]\nvolum = 3")
        let local = try Self.details(try own.run("times --json"))
        #expect(local.name == "ConfigurationInvalid" && local.line == 7 && local.exit == 65)
    }
}
