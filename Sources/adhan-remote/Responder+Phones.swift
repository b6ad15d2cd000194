internal import PhoneRules
internal import WebServer

/// Pairs phones and removes them.
extension Responder {
    func pair(
        _ proof: PairingProof, _ name: PhoneName, _ admission: RequestRules.Admission,
        _ request: RemoteRequest
    ) throws(RemoteRefusal) -> Answer {
        let (verdict, token): (Access.PairingVerdict, PhoneToken)
        do throws(Gatekeeper.NotSavedError) {
            (verdict, token) = try gatekeeper.pair(
                proof, name, own: request.head.token, from: admission.address,
                entryPoint: admission.entryPoint)
        } catch {
            throw .notSaved
        }
        let paired = ActOutcome("This phone is paired.", .paired)
        // The phone that claims a new box continues with its set-up, because the claim is in force with that request.
        var next = Route.Name.setup
        if gatekeeper.setUp.state == .closed { next = .now }
        switch verdict {
        case .paired(let phone):
            if phone.role == .household { next = .now }
            var answer = done(paired, admission, to: next)
            answer.headers.append(
                ("Set-Cookie", RequestHead.setCookie(token, days: days, isSecure: admission.isSecure)))
            return answer
        case .renewed(let phone): return done(paired, admission, to: phone.role == .keeper ? next : .now)
        case .mayName(let isNew):
            let performed = ActOutcome("This phone may name a network for the box.", .done)
            var answer = done(performed, admission, to: .network)
            if isNew {
                let cookie = RequestHead.setCookie(token, days: 1, isSecure: admission.isSecure)
                answer.headers.append(("Set-Cookie", cookie))
            }
            return answer
        case .taken(let name):
            var refusal = RemoteRefusal(
                409, "claimed",
                "Another phone is setting up this box; open pairing on the screen or at the prayer clock to use this one, too.",
                problem: .claimed)
            refusal.by = name
            throw refusal
        case .refused:
            var refusal = RemoteRefusal(
                403, "code",
                "That code is not valid now; open a pairing window in the room, and scan or enter its code.",
                problem: .wrongCode)
            refusal.field = FieldRefusal("code", .unknown)
            throw refusal
        case .full:
            throw RemoteRefusal(
                409, "full", "As many phones as may be are paired; remove one first.", problem: .full)
        case .wait(let seconds):
            throw RemoteRefusal(
                429, "wait", "Too many wrong codes came from this address; wait \(seconds) s.",
                problem: .wait, retryAfterSeconds: seconds)
        }
    }

    func leave(_ admission: RequestRules.Admission) throws(RemoteRefusal) -> Answer {
        if let phone = admission.phone { _ = try revoke(phone.id) }
        var answer = done(ActOutcome("This phone has left.", .removed), admission, to: .pair)
        answer.headers.append(("Set-Cookie", RequestHead.clearCookie(isSecure: admission.isSecure)))
        return answer
    }

    func revoke(_ id: String) throws(RemoteRefusal) -> Bool {
        do throws(Gatekeeper.NotSavedError) {
            return try gatekeeper.revoke(id)
        } catch {
            throw .notSaved
        }
    }
}
