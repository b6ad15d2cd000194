import Announcements
import PrayerEngine
import Protocol
import Settings
import StateFile
import Texts

/// The present state of the outputs, and mutes of single outputs.
extension DaemonState {
    func outputStates(at now: Instant) -> [OutputState] {
        inputs.config.allOutputs.map { output in
            let (name, health) = (output.name, health[output.name])
            var state = OutputState(
                name: name, devices: output.devices,
                healthy: health.healthy && health.checkedAt != nil && !devices.stuck.contains(name),
                required: output.isRequired, state: state(of: name))
            (state.device, state.lastError) = (health.device, health.lastError)
            state.checkedAt = health.checkedAt.map { text($0) }
            state.quiet = silence(on: name, at: now)
            if state.quiet != nil { state.quietUntil = quietUntil(name, .adhan, at: now) }
            return state
        }
    }

    private func state(of output: String) -> OutputState.State {
        if devices.stuck.contains(output) { return .stuck }
        let open = jobs.filter { job in job.parts.contains { $0.output == output && !$0.isOver } }
        let phases = open.map(\.phase)
        if phases.contains(.playing) { return .playing }
        if phases.contains(.stopping) { return .stopping }
        return phases.isEmpty ? .idle : .cued
    }

    /// The mute or window that would silence an adhan on an output.
    private func silence(on output: String, at now: Instant) -> String? {
        if saved.outputMutes.contains(where: { $0.silences(output, at: now) }) { return OutputMute.name }
        let window = inputs.config.quiet.lowering(100, of: .adhan, on: output, at: now, in: zone)
        return window.flatMap { $0.isSilent ? $0.name : nil }
    }

    /// Whether all required outputs are well, as far as they were tried.
    var isSoundHealthy: Bool {
        inputs.config.allOutputs.allSatisfy { output in
            !output.isRequired || health[output.name].healthy && health[output.name].checkedAt != nil
        }
    }

    // MARK: Mutes of one output

    mutating func muteOutput(
        _ asked: MuteOutputParameters, by peer: Peer, _ batch: inout EffectBatch
    ) throws(ControlError) -> ChangeReply {
        try requireOutput(asked.output)
        guard (asked.duration == nil) != (asked.until == nil) else {
            throw .invalidTime(
                value: asked.duration ?? "",
                reason: "the mute of one output ends by itself: give either a duration or a time")
        }
        // An announcement that is due at this moment was due before the mute.
        reconcile(&batch)
        let mute = try resolvedMute(
            MuteParameters(duration: asked.duration, until: asked.until), by: peer, now: batch.now)
        guard let until = mute.until else { throw .invalidParameter(parameter: "until") }
        let own = OutputMute(
            output: asked.output, since: batch.now, until: until,
            followsElapsedTime: mute.followsElapsedTime, by: peer.claim.actor ?? peer.name)
        saved.outputMutes.removeAll { $0.output == asked.output }
        saved.outputMutes.append(own)
        let sentence = "output \"\(asked.output)\" \(outputMuteText(own, now: batch.now))"
        publishMute(of: asked.output, sentence, &batch)
        return ChangeReply(sentence, until: InstantText.rfc3339(until, in: zone, milliseconds: true))
    }

    mutating func unmuteOutput(
        _ output: String, _ batch: inout EffectBatch
    ) throws(ControlError) -> ChangeReply {
        try requireOutput(output)
        reconcile(&batch)
        guard saved.outputMutes.contains(where: { $0.output == output }) else {
            return ChangeReply("output \"\(output)\" was not muted")
        }
        saved.outputMutes.removeAll { $0.output == output }
        let sentence = "output \"\(output)\" unmuted"
        publishMute(of: output, sentence, &batch)
        return ChangeReply(sentence)
    }

    private func requireOutput(_ name: String) throws(ControlError) {
        let known = inputs.config.outputs.map(\.name)
        guard known.contains(name) else { throw .unknownOutput(output: name, allowed: known) }
    }

    private func publishMute(of output: String, _ message: String, _ batch: inout EffectBatch) {
        var fields = Notice.Fields()
        fields.output = output
        batch.publish(.muteChanged, .notice, message, fields)
    }

    /// `muted until 15:30`
    func outputMuteText(_ mute: OutputMute, now: Instant) -> String {
        muteText(.all(since: mute.since, until: mute.until), now: now)
    }

    mutating func endOutputMutes(_ batch: inout EffectBatch) {
        for mute in saved.outputMutes where mute.isOver(at: batch.now) {
            publishMute(of: mute.output, "output \"\(mute.output)\": the mute is over", &batch)
        }
        saved.outputMutes.removeAll { $0.isOver(at: batch.now) }
        // A mute is in force from the moment of its request, even if the clock was ahead at the time.
        for index in saved.outputMutes.indices where batch.now < saved.outputMutes[index].since {
            let ahead = saved.outputMutes[index].since - batch.now
            saved.outputMutes[index].clockWasSet(by: -ahead)
            saved.outputMutes[index].since = batch.now
        }
    }

    /// Removes everything about outputs that a new configuration does not have.
    mutating func forgetOutputs(_ batch: inout EffectBatch) {
        let names = Set(inputs.config.allOutputs.map(\.name))
        devices.stuck.formIntersection(names)
        devices.closed = devices.closed.filter { names.contains($0.key) }
        let isNamed = hasOutputs
        let gone = saved.outputMutes.filter { !isNamed || !names.contains($0.output) }
        for mute in gone {
            publishMute(
                of: mute.output,
                "output \"\(mute.output)\" is not in the configuration any more; its mute is over", &batch)
        }
        saved.outputMutes.removeAll { mute in gone.contains { $0.output == mute.output } }
    }
}
