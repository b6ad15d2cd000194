internal import ControlClient
internal import PhoneRules
internal import Protocol
internal import Settings

/// A refusal with its status, a code for programs and a sentence.
struct RemoteRefusal: Error {
    let status: Int
    let code: String
    let message: String
    var problem: PageProblem
    /// Seconds until another attempt may be made.
    var retryAfterSeconds: Int?
    /// The field of the form that caused it.
    var field: FieldRefusal?
    /// The key that another user or program changed meanwhile.
    var key: String?
    var by: String?
    /// A sentence of adhand for which no code exists.
    var reason: String?

    init(
        _ status: Int, _ code: String, _ message: String, problem: PageProblem? = nil,
        retryAfterSeconds: Int? = nil
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.problem = problem ?? PageProblem(status: status)
        self.retryAfterSeconds = retryAfterSeconds
    }

    init(status: Int, _ reason: RequestRules.Reason) {
        self.init(
            status, reason.rawValue, Self.sentence(reason),
            problem: PageProblem(status: status, reason: reason),
            retryAfterSeconds: reason == .wait ? 60 : nil)
    }

    init(_ field: FieldRefusal) {
        if field.code == .stale {
            self.init(409, "conflict", "The list was changed meanwhile; look at it again.")
        } else {
            let why = field.reason ?? Self.sentence(field.code)
            self.init(422, "invalid", "The field \"\(field.field)\" cannot be used: \(why).")
        }
        self.field = field
    }

    /// Translates adhand's refusal, or the reason why there is no answer.
    init(_ error: ControlClientError) {
        guard case .refused(let refusal) = error else {
            self.init(503, "away", error.message)
            return
        }
        let (status, code, problem) = Self.meaning(of: refusal)
        self.init(status, code, refusal.sentence, problem: problem)
        switch refusal {
        case .settingConflict(let key, _, let by):
            (self.key, self.by) = (key, by)
            field = FieldRefusal(key, .stale)
        case .settingPinned(let key, _, _): self.key = key
        case .settingInvalid(let key, _, let reason): field = FieldRefusal(key, .refused, reason: reason)
        case .unknownSetting(let key, _): field = FieldRefusal(key, .unknown)
        case .invalidTime(_, let reason), .soundUnusable(_, let reason), .timetableInvalid(let reason),
            .audioUnavailable(_, let reason):
            self.reason = reason
        default: break
        }
    }

    private static func meaning(of refusal: ControlError) -> (Int, String, PageProblem?) {
        switch refusal {
        case .settingPinned: (409, "pinned", .pinned)
        case .settingConflict: (409, "conflict", .conflict)
        case .settingInvalid, .unknownSetting, .unknownPrayer, .invalidTime, .invalidParameter,
            .timetableInvalid,
            .soundNotFound, .soundUnusable, .unknownOutput:
            (422, "invalid", .invalid)
        case .roleNeeded(.fresh): (403, "fresh", .fresh)
        case .roleNeeded: (403, "role", .role)
        case .notPermitted: (403, "not-permitted", .failed)
        case .nothingPlaying, .nothingSet: (409, "nothing", .nothing)
        case .busy: (409, "busy", .busy)
        case .quiet: (409, "quiet", .failed)
        case .audioUnavailable: (503, "no-sound", .noSound)
        case .stateNotSaved: (503, "not-kept", .notKept)
        case .changeNotSaved: (503, "not-saved", .notSaved)
        default: (503, "failed", .failed)
        }
    }

    /// Translates the intake's refusal of a file.
    init(_ reply: IntakeReply, _ refusal: IntakeReply.Refusal) {
        let (status, code, problem): (Int, String, PageProblem) =
            switch refusal {
            case .request: (422, "invalid", .invalid)
            case .tooLarge: (413, "too-large", .tooLarge)
            case .cut: (400, "cut", .cut)
            case .busy: (503, "busy", .busy)
            case .content: (415, "content", .content)
            case .question: (409, "question", .question)
            case .refused: (409, "in-use", .inUse)
            case .nothing: (409, "nothing", .nothing)
            case .notSaved: (503, "not-saved", .notSaved)
            }
        self.init(
            status, code, reply.message, problem: problem, retryAfterSeconds: refusal == .busy ? 10 : nil)
        if [.content, .refused, .request].contains(refusal) { reason = reply.message }
    }

    /// Translates the bridge's refusal of an address for messages.
    init(_ reply: MessagesReply, _ refusal: MessagesReply.Refusal) {
        let (status, code, problem): (Int, String, PageProblem) =
            switch refusal {
            case .request, .address: (422, "invalid", .invalid)
            case .undelivered: (409, "undelivered", .undelivered)
            case .busy: (503, "busy", .busy)
            case .nothing: (409, "nothing", .nothing)
            case .pinned: (409, "pinned", .pinned)
            // The last three answer root's request, which no phone makes.
            case .configuration, .notPermitted, .member, .connected: (503, "failed", .failed)
            case .notSaved: (503, "not-saved", .notSaved)
            }
        self.init(
            status, code, reply.message, problem: problem, retryAfterSeconds: refusal == .busy ? 10 : nil)
        if refusal == .address { field = FieldRefusal("address", .refused, reason: reply.message) }
        if refusal != .nothing, refusal != .busy { reason = reply.message }
    }

    /// This refusal with the key that it concerns.
    func on(_ key: String) -> RemoteRefusal {
        var refusal = self
        refusal.key = refusal.key ?? key
        return refusal
    }

    /// This refusal with the field that caused it: a name that exists, or else the file, which no form can show again.
    var ofUpload: RemoteRefusal {
        guard field == nil else { return self }
        let name: String? =
            switch code {
            case "in-use", "invalid": "name"
            case "content", "too-large", "cut", "form": "file"
            default: nil
            }
        var refusal = self
        refusal.field = name.map { FieldRefusal($0, .refused) }
        refusal.reason = reason ?? message
        return refusal
    }

    /// Translates the reason why the body of an upload cannot be read.
    init(_ error: Upload.UnreadableError) {
        switch error {
        case .tooLarge: self.init(413, "too-large", "The file is larger than this address takes.")
        case .cutOff: self.init(400, "cut", "The body has ended before the file did.", problem: .cut)
        case .shape, .tooLong, .files, .text:
            self.init(
                400, "form", "The body is not a form with one file, as its last part.", problem: .failed)
        }
    }

    static let notSaved = RemoteRefusal(
        503, "not-saved",
        "The list of phones cannot be written, so nothing was changed; look at the journal.",
        problem: .notSaved)
    static let busy = RemoteRefusal(
        503, "busy", "Too many requests wait for adhand; try again in a moment.", problem: .away,
        retryAfterSeconds: 5)
    static let uploading = RemoteRefusal(
        503, "busy", "Another file is being received; try again when it is done.", problem: .busy,
        retryAfterSeconds: 10)
    static let noIntake = RemoteRefusal(
        503, "away", "Nobody takes files now; is adhan-intake.socket there?", problem: .failed)

    static let noMessages = RemoteRefusal(
        503, "away", "Nobody takes an address for messages now; is adhan-messages.socket there?",
        problem: .failed)

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
        case .past: "it is over already"
        case .stale: "the list was changed meanwhile"
        case .refused: "adhand does not take it"
        }
    }
}
