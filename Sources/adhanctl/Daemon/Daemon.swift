import AdhanCore
import ControlClient
import Host

/// The daemon as this program knows it: a socket to ask, and what to do when it does not answer.
struct Daemon {
    let client: ControlClient
    var path: String { client.socket }

    static let patience = ControlClient.patience
    static let patienceForSound = ControlClient.patienceForSound

    init(socket: String?) {
        client = ControlClient(socket: Paths.clientSocket(option: socket, in: .process))
    }

    /// One question, one answer.
    func ask<Document: ReplyDocument>(
        _ method: String, _ parameters: some Codable & Sendable = NoParameters(), for type: Document.Type,
        patience: Double = patience
    ) throws(Refusal) -> Document {
        do throws(ControlFailure) {
            return try client.call(method, parameters, for: type, patience: patience)
        } catch {
            throw Refusal(error)
        }
    }

    /// The history of so many days, however many parts it comes in.
    func history(days: Int) throws(Refusal) -> HistoryDocument {
        do throws(ControlFailure) {
            let parts = try client.collect(
                "GetHistory", HistoryParameters(days: days), for: HistoryReply.self)
            let last = parts.last?.history
            return HistoryDocument(
                days: days, due: last?.due ?? 0, played: last?.played ?? 0,
                announcements: parts.flatMap(\.history.announcements))
        } catch {
            throw Refusal(error)
        }
    }

    /// What a command that changes something answers: its sentence, or the document.
    func tell(
        _ method: String, _ parameters: some Codable & Sendable = NoParameters(), patience: Double = patience,
        on output: Output
    ) throws(Refusal) {
        let said = try ask(method, parameters, for: SaidReply.self, patience: patience)
        try output.show(said) { _ in said.message + "\n" }
        guard !output.json else { return }
        for problem in said.problems ?? [] { StandardError.say("adhanctl: warning: \(problem)") }
    }

    enum Happening {
        /// Events are heard from now on, at the beginning and after every restart of adhand.
        case connected
        case event(LogEntry)
        /// None came within the seconds that were asked for.
        case waited
    }

    /// Every event as it happens, also beyond a restart of adhand. `each` returns how long to wait for the next one (`nil`: for
    /// ever). Ends only by an error: adhand cannot be reached at the beginning, or it refuses.
    func monitor(_ each: (Happening) throws(Refusal) -> Double?) throws(Refusal) -> Never {
        var monitor = ControlMonitor(client, snapshot: false)
        var wait: Double?
        while true {
            let happening: ControlMonitor.Happening
            do throws(ControlFailure) {
                happening = try monitor.next(within: wait)
            } catch {
                throw Refusal(error)
            }
            switch happening {
            case .event(let entry): wait = try each(.event(entry))
            case .connected: wait = try each(.connected)
            case .nothing: wait = try each(.waited)
            case .lost:
                StandardError.say("adhanctl: adhand has ended; waiting until it is back")
                wait = nil
            }
        }
    }
}

extension Refusal {
    /// The sentence of the failure, and what to do about it.
    init(_ failure: ControlFailure) {
        switch failure {
        case .refused(let error): self.init(error)
        case .path: self.init(.usage, failure.message)
        case .notPermitted(let error):
            self.init(
                .notPermitted, "\(error.message); run adhanctl as the user who runs adhand, or with sudo")
            cause = error.message
        case .unreachable(let error):
            self.init(.unreachable, "\(failure.message); \(Self.howToStart)")
            cause = error.message
        case .hangs:
            self.init(
                .unreachable,
                "\(failure.message); look at \"journalctl -u adhand\", or restart it with "
                    + "\"sudo systemctl restart adhand\"")
        case .closed: self.init(.unreachable, failure.message)
        case .unreadable, .request: self.init(.failed, failure.message)
        }
        isHang = failure.isHang
    }

    static let howToStart =
        "start it with \"sudo systemctl start adhand\", or in a checkout with \"make run\""
}
