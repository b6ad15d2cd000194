internal import Host
internal import Languages
internal import PhoneRules
internal import PrayerEngine
internal import Protocol
internal import WebServer

/// Answers acts: a form comes in, and the page that it came from is returned.
extension Responder {
    func act(
        _ form: Form, _ admission: RequestRules.Admission, _ request: RemoteRequest
    ) throws(RemoteRefusal) -> Answer {
        let act: Act?
        do throws(FieldRefusal) {
            act = try Act.read(
                admission.route.name, form, role: admission.phone?.role,
                entryPoint: admission.entryPoint)
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
            return done(ActOutcome("The phone was removed.", .removed), admission, to: .phones)
        case .join(let network):
            if let refusal = reader.network?.refusal(of: network) { throw RemoteRefusal(refusal) }
            try memory.join(network, of: admission.address) { () throws(RemoteRefusal) in
                try JoinSocket(in: .process).join(network)
            }
            return done(
                ActOutcome("The box leaves its own network, and tries to join.", .trying), admission,
                to: .network)
        case .removeSound, .answerTimetable, .takeTimetable, .undoTimetable, .removeTimetable:
            return done(try keep(act, admission), admission, to: admission.route.page)
        case .setup, .heard:
            let performed = try setUp(act, form, admission, language: context(request).language.code)
            guard act == .setup(step: "done", []) else { return done(performed, admission, to: .setup) }
            // The next question is about messages, if the box is set up and no person would learn of a failure.
            let isAsked = messages.state().map { $0.address == nil && $0.others.isEmpty } ?? false
            let next = Route.Name.afterSetUp(
                entryPoint: admission.entryPoint, network: reader.network?.state, asksForMessages: isAsked)
            return done(performed, admission, to: next)
        case .setMessages(let request):
            return done(try setMessages(request), admission, to: .messages)
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

    private func setMessages(_ request: MessagesRequest) throws(RemoteRefusal) -> ActOutcome {
        var request = request
        request.place = try? reader.status().location.name
        let reply = try messages.perform(request)
        let result: PageDone =
            switch request.act {
            case .set: .kept
            case .test: .sent
            case .remove: .removed
            case .show, .forgetFleet: .done
            }
        return ActOutcome(reply.message, result)
    }
}
