internal import ControlClient
internal import Languages
internal import PhoneRules
internal import Protocol
internal import Synchronization
internal import WebServer

/// Produces pages, documents and the results of acts. It waits for adhand, so it is called on a thread of its own.
final class Responder: Sendable {
    let adhand: Adhand
    let gatekeeper: Gatekeeper
    let intake: IntakeSocket
    let messages: MessagesSocket
    let memory: RemoteMemory
    /// Days for which a phone's cookie is valid.
    let days: Int
    let tables = Mutex<[String: Language]>([:])

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

    /// - Parameter request: a request that was admitted.
    func answer(_ request: RemoteRequest) -> Answer {
        guard let admission = request.admission else {
            return refuse(RemoteRefusal(status: 404, .path), request, json: false)
        }
        guard admission.route.isAct else {
            do throws(RemoteRefusal) {
                return try read(admission, request)
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

    var reader: FactsReader {
        FactsReader(adhand: adhand, gatekeeper: gatekeeper, messages: messages, memory: memory)
    }

    private func read(
        _ admission: RequestRules.Admission, _ request: RemoteRequest
    ) throws(RemoteRefusal) -> Answer {
        let reader = reader
        if admission.route.name == .setup {
            let next = Route.Name.arrival(request.head, network: reader.network) {
                adhand.isUnplaced == false
            }
            if let next { return redirect(to: Route.path(of: next)) }
        }
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
            if let phone = admission.phone { context.notice = memory.removeNotice(for: phone.id) }
            return page(facts, context, request)
        }
    }
}
