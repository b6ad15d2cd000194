import ArgumentParser
import CLinux
import CommandKit
import Glibc
import Host
import Languages
import PrayerEngine
import PrayerLog
import Texts

struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Says on the desktop what is due: prayers, reminders, what is not marked yet.",
        discussion: """
            It stays until it is ended; the user service adhan-companion.service runs it. Without a session bus it waits for \
            one, without adhand it goes on by the last times that it received, or by the configuration.
            """)

    @OptionGroup var global: CompanionOptions

    func run() throws {
        let loop = try CompanionLoop(global)
        let lock = try OnlyOne(Paths.userData(.process))
        try withExtendedLifetime(lock) { try loop.run() }
    }
}

/// A lock against a second instance, which would show every notification twice. It is held until the program ends, and on the
/// directory itself, because a full disk has no room for a file.
private final class OnlyOne {
    private let directory: OwnedDescriptor?

    init(_ path: String) throws(Refusal) {
        do throws(FileError) {
            try Directories.makePrivate(path)
        } catch {
            // A notification can still be shown if its log cannot be written.
            StandardError.write("adhan-companion: \(error.message); what is marked cannot be kept")
        }
        let raw = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        directory = raw < 0 ? nil : OwnedDescriptor(raw)
        guard raw < 0 || flock(raw, LOCK_EX | LOCK_NB) == 0 else {
            throw Refusal(
                .failed, "adhan-companion runs already for this user; two would say everything twice")
        }
    }
}

struct Pending: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pending",
        abstract: "What will be said on the desktop today and tomorrow, unless prayers are marked before.")

    @OptionGroup var global: CompanionOptions

    func run() throws {
        let person = try global.person()
        let log = try person.logbook(try person.store())
        let plan = NotificationPlan(
            log, zone: person.times.zone, settings: person.settings,
            snoozed: Snoozes(directory: person.directory).read(), after: log.today.now)
        let pending = plan.notices.compactMap { notice -> (PersonalNotice, Notification)? in
            guard let window = log.today.windows(notice.slot.date)?[notice.slot.prayer] else { return nil }
            let around = NoticeSurroundings(
                place: person.times.name, zone: person.times.zone, window: window,
                qibla: person.times.place.map { Qibla(from: $0).bearing },
                hasAdhan: person.times.origin == .adhand, mayMute: false, capabilities: ["actions"])
            return (notice, Notification(notice, around, words: person.words, settings: person.settings))
        }
        let document = PendingDocument(pending, in: person.times.zone)
        if global.json { return try global.output.write(document: document) }
        var table = TextTable([.left, .left, .left])
        for entry in document.pending {
            table.add([
                TextTable.Cell("\(entry.at.prefix(10)) \(entry.at.dropFirst(11).prefix(5))"),
                TextTable.Cell(entry.id),
                TextTable.Cell(entry.title),
            ])
        }
        try global.output.write(
            document.pending.isEmpty
                ? person.words.text(.nothingPending) + "\n" : table.rendered(global.output.style))
    }
}
