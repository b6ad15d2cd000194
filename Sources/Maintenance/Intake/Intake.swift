package import ControlClient
import Glibc
import Host
import PictureImport
import Protocol
import Settings
import Texts
import Times
import TimetableImport

/// Handles one caller's request. Only this process reads recordings, timetables and pictures from outside; it has no network.
package struct Intake {
    let daemon: ControlClient
    let named: NamedPlaces
    /// The directory with the pictures of announcements.
    let pictures: String

    package init(
        daemon: ControlClient, named: NamedPlaces, pictures: String
    ) {
        self.daemon = daemon
        self.named = named
        self.pictures = pictures
    }

    package func serve(_ descriptor: Int32) {
        var connection = IntakeConnection(descriptor)
        do throws(IntakeError) {
            connection.answer(try answer(try connection.request(), &connection))
        } catch {
            connection.answer(error.reply)
        }
        connection.end()
    }

    private func answer(
        _ request: IntakeRequest, _ connection: inout IntakeConnection
    ) throws(IntakeError) -> IntakeReply {
        // Looking for a picture must not wait for another upload.
        if request.act == .findPicture { return try PictureFolder(pictures).find(request.name) }
        let spool = try spool()
        switch request.act {
        case .recording: return try recording(request, &connection, spool)
        case .picture: return try picture(request, &connection)
        case .timetable:
            let draft = try spool.receive(request, from: &connection)
            try spool.keep(draft, request)
            do throws(IntakeError) {
                return try IntakeTable(self, spool.pending()).preview()
            } catch {
                // Keep the file only if a question may still lead to a timetable.
                if error.reply.error != .question { spool.forget() }
                throw error
            }
        case .answerTimetable:
            var (bytes, kept) = try spool.pending()
            kept.answer(by: request)
            // Do not keep a wrong answer, because the next request would be refused for it.
            _ = try command { () throws(CommandError) in try IntakeTable.options(kept) }
            try spool.keep(kept)
            return try IntakeTable(self, (bytes, kept)).preview()
        case .takeTimetable:
            guard let replace = request.replace else {
                throw IntakeError(IntakeReply("\"replace\" must be dates or all", error: .request))
            }
            let reply = try IntakeTable(self, spool.pending()).save(replacing: replace)
            spool.forget()
            return reply
        case .undoTimetable: return try command { () throws(CommandError) in try IntakeTable.undo(self) }
        case .removeTimetable:
            return try IntakeTable.remove(self)
        case .removeRecording:
            let (name, prayer) = try recording(of: request)
            return try command { () throws(CommandError) in
                let place = try SoundPlace(named, daemon)
                let removed = try SoundRemoval(name: name.text, prayer: prayer, place: place).run()
                return IntakeReply("removed \"\(removed.name)\"")
            }
        case .findPicture: return try PictureFolder(pictures).find(request.name)
        case .removePicture: return try PictureFolder(pictures).remove(request.name)
        }
    }

    private func spool() throws(IntakeError) -> IntakeSpool {
        do throws(FileError) {
            if let spool = try IntakeSpool.open(in: StatePlace(named: named.state, daemon)) {
                return spool
            }
        } catch {
            throw IntakeError(error)
        }
        throw IntakeError(
            IntakeReply("another file is being taken; try again when it is done", error: .busy))
    }

    private func recording(
        of request: IntakeRequest
    ) throws(IntakeError) -> (name: AddedName, prayer: Prayer?) {
        let name: AddedName
        do throws(AddedNameError) {
            name = try AddedName(request.name ?? "")
        } catch {
            throw IntakeError(IntakeReply(error.message, error: .request))
        }
        return try command { () throws(CommandError) in
            (name, try request.prayer.map { prayer throws(CommandError) in try PrayerName.read(prayer) })
        }
    }

    private func recording(
        _ request: IntakeRequest, _ connection: inout IntakeConnection, _ spool: borrowing IntakeSpool
    ) throws(IntakeError) -> IntakeReply {
        let (name, prayer) = try recording(of: request)
        let draft = try spool.receive(request, from: &connection)
        let source = spool.path(of: draft)
        return try command { () throws(CommandError) in
            let place = try SoundPlace(named, daemon)
            let store = try SoundStore.open(in: place.state)
            let added = try SoundImport(
                source: source, place: SoundFilePlace(name.text, for: prayer), replace: false, force: false,
                folders: place.folders, shown: name.text
            ).run(in: store)
            var reply = IntakeReply("added \"\(added.name)\"")
            reply.sound = added
            return reply
        }
    }

    private func picture(
        _ request: IntakeRequest, _ connection: inout IntakeConnection
    ) throws(IntakeError) -> IntakeReply {
        // The file is small enough to be held in memory as a whole.
        var bytes: [UInt8] = []
        try connection.file(of: request) { part throws(FileError) in bytes += part }
        let picture: PictureImport
        do throws(PictureRefusal) {
            picture = try PictureImport.read(bytes)
        } catch {
            throw IntakeError(error)
        }
        return try PictureFolder(pictures).keep(picture)
    }

    func command<Result>(_ work: () throws(CommandError) -> Result) throws(IntakeError) -> Result {
        do throws(CommandError) {
            return try work()
        } catch {
            throw IntakeError(error)
        }
    }
}

extension IntakeRequest {
    /// Merges answers; later ones replace earlier ones.
    fileprivate mutating func answer(by other: IntakeRequest) {
        (clock, hours, dates) = (other.clock ?? clock, other.hours ?? hours, other.dates ?? dates)
        (year, asr) = (other.year ?? year, other.asr ?? asr)
    }
}
