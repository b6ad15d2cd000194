internal import ControlRules
internal import Daemon
internal import Dispatch
internal import Host
internal import PrayerEngine
internal import Protocol
internal import Settings

/// Answers questions about the history beside the queue: one piece of work at a time, users in turn, nothing for callers that
/// have left.
struct HistoryQuestions {
    struct Question {
        let days: Int
        let now: Instant
        let user: UInt32
        /// Whether the configuration names outputs or quiet windows.
        let tellsOutputs: Bool
        /// Whether the answer may come in several parts.
        let more: Bool
        /// The position in the file at which the next part begins.
        var after = -1
    }

    var turns = RoundRobin<RequestID>()
    var open: [RequestID: Question] = [:]
    var isReading = false

    mutating func add(_ id: RequestID, _ question: Question) {
        open[id] = question
        turns.add(id, of: question.user)
    }

    mutating func drop(_ id: RequestID) {
        guard let question = open.removeValue(forKey: id) else { return }
        turns.remove(id, of: question.user)
    }
}

extension DaemonShell {
    func replyWithHistory(_ id: RequestID, days: Int) {
        guard let caller = server?.caller(of: id) else { return }
        historyQuestions.add(
            id,
            .init(
                days: days, now: WallClock.now(), user: caller.user,
                tellsOutputs: state.inputs.config.tellsOutputs, more: caller.more))
        readHistory()
    }

    private func readHistory() {
        guard !historyQuestions.isReading, let id = historyQuestions.turns.next(),
            let question = historyQuestions.open[id]
        else { return }
        historyQuestions.isReading = true
        let reader = historyReader
        files.async { [self] in
            let answer = Self.answer(question, reader)
            enter { daemon in
                daemon.historyQuestions.isReading = false
                daemon.send(answer, to: id)
                daemon.readHistory()
            }
        }
    }

    private struct Answer: Sendable {
        let bytes: [UInt8]?
        var next: Int?
    }

    private static func answer(_ question: HistoryQuestions.Question, _ reader: HistoryReader) -> Answer {
        do throws(ShellError) {
            guard question.more else {
                let history = try reader.whole(
                    days: question.days, now: question.now, tellsOutputs: question.tellsOutputs)
                return Answer(bytes: try? Varlink.reply(.document(HistoryReply(history: history))))
            }
            let part = try reader.part(
                days: question.days, now: question.now, after: question.after,
                tellsOutputs: question.tellsOutputs)
            let reply = Reply.document(HistoryReply(history: part.history))
            return Answer(bytes: try? Varlink.reply(reply, continues: part.next != nil), next: part.next)
        } catch {
            return Answer(bytes: try? Varlink.reply(.refused(.historyUnreadable(reason: error.message))))
        }
    }

    private func send(_ answer: Answer, to id: RequestID) {
        guard var question = historyQuestions.open.removeValue(forKey: id) else { return }
        guard let next = answer.next, let bytes = answer.bytes else {
            server?.send(id, answer.bytes)
            return
        }
        question.after = next
        let following = question
        // The next part is read when this one has been received.
        historyQuestions.open[id] = following
        server?.send(id, part: bytes) { [unowned self] in
            historyQuestions.turns.add(id, of: following.user)
            readHistory()
        }
    }
}
