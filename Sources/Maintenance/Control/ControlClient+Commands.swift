import CommandKit
package import ControlClient
import Host
import PrayerEngine
package import Protocol
import Texts

/// Requests of this program's commands to the daemon. An error is a sentence for people, and an exit status.
extension ControlClient {
    /// - Parameter option: the socket given on the command line.
    package init(option: String?) {
        self.init(socket: Paths.clientSocket(option: option, in: .process))
    }

    /// Sends one request and returns its answer.
    package func ask<Parameters, Answer>(
        _ method: MethodSignature<Parameters, Answer>, _ parameters: Parameters,
        patienceSeconds: Double = patienceSeconds
    ) throws(CommandError) -> Answer {
        do throws(ControlClientError) {
            return try call(method, parameters, patienceSeconds: patienceSeconds)
        } catch {
            throw CommandError(error)
        }
    }

    package func ask<Answer>(
        _ method: MethodSignature<NoParameters, Answer>, patienceSeconds: Double = patienceSeconds
    ) throws(CommandError) -> Answer {
        try ask(method, NoParameters(), patienceSeconds: patienceSeconds)
    }

    /// The agenda from yesterday to tomorrow, which shows coming silences; `nil` if the configuration has neither outputs nor
    /// quiet windows, or if there is no answer.
    package func agenda(
        around status: StatusDocument, patienceSeconds: Double = patienceSeconds
    ) -> [OccasionDocument]? {
        guard status.audio.outputs != nil, let today = CivilDate(LocalText.date(status.now)) else {
            return nil
        }
        let asked = AgendaParameters(from: today.adding(days: -1).description, days: 3)
        return try? ask(.getAgenda, asked, patienceSeconds: patienceSeconds).occasions
    }

    /// The history of the given number of days, joined from as many replies as it takes.
    package func history(days: Int) throws(CommandError) -> HistoryDocument {
        do throws(ControlClientError) {
            let parts = try collect(
                .getHistory, HistoryParameters(days: days))
            let last = parts.last?.history
            return HistoryDocument(
                days: days, due: last?.due ?? 0, played: last?.played ?? 0,
                partial: last?.partial,
                announcements: parts.flatMap(\.history.announcements))
        } catch {
            throw CommandError(error)
        }
    }

    /// Returns the answer of a command that changes something: its sentence, or the document.
    package func perform<Parameters>(
        _ method: MethodSignature<Parameters, ChangeReply>, _ parameters: Parameters,
        patienceSeconds: Double = patienceSeconds, on output: Output
    ) throws(CommandError) {
        let reply = try ask(method, parameters, patienceSeconds: patienceSeconds)
        try output.show(reply) { _ in reply.message + "\n" }
        guard !output.json else { return }
        for problem in reply.problems ?? [] { StandardError.write("adhanctl: warning: \(problem)") }
    }

    package func perform(
        _ method: MethodSignature<NoParameters, ChangeReply>, on output: Output
    ) throws(CommandError) {
        try perform(method, NoParameters(), on: output)
    }

    package enum MonitorStep {
        /// Events are received from now on; sent at the beginning and after every restart of adhand.
        case connected
        case event(LogEntry)
        /// No event came within the requested seconds.
        case waited
    }

    /// Delivers every event as it happens, across restarts of adhand. `each` returns how long to wait for the next event
    /// (`nil`: without a limit). Ends only with an error: adhand cannot be reached at the beginning, or it refuses.
    package func monitor(_ each: (MonitorStep) throws(CommandError) -> Double?) throws(CommandError) -> Never
    {
        var monitor = ControlMonitor(self, snapshot: false)
        var wait: Double?
        while true {
            let update: ControlMonitor.Update
            do throws(ControlClientError) {
                update = try monitor.next(withinSeconds: wait)
            } catch {
                throw CommandError(error)
            }
            switch update {
            case .event(let entry): wait = try each(.event(entry))
            case .connected: wait = try each(.connected)
            case .nothing: wait = try each(.waited)
            case .lost:
                StandardError.write("adhanctl: adhand has ended; waiting until it is back")
                wait = nil
            }
        }
    }
}

extension CommandError {
    /// Makes the error of a failed request, with its remedy.
    package init(_ failure: ControlClientError) {
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
        case .unreadable, .endless, .request: self.init(.failed, failure.message)
        }
        isHang = failure.isHang
    }

    /// The advice for starting adhand, which differs between the package and a source checkout.
    static var howToStart: String {
        let start = "start it with \"sudo systemctl start adhand\""
        let units = ["/usr/lib/systemd/system", "/lib/systemd/system", "/etc/systemd/system"]
        let isInstalled = units.contains { Environment.process.exists($0 + "/adhand.service") }
        return isInstalled ? start : start + ", or in a checkout with \"make run\""
    }
}
