import Foundation
import Host
import LabSupport
import PrayerEngine
import Testing
import Texts

/// The program as it runs on a desktop: a bus and a notification server of the test's own, a prayer that comes within seconds.
@Suite(.serialized) struct NotificationTests {
    private func person(noonIn seconds: Double, _ settings: String = "") throws -> (Person, Spot) {
        let place = Spot(noonIn: seconds)
        let person = try Person(place.toml)
        _ = try person.write("config/adhand/companion.toml", settings)
        return (person, place)
    }

    /// Starts `run`; ended by the returned closure.
    private func run(
        _ person: Person, _ desktop: Desktop?, _ variables: [String: String] = [:]
    ) throws -> (process: Process, text: () -> String) {
        let process = Process()
        process.executableURL = URL(filePath: Person.program)
        process.arguments = ["run"]
        var environment = person.environment.merging(variables) { $1 }
        environment["DBUS_SESSION_BUS_ADDRESS"] = desktop?.address ?? "unix:path=\(person.home)/nobody"
        process.environment = TestClock.under(environment)
        let path = person.home + "/said-\(UInt32.random(in: 0 ... .max))"
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        process.standardError = FileHandle(forWritingAtPath: path)
        try process.run()
        return (process, { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" })
    }

    private func end(_ process: Process) {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    @Test("A prayer is announced at its time, and a press marks it")
    func thePrayerIsSaidAndMarkedByAPress() throws {
        let (person, place) = try person(noonIn: 6)
        let desktop = try Desktop(in: person.home)
        try desktop.startServer()
        let program = try run(person, desktop)
        defer { end(program.process) }
        let name = place.prayer.title
        #expect(desktop.eventually { !desktop.notified.isEmpty }, "\(program.text())")
        let notification = try #require(desktop.notified.first)
        #expect(WallClock.now() >= place.noon)
        #expect(notification.title == "Time for \(name)")
        #expect(notification.body == "It's time to pray \(name) in Test Island")
        #expect(notification.actions == "prayed,Prayed,snooze,Snooze 20 min")
        #expect(
            notification.hints.contains("urgency=1")
                && notification.hints.contains("desktop-entry=adhan-companion"))
        #expect(notification.timeout == "0")
        // A press that is not the server's: nobody pressed anything.
        try desktop.forge(notification.id, "prayed")
        usleep(500_000)
        #expect(desktop.closed.isEmpty)
        #expect(try person.run("export").output.split(separator: "\n").count <= 1)
        desktop.press(notification.id, "prayed")
        #expect(desktop.eventually { desktop.closed == [notification.id] })
        let marks = try person.run("export").output.split(separator: "\n")
        #expect(
            marks.count == 2 && marks[1].contains(",dhuhr,prayed,") && marks[1].contains(",notification,"),
            "\(marks)")
        // Nothing more is said of it, and nothing of what is marked is in what it says to the journal.
        usleep(1_500_000)
        #expect(desktop.notified.count == 1)
        #expect(!program.text().lowercased().contains(name.lowercased()))
    }

    @Test("A snooze survives the end of the program and replaces the notification")
    func aSnoozeOutlivesTheProgramAndReplacesWhatWasSaid() throws {
        let (person, place) = try person(noonIn: 5)
        let desktop = try Desktop(in: person.home)
        try desktop.startServer()
        let first = try run(person, desktop)
        #expect(desktop.eventually { !desktop.notified.isEmpty }, "\(first.text())")
        desktop.press("1", "snooze")
        #expect(desktop.eventually { desktop.closed == ["1"] })
        end(first.process)
        let pending = try person.document("pending --json")["pending"] as? [[String: Any]] ?? []
        let again = try #require(pending.first { $0["kind"] as? String == "snoozed" }, "\(pending)")
        #expect(again["prayer"] as? String == place.prayer.rawValue)
        #expect(!pending.contains { $0["id"] as? String == "prayer_\(place.id)" })
        #expect(pending.contains { $0["kind"] as? String == "follow-up" })
    }

    /// A text-only server explains how to mark; a reminder is replaced by the prayer; what is marked meanwhile is not said.
    @Test("A server without actions shows how to mark, and the prayer replaces its reminder")
    func aServerWithoutActionsIsServed() throws {
        let (person, place) = try person(noonIn: 9, "[prayer]\nreminders = [\"4s\"]\n")
        let desktop = try Desktop(in: person.home)
        try desktop.startServer("body")
        let program = try run(person, desktop)
        defer { end(program.process) }
        #expect(desktop.eventually { !desktop.notified.isEmpty }, "\(program.text())")
        let reminder = try #require(desktop.notified.first)
        #expect(reminder.title == "\(place.prayer.title) in 4 s")
        #expect(reminder.actions.isEmpty && reminder.hints.contains("urgency=0") && reminder.timeout == "-1")
        #expect(desktop.eventually { desktop.notified.count == 2 })
        let prayer = try #require(desktop.notified.last)
        #expect(prayer.replaced == reminder.id, "piled up instead of replaced")
        #expect(prayer.body.hasSuffix("|Mark it with: prayed"))
        #expect(prayer.timeout == "-1", "where nothing can be pressed, nothing waits for it")
    }

    /// No bus at first, then one without a server, then the server, then another bus.
    @Test("A prayer is announced once, although the bus is lost and the server starts late")
    func busAndServerMayComeLateAndGo() throws {
        let (person, place) = try person(noonIn: 9)
        let program = try run(person, nil)
        defer { end(program.process) }
        #expect(Self.eventually { program.text().contains("no session bus") })
        end(program.process)

        let desktop = try Desktop(in: person.home)
        let late = try run(person, desktop)
        defer { end(late.process) }
        #expect(Self.eventually { desktop.isInUse }, "\(late.text())")
        try desktop.restartBus()
        #expect(Self.eventually { late.text().contains("no session bus") }, "\(late.text())")
        // The prayer comes while there is no server, and a second is enough to find none.
        #expect(Self.eventually { WallClock.now() >= place.noon + 1 })
        try desktop.startServer()
        #expect(desktop.eventually(within: 30) { desktop.notified.count == 1 }, "\(late.text())")
        #expect(
            late.text().split(separator: "\n").count { $0.contains("no session bus") } == 1, "\(late.text())")
    }

    @Test("A second instance for the same user is refused")
    func twoInstancesAreOneTooMany() throws {
        let (person, _) = try person(noonIn: 3600)
        let desktop = try Desktop(in: person.home)
        let first = try run(person, desktop)
        defer { end(first.process) }
        #expect(Self.eventually { Self.holdsLock(first.process) }, "\(first.text())")
        let second = try person.run("run", ["DBUS_SESSION_BUS_ADDRESS": desktop.address])
        #expect(second.status == 1)
        #expect(second.error.contains("runs already for this user"))
    }

    /// Forward to a prayer, back before it, and to the next day's: each is said once, and what a leap passed over is no news.
    @Test("Each prayer is announced once, however the clock is set")
    func aClockThatIsSetSaysEachPrayerOnce() throws {
        let clock = try SteppedClock()
        let (person, place) = try person(noonIn: 3600, "[prayer]\nreminders = []\nfollow-up = \"0s\"\n")
        let desktop = try Desktop(in: person.home)
        try desktop.startServer()
        let program = try run(person, desktop, clock.environment)
        defer { end(program.process) }
        let title = "Time for \(place.prayer.title)"
        func titles() -> [String] { desktop.notified.map(\.title) }
        #expect(Self.eventually { FileManager.default.fileExists(atPath: person.data) })
        usleep(1_000_000)
        #expect(titles().isEmpty)
        var ahead = 0
        func set(to instant: Instant) {
            ahead = Int(instant - WallClock.now())
            clock.set(ahead: ahead)
        }
        set(to: place.noon - 3)
        #expect(desktop.eventually { titles() == [title] }, "\(program.text())")
        set(to: place.noon - 600)
        usleep(2_000_000)
        set(to: place.noon - 2)
        #expect(Self.eventually { WallClock.now() + Double(ahead) >= place.noon + 3 })
        #expect(titles() == [title], "it comes once, however often the clock passes it")
        // Past the afternoon's prayers by a leap: they are old news.
        set(to: place.noon + 86_400 - 3600)
        usleep(2_000_000)
        #expect(titles() == [title])
        let pending = try person.document("pending --json", clock.environment)["pending"] as? [[String: Any]]
        let next = try #require(
            pending?.first { ($0["title"] as? String)?.hasPrefix("Time for") == true }?["at"] as? String)
        set(to: try #require(InstantText.parse(next)) - 3)
        // One that a leap had brought late or twice would be among them.
        #expect(desktop.eventually { titles().count >= 2 }, "\(program.text())")
        #expect(titles().count == 2, "\(titles())")
    }

    /// Nothing can be written: notifications come nevertheless, and say that nothing can be marked.
    @Test("With a full disk prayers are announced, and a press says that nothing was marked")
    func aFullDiskSilencesNothing() throws {
        let (person, place) = try person(noonIn: 6)
        let desktop = try Desktop(in: person.home)
        try desktop.startServer()
        let library = try FullDisk.library.get()
        let program = try run(person, desktop, ["LD_PRELOAD": library, "FULL_AT_WRITE": "1"])
        defer { end(program.process) }
        #expect(desktop.eventually { !desktop.notified.isEmpty }, "\(program.text())")
        #expect(desktop.notified.first?.title == "Time for \(place.prayer.title)")
        desktop.press(desktop.notified[0].id, "prayed")
        #expect(desktop.eventually { desktop.notified.last?.title == "It could not be marked" })
        #expect(desktop.notified.last?.body.contains("nothing was changed") == true)
        #expect(desktop.closed.isEmpty, "it may be marked again")
    }

    @Test("A mistake in companion.toml is reported with its place")
    func aMistakeInTheSettingsIsToldWhereItIs() throws {
        let (person, _) = try person(noonIn: 3600, "[notifications]\nsnoze = \"10m\"\n")
        let done = try person.run("pending")
        #expect(done.status == 65)
        #expect(done.error.contains("companion.toml:2:1: unknown key notifications.snoze"), "\(done.error)")
    }

    /// Whether it is the one program of its user that says what is due. Asking for the lock would take it from it.
    private static func holdsLock(_ process: Process) -> Bool {
        let locks = (try? String(contentsOfFile: "/proc/locks", encoding: .utf8)) ?? ""
        return locks.contains(" \(process.processIdentifier) ")
    }

    private static func eventually(within seconds: Double = 20, _ condition: () -> Bool) -> Bool {
        let deadline = Date().addingTimeInterval(seconds)
        while Date() < deadline {
            if condition() { return true }
            usleep(20_000)
        }
        return condition()
    }
}
