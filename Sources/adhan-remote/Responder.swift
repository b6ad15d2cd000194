internal import ControlClient
internal import Languages
internal import NIOCore
internal import NIOHTTP1
internal import PrayerEngine
internal import Protocol
internal import RemoteProgramme
internal import Synchronization
internal import Texts
internal import WebServer

/// A request as it came, and what the rules say of it.
struct RemoteRequest: Sendable {
    let head: RequestHead
    let languages: [String]
    /// `nil` for one that was refused.
    var admission: RequestRules.Admission?
    var body: [UInt8] = []

    init(head: RequestHead, languages: [String]) {
        self.head = head
        self.languages = languages
    }
}

/// Makes the answers: pages, documents, and what became of an act. Waits for adhand, so it is called on a thread of its own.
final class Responder: Sendable {
    private let adhand: Adhand
    private let gatekeeper: Gatekeeper
    /// For which a phone's cookie lasts.
    private let days: Int
    /// The news for a phone's next page, by the phone.
    private let notices = Mutex<[String: PageContext.Notice]>([:])
    private let tables = Mutex<[String: Language]>([:])

    init(adhand: Adhand, gatekeeper: Gatekeeper, days: Int) {
        self.adhand = adhand
        self.gatekeeper = gatekeeper
        self.days = days
    }

    /// - Parameter request: one that was admitted.
    func answer(_ request: RemoteRequest) -> Answer {
        guard let admission = request.admission else {
            return refuse(RemoteRefusal(status: 404, .path), request, json: false)
        }
        do throws(RemoteRefusal) {
            return try admission.route.isAct
                ? act(admission, request) : look(admission, request)
        } catch {
            return refuse(error, request, json: admission.json)
        }
    }

    func redirect(to path: String) -> Answer {
        var answer = Answer(status: .seeOther, body: .bytes(ByteBuffer()))
        answer.headers = [("Location", path)]
        return answer
    }

    /// The page or the document of a refusal.
    func refuse(_ refusal: RemoteRefusal, _ request: RemoteRequest, json: Bool) -> Answer {
        var answer: Answer
        if json {
            answer = document(["error": refusal.code, "message": refusal.message])
        } else {
            answer = page(.problem(refusal.problem), context(request))
        }
        answer.status = HTTPResponseStatus(statusCode: refusal.status)
        if let seconds = refusal.retryAfter { answer.headers.append(("Retry-After", String(seconds))) }
        return answer
    }

    // MARK: Pages

    private func look(
        _ admission: RequestRules.Admission, _ request: RemoteRequest
    ) throws(RemoteRefusal) -> Answer {
        switch admission.route.name {
        case .style: return file("text/css; charset=utf-8", PageAssets.style)
        case .script: return file("text/javascript; charset=utf-8", PageAssets.script)
        case .nowDocument:
            guard let phone = admission.phone else { throw RemoteRefusal(status: 401, .unpaired) }
            return document(NowDocument(NowFacts(try status()), phone))
        default:
            var context = context(request)
            if let phone = admission.phone {
                context.notice = notices.withLock { $0.removeValue(forKey: phone.id) }
            }
            return page(try facts(admission.route.name, admission), context)
        }
    }

    /// The page at an address, with what adhand says now.
    private func facts(
        _ name: Route.Name, _ admission: RequestRules.Admission
    ) throws(RemoteRefusal) -> Page {
        switch name {
        case .now: return .now(NowFacts(try status()))
        case .pair: return .pair(PairFacts(isSecure: admission.isSecure))
        case .phones: return .phones(PhonesFacts(phones: gatekeeper.phones))
        case .week:
            let week = try ask { () throws(ControlClientError) in try adhand.week() }
            return .week(WeekFacts(week.0, week.1))
        case .log: return .log(LogFacts(try ask { () throws(ControlClientError) in try adhand.history() }))
        case .health: return .health(HealthFacts(try status()))
        case .friday, .ramadan, .announcements, .sounds, .timetable, .settings, .settingsDocument, .setup:
            throw .noDoor
        default: throw RemoteRefusal(status: 404, .path)
        }
    }

    private func status() throws(RemoteRefusal) -> StatusDocument {
        let status = try ask { () throws(ControlClientError) in try adhand.status() }
        gatekeeper.note(day: Adhand.day(of: status))
        return status
    }

    private func ask<Value>(_ work: () throws(ControlClientError) -> Value) throws(RemoteRefusal) -> Value {
        do throws(ControlClientError) {
            return try work()
        } catch {
            throw RemoteRefusal(error)
        }
    }

    // MARK: Acts

    private func act(
        _ admission: RequestRules.Admission, _ request: RemoteRequest
    ) throws(RemoteRefusal) -> Answer {
        let form: Form
        do throws(Form.UnreadableError) {
            form = try Form(request.body)
        } catch {
            throw RemoteRefusal(400, "form", "The body is not a form.", problem: .failed)
        }
        let act: Act?
        do throws(FieldRefusal) {
            act = try Act.read(admission.route.name, form, role: admission.phone?.role)
        } catch {
            return refuse(error, form, admission, request)
        }
        switch act {
        case .pair(let proof, let name): return try pair(proof, name, form, admission, request)
        case .leave:
            if let phone = admission.phone { _ = try revoke(phone.id) }
            var answer = done("This phone has left.", admission, to: .pair)
            answer.headers.append(("Set-Cookie", RequestHead.clearCookie(isSecure: admission.isSecure)))
            return answer
        case .revoke(let id):
            guard try revoke(id) else { throw RemoteRefusal(409, "unknown-phone", "There is no such phone.") }
            return done("The phone was removed.", admission, to: .phones)
        case let act?:
            let performer = ActPerformer(adhand: adhand)
            let said = try ask { () throws(ControlClientError) in try performer.perform(act) }
            guard let said else { throw .noDoor }
            return done(said, admission, to: admission.route.page)
        case nil: throw .noDoor
        }
    }

    private func revoke(_ id: String) throws(RemoteRefusal) -> Bool {
        do throws(Gatekeeper.NotSavedError) {
            return try gatekeeper.revoke(id)
        } catch {
            throw .notSaved
        }
    }

    private func pair(
        _ proof: PairingProof, _ name: PhoneName, _ form: Form, _ admission: RequestRules.Admission,
        _ request: RemoteRequest
    ) throws(RemoteRefusal) -> Answer {
        let (verdict, token): (Access.PairingVerdict, PhoneToken)
        do throws(Gatekeeper.NotSavedError) {
            (verdict, token) = try gatekeeper.pair(
                proof, name, own: request.head.token, from: admission.address)
        } catch {
            throw .notSaved
        }
        switch verdict {
        case .paired:
            var answer = done("This phone is paired.", admission, to: .now)
            answer.headers.append(
                ("Set-Cookie", RequestHead.setCookie(token, days: days, isSecure: admission.isSecure)))
            return answer
        case .renewed: return done("This phone is paired.", admission, to: .now)
        case .refused:
            throw RemoteRefusal(
                403, "code", "That code is not valid now; open a pairing window in the room.",
                problem: .wrongCode)
        case .full:
            throw RemoteRefusal(
                409, "full", "As many phones as may be are paired; remove one first.", problem: .full)
        case .wait(let seconds):
            throw RemoteRefusal(
                429, "wait", "Too many wrong codes came from this address; wait \(seconds) s.",
                problem: .wait,
                retryAfter: seconds)
        }
    }

    /// Back to the page, which says what was done.
    private func done(_ sentence: String, _ admission: RequestRules.Admission, to page: Route.Name) -> Answer
    {
        if admission.json { return document(["message": sentence]) }
        if let phone = admission.phone {
            notices.withLock { $0[phone.id] = PageContext.Notice(.said(sentence)) }
        }
        return redirect(to: Route.path(of: page))
    }

    /// The page of the act, with the form as it was filled in.
    private func refuse(
        _ field: FieldRefusal, _ form: Form, _ admission: RequestRules.Admission, _ request: RemoteRequest
    ) -> Answer {
        let refusal = RemoteRefusal(field)
        guard !admission.json, let facts = try? facts(admission.route.page, admission) else {
            return refuse(refusal, request, json: admission.json)
        }
        var context = context(request)
        context.filled = form
        context.refused = field
        context.notice = PageContext.Notice(.problem(refusal.problem))
        var answer = page(facts, context)
        answer.status = HTTPResponseStatus(statusCode: refusal.status)
        return answer
    }

    // MARK: Bytes

    private func context(_ request: RemoteRequest) -> PageContext {
        let code = Language.code(target: request.head.target, accepts: request.languages)
        let language = tables.withLock { tables in
            let table = tables[code] ?? Language.embedded(code) ?? .english
            tables[code] = table
            return table
        }
        var context = PageContext(language: language, phone: request.admission?.phone)
        context.isFresh = request.admission?.isFresh ?? false
        return context
    }

    private func page(_ page: Page, _ context: PageContext) -> Answer {
        file("text/html; charset=utf-8", page.html(context))
    }

    private func file(_ type: String, _ bytes: [UInt8]) -> Answer {
        Answer(type: type, body: .bytes(ByteBuffer(bytes: bytes)))
    }

    private func document(_ document: some Encodable) -> Answer {
        .json(ByteBuffer(bytes: (try? JSON.encode(document)) ?? []))
    }
}

extension Route {
    /// The page with the form of this act.
    fileprivate var page: Route.Name {
        switch name {
        case .exception, .removeException: .week
        case .hijri: .ramadan
        case .announcement, .removeAnnouncement, .picture: .announcements
        case .sound, .removeSound: .sounds
        case .uploadTimetable, .answerTimetable, .takeTimetable, .undoTimetable: .timetable
        case .set, .undo: .settings
        case .answerSetup, .heard: .setup
        case .revoke: .phones
        case .leave, .enterCode: .pair
        default: .now
        }
    }
}

extension HealthFacts {
    /// adhand's own word about itself: the clock, the sound, its configuration and its state.
    fileprivate init(_ status: StatusDocument) {
        var checks: [Check] = []
        func add(_ name: String, _ fault: String?, good: String) {
            checks.append(
                Check(name: name, verdict: fault == nil ? .good : .fault, message: fault ?? good))
        }
        add(
            "clock", status.clock.trusted ? nil : "The clock is not believed, so nothing is called.",
            good: "The clock is right.")
        add(
            "sound", status.audio.healthy ? nil : status.audio.lastError ?? "There is no sound.",
            good: "The loudspeaker works.")
        add("place", status.placeProblem?.message, good: status.location.name)
        add(
            "configuration", status.configurationProblem?.message ?? status.zoneProblem?.message,
            good: "The configuration is in force.")
        add("state", status.stateProblem, good: "The state is kept.")
        self.init(checks: checks)
    }
}
