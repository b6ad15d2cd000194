import Announcements
import Daemon
import PrayerEngine
import Protocol
import Settings
import StateFile
import Texts

/// Checks the daemon's promises about several outputs.
extension OutputWorld {
    var reference: OutputReferencePlan { OutputReferencePlan(state) }

    mutating func checkHealth(_ id: AnnouncementID, _ result: PreflightResult) {
        for found in result.outputs {
            let health = state.health[found.output]
            require(
                health.healthy == found.problems.isEmpty
                    && (found.device == nil || health.device == found.device),
                "before \(id) \(found.output) is \(health.healthy ? "well" : "ill") on \(health.device ?? "nothing")"
            )
        }
    }

    /// Checks that the sound starts neither early nor twice.
    mutating func checkStart(_ order: Loudspeaker.Order, of job: Job, on output: String) {
        let (id, at) = (order.id, job.announcement.at.unixSeconds)
        // It may start at the time of the other outputs, or by the clock with which it was called, even if that was set since.
        let least = order.clock ?? at + (calledAtOffset[order.token].map { offset - $0 } ?? 0)
        require(
            order.heardFrom >= least - Limits.earlySeconds || order.order.positionSeconds > 0,
            "\(id) is heard on \(output) \(least - order.heardFrom) s early")
        let before = heard[output]?.last { $0.id == id }
        require(
            before.map { $0.until <= $0.from } ?? true || order.order.positionSeconds > 0,
            "\(id) is heard twice on \(output)")
    }

    mutating func checkShare(_ share: OutputOrder, of job: Job) {
        let id = job.announcement.id
        // A resumed sound keeps the volume with which it began.
        guard share.positionSeconds == 0, let at = volumesSetAt[id] else { return }
        // If it is tried again after a restart, its volumes were set before that.
        guard !state.saved.underway.contains(where: { $0.id == id && $0.startedAt != nil }) else { return }
        let expected = reference.volume(
            of: id, own: job.announcement.ownVolumePercent, on: share.name, at: at)
        require(
            share.volumePercent == expected && expected ?? 0 > 0,
            "\(id) is ordered on \(share.name) at \(share.volumePercent) %, not at \(expected ?? -1) %")
        require(
            share.volumePercent <= reference.output(share.name).mostPercent,
            "\(id) is above the cap of \(share.name)")
    }

    /// Remembers which parts ended without a report of their output.
    mutating func noteUnanswered() {
        for job in state.jobs {
            for part in job.parts where part.isUnanswered {
                unanswered.insert("\(job.announcement.id)/\(part.output)")
            }
        }
    }

    mutating func checkTone(on output: String) {
        let settings = reference.output(output)
        require(settings.keepAwakeSeconds != nil, "a tone on \(output), which nobody wants")
        require(state.jobs.isEmpty, "a tone on \(output) while something is prepared or sounds")
        require(
            !reference.isDead(output, at: now) || !reference.isDead(output, at: now + 300),
            "a tone on \(output) in a silent window")
        if let last = tones[output], let interval = settings.keepAwakeSeconds {
            require(elapsed - last >= min(interval, 60) * 0.99, "a tone on \(output) too soon")
        }
        tones[output] = elapsed
    }

    mutating func checkRecord(_ entry: HistoryEntry) {
        outcomes[entry.outcome, default: 0] += 1
        guard let id = AnnouncementID(entry.id), let at = InstantText.parse(entry.scheduled) else {
            return broken("\(entry.id) is no identity")
        }
        let proofs = entry.outputs ?? []
        switch entry.outcome {
        case .played, .partial, .failed, .interrupted: break
        case .quiet, .silent:
            // The volumes at its own instant, or at the moment of noticing.
            let reference = OutputReferencePlan(state, endedMutes: mutesBefore)
            return require(
                [at, now].contains { reference.isSilent(id, at: $0) },
                "\(id) is recorded as \(entry.outcome), and something would be heard")
        default: return
        }
        // The program died during the announcement, so it has no results of its outputs.
        guard !proofs.isEmpty else { return }
        for proof in proofs {
            let end = ends["\(id)/\(proof.name)"]
            switch proof.outcome {
            case .quiet:
                require(
                    silentAtOrder[id]?.contains(proof.name) == true,
                    "\(id) is quiet on \(proof.name) for no reason")
            case .failed where end == nil:
                require(
                    unanswered.contains("\(id)/\(proof.name)") || state.devices.stuck.contains(proof.name),
                    "\(id) failed on \(proof.name), and nothing said so")
                require(
                    !speakers.contains { $0.name == proof.name && $0.goesOn(id) },
                    "\(id) is given up on \(proof.name) while it sounds there")
            default:
                require(
                    end?.rawValue == proof.outcome.rawValue || end == nil && proof.outcome == .played,
                    "\(id) is \(proof.outcome) on \(proof.name), which said \(end?.rawValue ?? "nothing")")
            }
        }
        let expected = reference.outcome(
            of: proofs.filter { $0.outcome != .quiet }, isEnded: entry.endedBy != nil)
        require(
            expected.contains(entry.outcome),
            "\(id) is recorded as \(entry.outcome) with \(proofs.map { "\($0.name) \($0.outcome)" })")
    }
}
