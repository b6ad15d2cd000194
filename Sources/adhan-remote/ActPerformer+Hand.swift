internal import ControlClient
internal import PhoneRules
internal import PrayerEngine
internal import Protocol

/// Sets the times of single days and the beginnings of months, and records these changes, because adhand keeps no list of them.
extension ActPerformer {
    /// Makes one change at a time, so that each knows the value that it replaces.
    func setByHand(_ act: Act) throws(RemoteRefusal) -> ActOutcome? {
        try memory.byHand { () throws(RemoteRefusal) in
            let before = try values()
            guard let performed = try performCommand(act) else { return nil }
            return try noted(performed, since: before)
        }
    }

    func undo(hand number: Int) throws(RemoteRefusal) -> ActOutcome? {
        try memory.byHand { () throws(RemoteRefusal) in
            let before = try values()
            let act: Act
            do throws(HandChanges.UndoRefusal) {
                let changes = memory.handChanges
                act = try changes.undoing(number, now: changes.subject(of: number).flatMap { before[$0] })
            } catch {
                throw RemoteRefusal(error)
            }
            guard let reply = try performCommand(act) else { return nil }
            memory.change { $0.forget(number) }
            var performed = ActOutcome(answer: reply.message, .undone)
            performed.problems = reply.problems
            return try noted(performed, since: before)
        }
    }

    private func noted(_ performed: ActOutcome, since before: HandValues) throws(RemoteRefusal) -> ActOutcome
    {
        var performed = performed
        let after = try values()
        for subject in after.changed(since: before) {
            performed.handUndo = memory.change {
                $0.note(subject, from: before[subject], to: after[subject], by: claim.actor ?? "")
            }
        }
        return performed
    }

    private func values() throws(RemoteRefusal) -> HandValues {
        try ask { () throws(ControlClientError) in HandValues(try adhand.exceptions(), try adhand.pins()) }
    }
}

extension RemoteRefusal {
    init(_ refusal: HandChanges.UndoRefusal) {
        switch refusal {
        case .nothing:
            self.init(
                409, "nothing", "There is nothing to undo: it was undone already, or others came after it.",
                problem: .nothing)
        case .changed(let by):
            self.init(409, "conflict", "It was changed again meanwhile; undo that first.")
            self.by = by
        }
    }
}
