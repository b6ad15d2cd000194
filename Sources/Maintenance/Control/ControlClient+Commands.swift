import CommandKit
package import ControlClient
import Host
import PrayerEngine
package import Protocol
import Texts

/// The daemon as the commands of this program ask it: an error is a sentence for a person, and an exit status.
extension ControlClient {
    /// - Parameter option: the socket that the command line names.
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

    /// The agenda from yesterday to tomorrow, which knows beforehand what will be silent; `nil` where the configuration has neither
    /// outputs nor quiet windows, and where it is not answered.
    package func agenda(
        around status: StatusDocument, patienceSeconds: Double = patienceSeconds
    ) -> [OccasionDocument]? {
        guard status.audio.outputs != nil, let today = CivilDate(LocalText.date(status.now)) else {
            return nil
        }
        let asked = AgendaParameters(from: today.adding(days: -1).description, days: 3)
        return try? ask(.getAgenda, asked, patienceSeconds: patienceSeconds).occasions
    }

    /// The history of this many days, however many parts it comes in.
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

    /// The answer of a command that changes something: its sentence, or the document.
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
        /// Events are heard from now on, at the beginning and after every restart of adhand.
        case connected
        case event(LogEntry)
        /// None came within the seconds that were asked for.
        case waited
    }

    /// Every event as it happens, also beyond a restart of adhand. `each` returns how long to wait for the next one (`nil`: for
    /// ever). Ends only by an error: adhand cannot be reached at the beginning, or it refuses.
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
    /// The failure's sentence, and the remedy.
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

    /// A machine with the package has no checkout.
    static var howToStart: String {
        let start = "start it with \"sudo systemctl start adhand\""
        let units = ["/usr/lib/systemd/system", "/lib/systemd/system", "/etc/systemd/system"]
        let isInstalled = units.contains { Environment.process.exists($0 + "/adhand.service") }
        return isInstalled ? start : start + ", or in a checkout with \"make run\""
    }
}
