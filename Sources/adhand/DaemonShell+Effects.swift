internal import Daemon
internal import Dispatch
internal import Glibc
internal import Host
internal import Playback
internal import PrayerEngine
internal import Protocol
internal import Recording
internal import Settings
import StateFile
import Times

/// Performs the effects that the state requests.
extension DaemonShell {
    func perform(_ effects: [Effect]) {
        var problem: String?
        for effect in effects {
            switch effect {
            case .arm(let wanted): timers?.arm(wanted)
            case .preflight(let id, let order): preflight(order) { .preflight(id: id, $0) }
            case .tryDevices(let output, let devices): tryDevices(devices, of: output)
            case .keepAwake(let output, let devices): players.keepAwake(output, devices: devices)
            case .cue(let order): cue(order)
            case .start(let token): players.start(id: String(token))
            case .stop(let token, let limit): players.stop(id: String(token), withinSeconds: limit)
            case .stopPart(let token, let output): players.stop(id: String(token), on: output)
            case .leaveOut(let token, let output):
                players.stop(id: String(token), on: output, withinSeconds: 0)
            case .setClock(let token, let beganAt):
                players.setClock(id: String(token), beganAtUnixSeconds: beganAt.unixSeconds)
            case .save(let saved): problem = save(saved)
            case .record(let entries): record(entries)
            case .reply(let id, let reply): server?.reply(id, Self.honest(reply, problem))
            case .replyWithHistory(let id, let days): replyWithHistory(id, days: days)
            case .replyWithSounds(let id): replyWithSounds(id)
            case .replyWithHealth(let id, let status): replyWithHealth(id, status)
            case .replyWithDevices(let id, let named): ask(.devices(named: named), for: id)
            case .findDevice(let test): ask(.device(test), for: test.request)
            case .check(let id, let file): ask(.configuration(file: file), for: id)
            case .beginMonitor(let id, let status): server?.beginMonitor(id, telling: status)
            case .publish(let notice): publish(notice)
            case .keep(let kept): keep(kept)
            case .readInputs(let change): readInputs(change)
            case .readTimetable(let id): readTimetable(for: id)
            case .trySettings(let trial): trySettings(trial)
            case .saveSettings(let layer): saveSettings(layer)
            case .tryFleet(let task): tryFleet(task)
            case .fleetPreflight(let preflight, let order): self.preflight(preflight, order)
            case .changeTimetable(let change): changeTimetable(change)
            case .reportSave: pending.append(.envelopeSaved(problem: problem))
            case .notifyService(let service): ServiceReports.send(service)
            case .exit: end()
            }
        }
    }

    /// Turns the reply about a change that was made but not saved into a refusal.
    private static func honest(_ reply: Reply, _ problem: String?) -> Reply {
        guard let problem, case .document = reply else { return reply }
        return .refused(.stateNotSaved(reason: problem))
    }

    private func cue(_ job: JobOrder) {
        let (parts, missing) = library.orders(for: job)
        for (name, searched) in missing {
            pending.append(
                .playback(
                    token: job.token, output: job.outputs[0].name,
                    .soundMissing(name: name, searched: searched)))
        }
        guard !job.strict || missing.isEmpty else { return }
        for part in parts { players.cue(part.order, on: part.output) }
    }

    /// Measures a recording once that was copied here by hand, or named by its path, so that it is as loud as an imported one:
    /// when the configuration is read, and again before it is heard.
    func measureSounds(of config: Config) {
        measure(library.unmeasured(in: config))
    }

    private func measure(_ files: [String]) {
        for file in files {
            preflights.async { [self] in
                guard
                    let found = TimeLimit.run(
                        on: file, seconds: Self.checkLimitSeconds, { SoundLibrary.measure(file) })
                        ?? nil
                else { return }
                enter { $0.library.remember(file, found, in: $0.journal) }
            }
        }
    }

    private func publish(_ notice: Notice) {
        journal.write(notice)
        guard let server, server.hasMonitors else { return }
        server.publish(LogEntry(notice, in: state.inputs.site.zone))
    }

    private func ask(_ question: Checks.Question, for id: RequestID) {
        if let refusal = checks.ask(id, question) { server?.reply(id, .refused(refusal)) }
    }

    func answerCheck(_ answer: Checks.Answer) {
        switch answer {
        case .reply(let reply, let trial):
            // The findings of doctor are also used by status.
            if let trial {
                handle(.devicesTried(output: state.inputs.config.allOutputs[0].name, trial))
            }
            for caller in checks.finished() { server?.send(caller, reply) }
        case .device(let test, let isListed):
            _ = checks.finished()
            handle(.deviceFound(test, isListed: isListed))
        }
    }

    /// Ends the program so that the service manager restarts it, unless something sounds or is due by now.
    func restart(for stuck: [String]) {
        guard state.reasonToSpareDevices(at: WallClock.now()) == nil else { return }
        let names = stuck.map { "\"\($0)\"" }.joined(separator: ", ")
        journal.log(
            .error,
            "playing on \(names) does not answer any more; adhand ends, to be started again without it")
        end(EXIT_FAILURE)
    }

    /// Ends the program: sounds fade out, and outputs that do not answer delay nothing.
    func stop() {
        handle(.stopping)
        awaitEnd(ShutdownWatch())
    }

    /// Seconds between two checks whether it can end.
    private static let endLookSeconds = 0.1

    private func awaitEnd(_ watch: ShutdownWatch) {
        var watch = watch
        let signs = players.signs.map { sign in
            OutputWatch.Sign(
                output: sign.output, heartbeat: sign.heartbeat, isIdle: sign.isIdle, isRequired: false)
        }
        if watch.isStuck(signs, at: MonotonicClock.now()) {
            end(shutdownSeconds: Players.shutdownSeconds - ShutdownWatch.patienceSeconds)
        }
        let next = watch
        queue.asyncAfter(deadline: .now() + Self.endLookSeconds) { [self] in
            assumeIsolated { $0.awaitEnd(next) }
        }
    }

    private func end(
        _ status: Int32 = EXIT_SUCCESS, shutdownSeconds: Double = Players.shutdownSeconds
    ) -> Never {
        players.shutdown(seconds: shutdownSeconds)
        server?.close()
        // Releasing the socket removes it.
        server = nil
        journal.writer?.flush()
        ServiceReports.flush()
        exit(status)
    }
}
