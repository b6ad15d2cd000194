internal import ControlClient
internal import NIOHTTP1
internal import PhoneRules
internal import Protocol
internal import Settings
internal import Texts
internal import WebServer

/// Uploaded files, which the intake has checked, and the acts that concern them.
extension Responder {
    /// The answer to an upload for which the intake's answer has arrived.
    func answer(_ received: UploadReceiver.Received, _ request: RemoteRequest) -> Answer {
        guard let admission = request.admission else {
            return refuse(RemoteRefusal(status: 404, .path), request, json: false)
        }
        do throws(RemoteRefusal) {
            let reply = try received.reply.get()
            let performed = try accepted(reply, received.form, admission)
            return done(performed, admission, to: admission.route.page)
        } catch {
            return refuse(error.ofUpload, received.form, admission, request)
        }
    }

    private func accepted(
        _ reply: IntakeReply, _ form: Form, _ admission: RequestRules.Admission
    ) throws(RemoteRefusal) -> ActOutcome {
        if admission.route.name == .uploadTimetable { return try keep(timetable: reply, admission) }
        if let refusal = reply.error { throw RemoteRefusal(reply, refusal) }
        var performed = ActOutcome(answer: reply.message, .received)
        if admission.route.name == .picture {
            performed.picture = reply.picture
            if let phone = admission.phone { memory.keep(picture: reply.picture, of: phone.id) }
            forgetPictures()
            return performed
        }
        // A recording that was uploaded for one prayer is selected for it at once; one for all prayers is only kept.
        guard let prayer = form["prayer"], !prayer.isEmpty, let name = reply.sound?.name else {
            return performed
        }
        let change = SettingChange(key: "adhan.\(prayer).sound", value: TOMLEscapes.quote(name))
        do throws(ControlClientError) {
            let chosen = try adhand.set(SettingsChangeSet([change]), as: admission.claim)
            (performed.change, performed.canBeUndone) = (chosen.change, true)
        } catch {
            // The recording stays: uploading it again would be refused.
            performed.shortfall = RemoteRefusal(error).on(change.key)
        }
        return performed
    }

    /// Keeps an uploaded timetable. If its meaning is open, it waits for an answer.
    private func keep(
        timetable reply: IntakeReply, _ admission: RequestRules.Admission
    ) throws(RemoteRefusal) -> ActOutcome {
        if let refusal = reply.error, refusal != .question {
            // A file that could not be read is dropped; a wrong answer leaves the waiting file unchanged.
            if refusal == .content { memory.dropTimetable() }
            throw RemoteRefusal(reply, refusal)
        }
        memory.keep(timetable: reply, of: admission.phone?.id)
        var performed = ActOutcome(answer: reply.message, .received)
        performed.question = reply.question
        return performed
    }

    /// Performs acts that concern the intake's files.
    func keep(_ act: Act?, _ admission: RequestRules.Admission) throws(RemoteRefusal) -> ActOutcome {
        var request: IntakeRequest
        switch act {
        case .removeSound(let name):
            request = IntakeRequest(.removeRecording)
            request.name = name
        case .takeTimetable(let replacement, let mark):
            try requireSeen(mark, admission)
            request = IntakeRequest(.takeTimetable)
            request.replace = replacement == .all ? .all : .dates
        case .removeTimetable: request = IntakeRequest(.removeTimetable)
        case .undoTimetable: return try undoTimetable()
        case .answerTimetable(let fields):
            do throws(FieldRefusal) {
                request = try UploadFields.answers(fields)
            } catch {
                throw RemoteRefusal(error)
            }
            return try keep(timetable: intake.ask(request), admission)
        default: throw RemoteRefusal(status: 404, .path)
        }
        let reply = try intake.ask(request)
        if let refusal = reply.error { throw RemoteRefusal(reply, refusal) }
        switch act {
        case .removeSound: return ActOutcome(answer: reply.message, .removed)
        case .removeTimetable:
            memory.changedTimetable()
            return ActOutcome(answer: reply.message, .removed)
        default:
            memory.tookTimetable()
            return ActOutcome(answer: reply.message, .saved)
        }
    }

    /// Refuses to put in force a timetable other than the one whose findings this phone has seen.
    private func requireSeen(
        _ mark: Int?, _ admission: RequestRules.Admission
    ) throws(RemoteRefusal) {
        guard let waiting = memory.timetable else {
            throw RemoteRefusal(
                409, "nothing", "No timetable waits to be put in force; send the file again.",
                problem: .nothing)
        }
        guard mark.map({ $0 == waiting.mark }) ?? (waiting.phone == admission.phone?.id) else {
            throw RemoteRefusal(
                409, "conflict",
                "Another timetable has come meanwhile; look at it before it is put in force.",
                problem: .conflict)
        }
    }

    private func undoTimetable() throws(RemoteRefusal) -> ActOutcome {
        guard memory.claimTimetableUndo() else {
            throw RemoteRefusal(
                409, "nothing", "There is nothing to undo: the timetable was not changed from here since.",
                problem: .nothing)
        }
        do throws(RemoteRefusal) {
            let reply = try intake.ask(IntakeRequest(.undoTimetable))
            if let refusal = reply.error { throw RemoteRefusal(reply, refusal) }
            return ActOutcome(answer: reply.message, .undone)
        } catch {
            memory.returnTimetableUndo()
            throw error
        }
    }

    /// Refuses a picture that does not exist, because it would leave a slide empty.
    func requireKept(_ picture: String) throws(RemoteRefusal) {
        var request = IntakeRequest(.findPicture)
        request.name = picture
        let reply = try intake.ask(request)
        guard let refusal = reply.error else { return }
        guard refusal == .nothing else { throw RemoteRefusal(reply, refusal) }
        throw RemoteRefusal(FieldRefusal("picture", .unknown, reason: reply.message))
    }

    /// Updates the pictures after an act: an announcement may now use one, or have been removed with one.
    func noted(_ act: Act, _ admission: RequestRules.Admission) {
        switch act {
        case .announcement(let announcement):
            if announcement.picture != nil, let phone = admission.phone {
                memory.keep(picture: nil, of: phone.id)
            }
        case .removeAnnouncement: forgetPictures()
        default: break
        }
    }

    /// Removes the pictures that no undo of a page can restore.
    private func forgetPictures() {
        guard let reply = try? adhand.settings(SettingsChangeSet.announcementKey),
            let changes = try? adhand.changes()
        else { return }
        for picture in memory.forget(AnnouncementsFacts.forgotten(reply, changes)) {
            var request = IntakeRequest(.removePicture)
            request.name = picture
            _ = try? intake.ask(request)
        }
    }
}
