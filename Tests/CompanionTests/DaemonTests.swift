import Foundation
import LabSupport
import Protocol
import Testing
import Texts

/// The companion beside a real adhand that plays on a sound card of the test's own.
@Suite(.serialized) struct DaemonTests {
    private func beside(_ name: String) -> String {
        BuiltProgram.path(name, beside: Person.program)
    }

    private func start(
        _ program: String, _ arguments: [String], _ environment: [String: String], error: String? = nil
    ) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = TestClock.under(environment)
        if let error { _ = FileManager.default.createFile(atPath: error, contents: nil) }
        process.standardError = error.flatMap { FileHandle(forWritingAtPath: $0) } ?? FileHandle.nullDevice
        try process.run()
        return process
    }

    private func end(_ process: Process) {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// A press stops what plays; a second one, when nothing plays, mutes the next, and says so.
    @Test("A press stops what plays; while nothing plays it mutes the next adhan")
    func thePressMutesWhatPlays() throws {
        let place = Spot(noonIn: 10)
        let person = try Person(place.toml)
        let card = try LabCard()
        let desktop = try Desktop(in: person.home)
        try desktop.startServer()
        let socket = person.home + "/adhand.sock"
        var environment = person.environment.merging(card.environment) { $1 }
        environment["ADHAND_SOCKET"] = socket
        environment["DBUS_SESSION_BUS_ADDRESS"] = desktop.address
        func startDaemon() throws -> Process {
            try start(
                beside("adhand"),
                [
                    "--config", person.home + "/config/adhand/adhand.toml",
                    "--state-dir", person.home + "/state", "--socket", socket,
                    "--audio-dir", Person.checkout.appending(path: "Resources/audio").path,
                ], environment)
        }
        let daemon = try startDaemon()
        defer { end(daemon) }
        func status() throws -> StatusDocument? {
            let text = try person.run(["--json", "status"], environment, program: beside("adhanctl")).output
            return try? JSON.decode(StatusDocument.self, from: text.utf8)
        }
        #expect(try desktop.eventually { try status() != nil })
        let errorLog = person.home + "/said"
        let companion = try start(Person.program, ["run"], environment, error: errorLog)
        defer { end(companion) }
        #expect(desktop.eventually { desktop.notified.contains { $0.title.hasPrefix("Time for") } })
        let notice = try #require(desktop.notified.last)
        #expect(notice.actions.hasSuffix("mute,Mute the adhan"), "\(notice)")
        #expect(notice.hints.contains("suppress-sound"), "adhand itself is heard: \(notice)")
        #expect(try desktop.eventually { try status()?.playback.state == .playing })
        #expect(desktop.eventually { card.heardS16.contains { $0 != 0 } }, "nothing is heard")
        desktop.press(notice.id, "mute")
        #expect(try desktop.eventually { try status()?.playback.state == .idle })
        #expect(try status()?.mute.active == false, "what played was stopped, nothing more")
        let history = try person.run(["history", "--json"], environment, program: beside("adhanctl")).output
        #expect(history.contains("\"endedBy\":\"adhanctl stop"), "\(history)")

        desktop.press(notice.id, "mute")
        #expect(try desktop.eventually { try status()?.mute.active == true })
        #expect(try status()?.mute.scope == "next")
        #expect(desktop.eventually { desktop.notified.last?.title == "The next adhan is muted" })
        #expect(desktop.notified.last?.body.contains(" in Test Island is at ") == true)
        #expect(!desktop.closed.contains(notice.id), "it may still be marked")

        // A mute that cannot be saved is in force all the same, and is not called a failure.
        let state = person.home + "/state"
        _ = try person.run(["unmute"], environment, program: beside("adhanctl"))
        try FileManager.default.moveItem(atPath: state, toPath: state + "-away")
        desktop.press(notice.id, "mute")
        #expect(desktop.eventually { desktop.notified.last?.body.contains(state) == true }, "no reason")
        #expect(desktop.notified.last?.title == "The next adhan is muted")
        try FileManager.default.moveItem(atPath: state + "-away", toPath: state)

        // The notice that adhand has stopped stands there until it is back.
        end(daemon)
        #expect(desktop.eventually { desktop.notified.last?.title == "adhand has stopped" })
        let stopped = try #require(desktop.notified.last)
        #expect(stopped.timeout == "0")
        let again = try startDaemon()
        defer { end(again) }
        #expect(desktop.eventually { desktop.closed.contains(stopped.id) })
        #expect(!desktop.closed.contains(notice.id))
    }

    /// The times of the mosque's table and of an exception hold without the daemon, too.
    @Test("The times of a timetable and of an exception hold while no daemon runs")
    func theTimetableCountsWithoutADaemon() throws {
        let person = try Person()
        let state = person.home + "/state/adhand"
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        let rows = (-1...3).map { "\(person.date(-$0)),05:01,06:31,12:03,14:04,16:35,18:06\n" }
        try ("date,fajr,sunrise,dhuhr,asr,maghrib,isha\n" + rows.joined()).write(
            toFile: state + "/timetable.csv", atomically: true, encoding: .utf8)
        let variables = ["XDG_STATE_HOME": person.home + "/state"]
        func times() throws -> Set<String> {
            let outcome = try person.run("next --json --count 5", variables)
            let document = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
            let prayers = document?["prayers"] as? [[String: Any]] ?? []
            return Set(
                prayers.compactMap { ($0["at"] as? String).map { String($0.dropFirst(11).prefix(5)) } })
        }
        #expect(try times() == ["05:01", "12:03", "14:04", "16:35", "18:06"])
        let adhanctl = try person.run(
            ["times", "--json", "--date", person.date(0)], variables, program: beside("adhanctl"))
        #expect(adhanctl.output.contains("T14:04:00"), "the two programs agree: \(adhanctl)")

        // A table that cannot be used is said, and not taken for none in silence.
        try "date,fajr\nnonsense,1\n".write(
            toFile: state + "/timetable.csv", atomically: true, encoding: .utf8)
        let outcome = try person.run("next", variables)
        #expect(
            outcome.status == 0 && outcome.error.contains("times are calculated, without a timetable"),
            "\(outcome)")
    }

    @Test("The language is that of companion.toml, else that of the environment")
    func theLanguageIsThatOfTheEnvironmentOrTheFile() throws {
        let person = try Person()
        _ = try person.run("prayed isha --date yesterday")
        #expect(try person.run("week", ["LANG": "tr_TR.UTF-8"]).output.contains("Yatsı"))
        #expect(try person.run("week").output.contains("Isha"))
        _ = try person.write("config/adhand/companion.toml", "language = \"ar\"\n")
        let outcome = try person.run("week --plain", ["LANG": "tr_TR.UTF-8"])
        #expect(outcome.output.contains("العشاء في وقتها") && !outcome.output.contains("Yatsı"), "\(outcome)")
        #expect(try person.run("pending", ["LANG": "tr_TR.UTF-8"]).output.contains("حان وقت"))
        _ = try person.write("config/adhand/companion.toml", "language = \"klingon\"\n")
        #expect(
            try person.run("week").error.contains("companion.toml:1:12: language must be a language's code"))
    }
}
