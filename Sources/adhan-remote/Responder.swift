internal import ControlClient
internal import Host
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
    let adhand: Adhand
    let gatekeeper: Gatekeeper
    let intake: IntakeSocket
    let messages: MessagesSocket
    let memory: RemoteMemory
    /// For which a phone's cookie lasts.
    let days: Int
    private let tables = Mutex<[String: Language]>([:])

    init(
        adhand: Adhand, gatekeeper: Gatekeeper, intake: IntakeSocket, messages: MessagesSocket,
        memory: RemoteMemory, days: Int
    ) {
        self.memory = memory
        self.adhand = adhand
        self.gatekeeper = gatekeeper
        self.intake = intake
        self.messages = messages
        self.days = days
    }

    /// - Parameter request: one that was admitted.
    func answer(_ request: RemoteRequest) -> Answer {
        guard let admission = request.admission else {
            return refuse(RemoteRefusal(status: 404, .path), request, json: false)
        }
        guard admission.route.isAct else {
            do throws(RemoteRefusal) {
                return try look(admission, request)
            } catch {
                return refuse(error, request, json: admission.json)
            }
        }
        let form: Form
        do throws(Form.UnreadableError) {
            form = try Form(request.body)
        } catch {
            let refusal = RemoteRefusal(400, "form", "The body is not a form.", problem: .failed)
            return refuse(refusal, request, json: admission.json)
        }
        do throws(RemoteRefusal) {
            return try act(form, admission, request)
        } catch {
            return refuse(error, form, admission, request)
        }
    }

    func redirect(to path: String, status: HTTPResponseStatus = .seeOther) -> Answer {
        var answer = Answer(status: status, body: .bytes(ByteBuffer()))
        answer.headers = [("Location", path)]
        return answer
    }

    /// The page or the document of a refusal.
    func refuse(_ refusal: RemoteRefusal, _ request: RemoteRequest, json: Bool) -> Answer {
        if json {
            return answer(document(["error": refusal.code, "message": refusal.message]), to: refusal)
        }
        var context = context(request)
        context.waitSeconds = refusal.retryAfterSeconds
        // From an act without its page, the way leads back to the form.
        context.back = Route.all.first { $0.path == request.head.path && $0.isAct }?.page
        return answer(page(.problem(refusal.problem), context, request), to: refusal)
    }

    var reader: FactsReader {
        FactsReader(adhand: adhand, gatekeeper: gatekeeper, messages: messages, memory: memory)
    }

    // MARK: Pages

    private func look(
        _ admission: RequestRules.Admission, _ request: RemoteRequest
    ) throws(RemoteRefusal) -> Answer {
        let reader = reader
        switch admission.route.name {
        case .style: return file("text/css; charset=utf-8", PageAssets.style)
        case .script: return file("text/javascript; charset=utf-8", PageAssets.script)
        case .nowDocument:
            guard let phone = admission.phone else { throw RemoteRefusal(status: 401, .unpaired) }
            return document(NowDocument(NowFacts(try reader.status()), phone))
        case .networkDocument: return document(reader.network ?? NetworkDocument(state: .joined))
        case .settingsDocument:
            return document(
                try FactsReader.ask { () throws(ControlClientError) in try adhand.settings() })
        default:
            var context = context(request)
            let facts = try reader.page(admission.route.name, admission)
            if let phone = admission.phone { context.notice = memory.takeNotice(phone.id) }
            return page(facts, context, request)
        }
    }

    // MARK: Acts

    private func act(
        _ form: Form, _ admission: RequestRules.Admission, _ request: RemoteRequest
    ) throws(RemoteRefusal) -> Answer {
        let act: Act?
        do throws(FieldRefusal) {
            act = try Act.read(
                admission.route.name, form, role: admission.phone?.role,
                door: admission.door)
        } catch {
            throw RemoteRefusal(error)
        }
        switch act {
        case .pair(let proof, let name): return try pair(proof, name, admission, request)
        case .leave: return try leave(admission)
        case .revoke(let id):
            guard try revoke(id) else {
                throw RemoteRefusal(409, "nothing", "There is no such phone.", problem: .nothing)
            }
            return done(Performed("The phone was removed.", .removed), admission, to: .phones)
        case .join(let network):
            try JoinSocket(in: .process).join(network)
            return done(
                Performed("The box leaves its own network, and tries to join.", .trying), admission,
                to: .network)
        case .removeSound, .answerTimetable, .takeTimetable, .undoTimetable, .removeTimetable:
            return done(try keep(act, admission), admission, to: admission.route.page)
        case .setup, .heard:
            let performed = try setUp(act, form, admission, language: context(request).language.code)
            guard act == .setup(step: "done", []) else { return done(performed, admission, to: .setup) }
            // A box that calls, and nobody who learns when it does not: that is the next question.
            let isAsked = messages.state().map { $0.address == nil && $0.others.isEmpty } ?? false
            let next = Route.Name.afterSetUp(
                door: admission.door, network: reader.network?.state, asksForMessages: isAsked)
            return done(performed, admission, to: next)
        case .setMessages(let request):
            var request = request
            request.place = try? reader.status().location.name
            let reply = try messages.perform(request)
            let result: PageDone =
                switch request.act {
                case .set: .kept
                case .test: .sent
                case .remove: .removed
                case .show: .done
                }
            return done(Performed(reply.message, result), admission, to: .messages)
        case let act?:
            let performer = ActPerformer(adhand: adhand, claim: admission.claim, memory: memory)
            if case .announcement(let announcement) = act, let picture = announcement.picture {
                try requireKept(picture)
            }
            let today = gatekeeper.moment.day
            guard let performed = try performer.perform(act, today: today) else {
                throw RemoteRefusal(status: 404, .path)
            }
            noted(act, admission)
            return done(performed, admission, to: Route.Name(page: form) ?? admission.route.page)
        case nil: throw RemoteRefusal(status: 404, .path)
        }
    }

    /// Back to the page, which says what was done.
    func done(_ performed: Performed, _ admission: RequestRules.Admission, to page: Route.Name) -> Answer {
        if admission.json { return document(DoneDocument(performed)) }
        if let phone = admission.phone {
            var notice = PageContext.Notice(performed)
            notice.page = page
            memory.note(notice, for: phone.id)
        }
        return redirect(to: Route.path(of: page))
    }

    /// The page of the act, with the form as it was filled in; where there is none, the refusal's own.
    func refuse(
        _ refusal: RemoteRefusal, _ form: Form, _ admission: RequestRules.Admission, _ request: RemoteRequest
    ) -> Answer {
        var isAboutForm = [409, 422].contains(refusal.status)
        if case .upload = admission.route.body { isAboutForm = true }
        isAboutForm =
            isAboutForm
            || ["not-saved", "no-sound", "code", "wait"].contains(refusal.code)
            || admission.route.name == .setMessages
        guard !admission.json, isAboutForm,
            let facts = try? reader.page(Route.Name(page: form) ?? admission.route.page, admission)
        else {
            return refuse(refusal, request, json: admission.json)
        }
        var context = context(request)
        context.filled = form
        let field = refusal.field?.shown(in: form)
        (context.refused, context.refusedAct) = (field, admission.route.name)
        context.waitSeconds = refusal.retryAfterSeconds
        context.notice = PageContext.Notice(
            .problem(refusal.problem), by: refusal.by, key: refusal.key ?? Self.key(field, form),
            reason: refusal.reason ?? field?.reason)
        return answer(page(facts, context, request), to: refusal)
    }

    private func answer(_ page: Answer, to refusal: RemoteRefusal) -> Answer {
        var answer = page
        answer.status = HTTPResponseStatus(statusCode: refusal.status)
        if let seconds = refusal.retryAfterSeconds { answer.headers.append(("Retry-After", String(seconds))) }
        return answer
    }

    /// The refused field, where the form has no field of that name to say it beside.
    private static func key(_ field: FieldRefusal?, _ form: Form) -> String? {
        guard let field, form[field.field] == nil else { return nil }
        return field.field
    }

    // MARK: Bytes

    func context(_ request: RemoteRequest) -> PageContext {
        let code = Language.code(
            target: request.head.target, chosen: request.head.language, accepts: request.languages)
        let language = tables.withLock { tables in
            let table = tables[code] ?? Language.embedded(code) ?? .english
            tables[code] = table
            return table
        }
        var context = PageContext(language: language, phone: request.admission?.phone)
        context.isFresh = request.admission?.isFresh ?? false
        context.from = request.head.from
        context.deviceTexts = memory.deviceTexts
        return context
    }

    func page(_ page: Page, _ context: PageContext, _ request: RemoteRequest) -> Answer {
        var answer = file("text/html; charset=utf-8", page.html(context))
        if let code = Language.wish(target: request.head.target) {
            let isSecure = request.admission?.isSecure ?? false
            answer.headers.append(
                ("Set-Cookie", RequestHead.setLanguage(code, days: days, isSecure: isSecure)))
        }
        return answer
    }

    private func file(_ type: String, _ bytes: [UInt8]) -> Answer {
        Answer(type: type, body: .bytes(ByteBuffer(bytes: bytes)))
    }

    func document(_ document: some Encodable) -> Answer {
        .json(ByteBuffer(bytes: (try? JSON.encode(document)) ?? []))
    }
}

extension PageContext.Notice {
    init(_ performed: Performed) {
        self.init(.done(performed.done), undo: performed.canBeUndone ? performed.change : nil)
        (handUndo, steps) = (performed.handUndo, performed.steps)
        (details, problems) = (performed.details, performed.problems)
        (isSilent, awaitsTrial) = (performed.isSilent, performed.awaitsTrial)
        guard let shortfall = performed.shortfall else { return }
        self.shortfall = shortfall.problem
        (by, key) = (shortfall.by, shortfall.key)
        reason = shortfall.reason ?? shortfall.field?.reason
    }
}

/// The answer to an act, for programs.
private struct DoneDocument: Encodable {
    let message: String
    let change: Int?
    let picture: String?
    let question: String?
    let step: String?
    let problems: [String]?
    let awaitsTrial: Bool?

    init(_ performed: Performed) {
        awaitsTrial = performed.awaitsTrial ? true : nil
        let all = performed.problems + [performed.shortfall?.message].compactMap { $0 }
        problems = all.isEmpty ? nil : all
        (message, change) = (performed.message, performed.change)
        (picture, question) = (performed.picture, performed.question?.rawValue)
        step = performed.step?.rawValue
    }
}
