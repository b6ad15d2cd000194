import Announcements
import PrayerEngine
import Protocol
package import Settings
import Texts
import Times

/// Handles settings made by command: tried, saved, put in force, answered, in this order.
extension DaemonState {
    /// Starts a change. A refusal that needs no look at the machine is immediate; the rest is queued, as files may be being read.
    mutating func changeSettings(
        _ change: SettingsAsk.Change, _ id: RequestID, from peer: Peer, _ batch: inout EffectBatch
    ) throws(ControlError) {
        let ask = SettingsAsk(
            request: id, change: change, author: SettingAuthor(actor: peer.claim.actor, user: peer.name),
            role: inputs.role(of: peer) ?? .household)
        _ = try draft(ask, at: batch.now)
        read(.settings(ask), &batch)
    }

    private func draft(_ ask: SettingsAsk, at now: Instant) throws(ControlError) -> SettingsDraft {
        let (files, at) = (inputs.layered.layerFiles, InstantText.rfc3339(now, in: .utc))
        do throws(SettingsRefusal) {
            switch ask.change {
            case .set(let asked):
                return try settings.setting(
                    asked.changes, expect: asked.expect, by: ask.author, as: ask.role, over: files, at: at)
            case .undo(let number):
                return try settings.undoing(number, by: ask.author, as: ask.role, over: files, at: at)
            }
        } catch {
            throw ControlError(error)
        }
    }

    /// Tries the change when it is next in the queue, on the configuration of that moment.
    mutating func trySettings(_ ask: SettingsAsk, _ batch: inout EffectBatch) {
        do throws(ControlError) {
            let draft = try draft(ask, at: batch.now)
            guard draft.change != nil else {
                return end(ask, .document(reply(ask, "everything is set so already", [])), &batch)
            }
            _ = try fileBytes(draft.layer)
            isTrialStale = false
            batch.add(.trySettings(SettingsTrial(ask: ask, draft: draft)))
        } catch {
            end(ask, .refused(error), &batch)
        }
    }

    private func fileBytes(_ layer: SettingsLayer) throws(ControlError) -> [UInt8] {
        do throws(SettingsRefusal) {
            return try layer.fileBytes()
        } catch {
            throw ControlError(error)
        }
    }

    mutating func settingsTried(_ finding: SettingsFinding, _ batch: inout EffectBatch) {
        let (ask, draft) = (finding.trial.ask, finding.trial.draft)
        guard !isTrialStale else { return trySettings(ask, &batch) }
        if let refusal = refusal(of: finding) {
            return end(ask, .refused(ControlError(refusal)), &batch)
        }
        if ask.isDryRun {
            let sentences = sentences(draft, finding.inputs.layered)
            return end(ask, .document(reply(ask, "can be set: ", sentences, finding)), &batch)
        }
        unsavedSettings = finding
        batch.add(.saveSettings(draft.layer))
    }

    /// Why the result, with its sounds, devices and a year of iqamas, is refused. Problems from before do not count.
    private func refusal(of finding: SettingsFinding) -> SettingsRefusal? {
        let (new, draft) = (finding.inputs, finding.trial.draft)
        if let refusal = new.layered.refusal(of: draft, since: inputs.layered) { return refusal }
        func invalid(_ reason: String, at parts: [String]) -> SettingsRefusal {
            let steps = draft.change?.steps ?? []
            let step = steps.first { step in parts.contains { step.key.contains($0) } } ?? steps.first
            return .invalid(key: step?.key ?? "", value: step?.after ?? "", reason: reason)
        }
        if let device = finding.unknownDevices.first {
            return invalid(
                "this machine lists no device \"\(device)\"; \"sudo adhanctl setup\" shows those that it lists",
                at: ["devices"])
        }
        if let problem = new.soundProblems.first(where: { !finding.problemsBefore.contains($0) }) {
            return invalid(problem.sentence, at: ["sound"])
        }
        if let problem = new.mosqueProblems.first(where: { !finding.problemsBefore.contains($0) }) {
            return invalid(problem.sentence, at: ["iqama", "jumua", "ramadan"])
        }
        return nil
    }

    /// Handles the result of saving. A setting that the disk did not accept is not put in force: unlike a mute it can wait.
    mutating func settingsSaved(_ problem: String?, _ batch: inout EffectBatch) {
        guard let finding = unsavedSettings else { return }
        unsavedSettings = nil
        let (ask, draft) = (finding.trial.ask, finding.trial.draft)
        if let problem { return end(ask, .refused(.changeNotSaved(reason: Reason.stated(problem))), &batch) }
        let sentences = sentences(draft, finding.inputs.layered)
        settings = draft.layer
        settingsLoss = nil
        enter(finding.inputs, .settings(ask), [], &batch)
        for (step, sentence) in zip(draft.change?.steps ?? [], sentences) {
            var fields = Notice.Fields()
            (fields.actor, fields.user) = (ask.author.actor, ask.author.user)
            (fields.change, fields.setting) = (settings.change, step.key)
            batch.publish(.settingsChanged, .notice, "\(ask.author.text): \(sentence)", fields)
        }
        batch.add(.reply(ask.request, .document(reply(ask, "", sentences, finding))))
    }

    /// `adhan.fajr.volume 60 → 45 (change 14)`: the old value and the new one.
    private func sentences(_ draft: SettingsDraft, _ new: LayeredConfig) -> [String] {
        (draft.change?.steps ?? []).map { step in
            func shown(_ layered: LayeredConfig) -> String {
                let value = SettableKey(step.key).map { layered.inForce($0) } ?? ""
                let text = value.isEmpty ? "nothing" : value
                return text.count > 100 ? "\(text.prefix(97))..." : text
            }
            return "\(step.key) \(shown(inputs.layered)) → \(shown(new)) (change \(draft.layer.change))"
        }
    }

    private func reply(
        _ ask: SettingsAsk, _ start: String, _ sentences: [String], _ finding: SettingsFinding? = nil
    ) -> any ReplyDocument {
        let (message, change) = (start + sentences.joined(separator: "; "), settings.change)
        let details = sentences.isEmpty ? nil : sentences
        // By the time it takes effect, the timetable may differ from the one of its trial.
        let inputs = ask.isDryRun ? finding?.inputs : finding.map { _ in self.inputs }
        let silent = finding?.silentOutputs ?? []
        let problems = (inputs.map { $0.soundProblems + $0.mosqueProblems } ?? []).map(\.sentence) + silent
        let isSilent: Bool? = silent.isEmpty ? nil : true
        let awaitsTrial: Bool? = finding?.isUntried == true ? true : nil
        if case .undo = ask.change {
            var reply = SettingsUndoneReply(message, change: change, problems: problems, silent: isSilent)
            (reply.awaitsTrial, reply.details) = (awaitsTrial, details)
            return reply
        }
        var reply = SettingsChangedReply(message, change: change, problems: problems, silent: isSilent)
        (reply.awaitsTrial, reply.details) = (awaitsTrial, details)
        return reply
    }

    /// Ends a change without effect: sends the reply, and starts the next in the queue.
    private mutating func end(_ ask: SettingsAsk, _ reply: Reply, _ batch: inout EffectBatch) {
        batch.add(.reply(ask.request, reply))
        endReading(.settings(ask), &batch)
    }

    /// Reports settings that are not in force, and why: at a start, and after a reload that changed them.
    mutating func reportSettings(since old: DaemonInputs?, _ batch: inout EffectBatch) {
        if old == nil, let settingsLoss {
            batch.publish(.settingsChanged, .error, settingsLoss.message)
        }
        let known = old?.layered.settings ?? []
        for (setting, sentence) in inputs.layered.complaints where !known.contains(where: setting.isSame(as:))
        {
            var fields = Notice.Fields()
            (fields.change, fields.setting) = (setting.entry.change, setting.entry.key)
            batch.publish(.settingsChanged, .warning, sentence, fields)
        }
    }

    // MARK: Reading settings

    func settingsReply(prefix: String?) -> SettingsReply {
        let files = inputs.layered.layerFiles
        func isAsked(_ key: String) -> Bool {
            guard let prefix, !prefix.isEmpty else { return true }
            return key == prefix || key.hasPrefix(prefix.hasSuffix(".") ? prefix : prefix + ".")
        }
        return SettingsReply(
            change: settings.change,
            settings: inputs.layered.settings.filter { isAsked($0.entry.key) }
                .map { SettingDocument($0, in: inputs.layered) },
            keys: SettableKey.all.filter { isAsked($0.key) }.map {
                SettableKeyDocument($0, in: inputs.layered, files)
            })
    }
}

extension DaemonInputs {
    /// The role that limits a caller's changes; `nil` for a caller who may only read.
    package func role(of peer: Peer) -> SettingRole? {
        rank(of: peer) > .stranger ? peer.claim.role ?? .fresh : nil
    }
}
