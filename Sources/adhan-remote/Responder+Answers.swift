internal import Languages
internal import NIOCore
internal import NIOHTTP1
internal import PhoneRules
internal import Protocol
internal import Synchronization
internal import Texts
internal import WebServer

/// Turns pages, documents and refusals into answers.
extension Responder {
    /// Leads back to the page, which shows the result.
    func done(_ performed: ActOutcome, _ admission: RequestRules.Admission, to page: Route.Name) -> Answer {
        if admission.json { return document(DoneDocument(performed)) }
        if let phone = admission.phone {
            var notice = PageContext.Notice(performed)
            notice.page = page
            memory.note(notice, for: phone.id)
        }
        return redirect(to: Route.link(to: page, entryPoint: admission.entryPoint))
    }

    func redirect(to path: String, status: HTTPResponseStatus = .seeOther) -> Answer {
        var answer = Answer(status: status, body: .bytes(ByteBuffer()))
        answer.headers = [("Location", path)]
        return answer
    }

    /// The page or the document for a refusal.
    func refuse(_ refusal: RemoteRefusal, _ request: RemoteRequest, json: Bool) -> Answer {
        if json {
            return answer(document(["error": refusal.code, "message": refusal.message]), to: refusal)
        }
        var context = context(request)
        context.waitSeconds = refusal.retryAfterSeconds
        // If the request was an act, the page links back to its form.
        context.back = Route.all.first { $0.path == request.head.path && $0.isAct }?.page
        return answer(page(.problem(refusal.problem), context, request), to: refusal)
    }

    /// The page of the act with the form as it was filled in, or the refusal's own page if the act has none.
    func refuse(
        _ refusal: RemoteRefusal, _ form: Form, _ admission: RequestRules.Admission, _ request: RemoteRequest
    ) -> Answer {
        var isAboutForm = [409, 422].contains(refusal.status)
        if case .upload = admission.route.body { isAboutForm = true }
        isAboutForm =
            isAboutForm
            || ["not-saved", "not-kept", "no-sound", "code", "wait"].contains(refusal.code)
            || admission.route.name == .setMessages
        guard !admission.json, isAboutForm,
            let facts = try? reader.page(Route.Name(page: form) ?? admission.route.page, admission)
        else {
            return refuse(refusal, request, json: admission.json)
        }
        var context = context(request)
        context.filled = form
        let field = refusal.field?.renamed(for: form)
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

    /// The refused field, if the form has no such field beside which to show the refusal.
    private static func key(_ field: FieldRefusal?, _ form: Form) -> String? {
        guard let field, form[field.field] == nil else { return nil }
        return field.field
    }

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
        context.entryPoint = request.head.entryPoint
        context.from = request.head.from
        context.deviceTexts = memory.deviceTexts
        return context
    }

    func page(_ page: Page, _ context: PageContext, _ request: RemoteRequest) -> Answer {
        var answer = file("text/html; charset=utf-8", page.html(context))
        if let code = Language.requested(target: request.head.target) {
            let isSecure = request.admission?.isSecure ?? false
            answer.headers.append(
                ("Set-Cookie", RequestHead.setLanguage(code, days: days, isSecure: isSecure)))
        }
        return answer
    }

    func file(_ type: String, _ bytes: [UInt8]) -> Answer {
        Answer(type: type, body: .bytes(ByteBuffer(bytes: bytes)))
    }

    func document(_ document: some Encodable) -> Answer {
        .json(ByteBuffer(bytes: (try? JSON.encode(document)) ?? []))
    }
}

extension PageContext.Notice {
    init(_ performed: ActOutcome) {
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

/// The answer to an act as programs read it.
private struct DoneDocument: Encodable {
    let message: String
    let change: Int?
    let picture: String?
    let question: String?
    let step: String?
    let problems: [String]?
    let awaitsTrial: Bool?

    init(_ performed: ActOutcome) {
        awaitsTrial = performed.awaitsTrial ? true : nil
        let all = performed.problems + [performed.shortfall?.message].compactMap { $0 }
        problems = all.isEmpty ? nil : all
        (message, change) = (performed.message, performed.change)
        (picture, question) = (performed.picture, performed.question?.rawValue)
        step = performed.step?.rawValue
    }
}
