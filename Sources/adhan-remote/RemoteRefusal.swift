internal import ControlClient
internal import Protocol
internal import RemoteProgramme

/// A refusal as a status, a code for programs and a sentence.
struct RemoteRefusal: Error {
    let status: Int
    let code: String
    let message: String
    var problem: PageProblem
    /// Seconds after which another try may be made.
    var retryAfter: Int?

    init(
        _ status: Int, _ code: String, _ message: String, problem: PageProblem? = nil, retryAfter: Int? = nil
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.problem = problem ?? PageProblem(status: status)
        self.retryAfter = retryAfter
    }

    init(status: Int, _ reason: RequestRules.Reason) {
        self.init(
            status, reason.rawValue, Self.sentence(reason),
            problem: PageProblem(status: status, reason: reason))
    }

    init(_ field: FieldRefusal) {
        self.init(422, "field", "The field \"\(field.field)\" cannot be used: \(Self.sentence(field.code)).")
    }

    /// adhand's answer, or why there is none.
    init(_ error: ControlClientError) {
        guard case .refused(let refusal) = error else {
            self.init(503, "away", error.message)
            return
        }
        let status =
            switch refusal {
            case .unknownPrayer, .invalidTime, .soundNotFound, .soundUnusable, .invalidParameter,
                .timetableInvalid:
                422
            case .nothingPlaying, .busy, .nothingSet: 409
            case .notPermitted: 403
            default: 503
            }
        self.init(
            status, refusal.name.split(separator: ".").last.map(String.init) ?? "refused", refusal.sentence,
            problem: status == 403 ? .failed : nil)
    }

    static let noDoor = RemoteRefusal(
        501, "no-door", "adhand of this version cannot be asked for this from a phone; use adhanctl.",
        problem: .failed)
    static let notSaved = RemoteRefusal(
        503, "not-saved",
        "The list of phones cannot be written, so nothing was changed; look at the journal.",
        problem: .failed)
    static let busy = RemoteRefusal(
        503, "busy", "Too many requests wait for adhand; try again in a moment.", problem: .away,
        retryAfter: 5)

    private static func sentence(_ reason: RequestRules.Reason) -> String {
        switch reason {
        case .head: "The request's headers are too long."
        case .host: "This server does not have that name."
        case .method: "This address does not answer that method."
        case .path: "There is nothing here."
        case .origin: "Only this server's own pages may ask for this."
        case .type: "The body has not the media type that this address takes."
        case .length: "The body's length must be given, once, as a number."
        case .tooLarge: "The body is larger than this address takes."
        case .encoding: "A body is sent with Content-Length, and without Transfer-Encoding."
        case .unpaired: "This phone is not paired; open a pairing window in the room."
        case .wait: "This phone has asked for too much within a minute; wait."
        case .role: "This phone may not do that; a keeper's phone may."
        case .fresh: "A code from the room is needed; enter one on the page for pairing."
        }
    }

    private static func sentence(_ code: FieldRefusal.Code) -> String {
        switch code {
        case .missing: "it is missing"
        case .format: "it has not the form that is needed"
        case .unknown: "there is no such choice"
        case .range: "it is too long, or more than this phone may say"
        }
    }
}
