import BoxCard
import CommandKit
import Console
import ControlClient
import Glibc
import Host
import Protocol
import Settings
import Texts
import Times
import TimetableImport

/// Imports files while adhand runs: recordings one after another, and the timetable for the configured place.
extension CardImport {
    package func runAfter() {
        waitForAdhand()
        var isNews = importSounds()
        importTimetables()
        // A configuration with fewer settings is intended if it comes from the card. A new recording is no evidence of that.
        let isConfigured = CardBox.exists(box.configured)
        if isConfigured { isNews = true } else if isNews, isLost { isNews = false }
        if isNews, CardBox.runTool("systemctl", "--quiet", "is-active", "adhand.service") != nil {
            // Nobody reads the answer, so it confirms no other loss.
            reload(ReloadParameters(written: box.configuration, removed: isConfigured ? nil : []))
        }
        _ = unsafe unlink(box.configured)
    }

    /// Waits for adhand, which may be starting, or waiting for a place or for a clock. Its socket is open meanwhile, and each
    /// request takes its time.
    private func waitForAdhand() {
        let end = MonotonicClock.now() + box.patienceSeconds
        while MonotonicClock.now() < end, status(patienceSeconds: 5) == nil {
            sleep(1)
        }
    }

    func status(patienceSeconds: Double = 10) -> StatusDocument? {
        try? daemon.ask(.getStatus, patienceSeconds: patienceSeconds).status
    }

    /// Whether a part of the configuration is lost, as reported by adhand or since adhand read it.
    private var isLost: Bool {
        if status()?.configurationProblem?.cause == .lost { return true }
        do throws(CommandError) {
            try LostParts(of: try SetupTarget(named: box.configuration, mayBeWrong: true), daemon).refuse()
            return false
        } catch {
            StandardError.write("adhanctl: \(error.message)")
            return true
        }
    }

    private func reload(_ written: ReloadParameters) {
        do throws(CommandError) { _ = try daemon.ask(.reload, written) } catch {
            StandardError.write("adhanctl: \(error.message)")
        }
    }

    // MARK: Recordings

    /// Imports recordings; of two that would be one sound, only the first. Returns whether anything changed.
    private func importSounds() -> Bool {
        guard let folder = box.soundFolder else { return false }
        var isNews = false
        var claims: [String: String] = [:]
        let files = box.soundFiles().filter { isSound($0, in: folder) }
        guard !files.isEmpty else { return false }
        let place = Swift.Result { () throws(CommandError) in try SoundPlace(named, daemon) }
        for file in files {
            let name = "sounds/" + file
            let known = CardNames.sound(file)
            if let other = claims[known], !known.isEmpty {
                store.forgetHash(name)
                refuse(
                    name,
                    CardRefusal(
                        "this is the sound \"\(known)\", as \(other) is: give one of them another name"))
                continue
            }
            claims[known] = name
            let isNew = importFile(name, "\(folder)/\(file)") { path throws(CardRefusal) in
                try importSound(path, known, place)
            }
            isNews = isNews || isNew
        }
        return isNews
    }

    func isSound(_ file: String, in folder: String) -> Bool {
        let depth = file.split(separator: "/").count
        return depth <= 2 && (CardBox.size(of: "\(folder)/\(file)") ?? .max) < 400_000 << 10
    }

    private func importSound(
        _ path: String, _ known: String, _ place: Swift.Result<SoundPlace, CommandError>
    ) throws(CardRefusal) -> Result {
        let (sound, prayer) = try CardNames.place(of: known)
        do throws(AddedNameError) { _ = try AddedName(sound) } catch { throw CardRefusal(error.message) }
        do throws(CommandError) {
            let place = try place.get()
            let store = try SoundStore.open(in: place.state)
            _ = try SoundImport(
                source: path, place: SoundFilePlace(sound, for: prayer), replace: true, force: false,
                folders: place.folders
            ).run(in: store)
        } catch {
            throw refusal(error)
        }
        return .imported(["it is known as \"\(sound)\"" + (prayer.map { ", at \($0.rawValue)" } ?? "")])
    }

    // MARK: The timetable

    /// Imports the timetable if there is exactly one, because several contradict each other. Empty ones do not count.
    private func importTimetables() {
        let present = CardNames.timetables.filter { box.file($0) != nil }
        guard let name = present.first(where: hasContent) ?? present.first, let path = box.file(name)
        else {
            return
        }
        importFile(name, path) { path throws(CardRefusal) in try importTimetable(name, path) }
        for other in present where other != name {
            let wasInForce = isInForce(other)
            store.forgetHash(other)
            guard hasContent(other) else {
                if wasInForce {
                    store.reportAtEveryBoot(CardRecord(other, .removed))
                } else {
                    store.reportAgain(other, .nothingYet)
                }
                continue
            }
            refuse(
                other,
                CardRefusal("there is \(name) as well, and a box has one timetable: take one of them away"))
        }
    }

    /// Whether a file has content. A file that cannot be read may have some.
    private func hasContent(_ name: String) -> Bool {
        guard let path = box.file(name), !name.hasSuffix(".zip") else { return true }
        return (try? FileBytes.read(path, limit: CardNames.mostBytes(name))).map {
            !CardText.isEmpty(CardText.plain($0))
        } ?? true
    }

    private func importTimetable(_ name: String, _ path: String) throws(CardRefusal) -> Result {
        // Copy the file from the card, where its name may be unusual.
        let copy = "\(box.run)/\(name)"
        do throws(FileError) {
            let bytes = try FileBytes.read(path, limit: CardNames.mostBytes(name))
            try AtomicFile.replace(copy, mode: 0o600) { draft throws(FileError) in try draft.write(bytes) }
        } catch {
            throw CardRefusal(plainly(error.message))
        }
        defer { _ = unsafe unlink(copy) }
        let isEmpty = name.hasSuffix(".zip") ? false : CardText.isEmpty(try text(copy))
        if isEmpty, !isInForce(name) { return .nothing }
        do throws(CommandError) {
            let place = try TimetablePlace(named, daemon)
            if isEmpty {
                try TimetableStore.open(in: place.state).change { $0.remove(named: Self.timetable) }
                _ = TimetableEffect(daemon, place.stateDirectory).apply()
                return .removed(["the timetable was removed: the times are computed"])
            }
            return .imported(try importTimetable(copy, place))
        } catch {
            throw refusal(error)
        }
    }

    /// The name under which the card's timetable is imported.
    private static let timetable = "main"

    /// Replaces the whole timetable; returns a description of it, and every warning.
    private func importTimetable(_ path: String, _ place: TimetablePlace) throws(CommandError) -> [String] {
        let files = try TimetableFiles.read([path])
        var chosen = ImportOptions()
        chosen.name = Self.timetable
        let result: ImportResult
        do throws(ImportRefusal) {
            result = try Importer.run(files, options: chosen, site: place.site, today: place.today)
        } catch {
            throw CommandError(error.mistake)
        }
        let document = result.document(named: chosen.name)
        var table = result.table
        table.label(
            result.source(
                named: chosen.name, of: files, [path], on: place.today, at: place.site))
        try TimetableStore.open(in: place.state).replace(with: table)
        _ = TimetableEffect(daemon, place.stateDirectory).apply()
        return TimetableText.digest(document)
    }
}
