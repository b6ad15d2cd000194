internal import RemoteProgramme
internal import WebServer

extension Responder {
    func setUp(
        _ act: Act?, _ form: Form, _ admission: RequestRules.Admission, _ request: RemoteRequest
    ) throws(RemoteRefusal) -> Answer {
        throw RemoteRefusal(status: 404, .path)
    }
}

extension FactsReader {
    func setup(_ admission: RequestRules.Admission) throws(RemoteRefusal) -> SetupFacts {
        SetupFacts(step: .place)
    }

    func health() throws(RemoteRefusal) -> HealthFacts {
        HealthFacts(checks: [])
    }
}
