import ArgumentParser
import CommandKit
import Console
import Glibc
import Host
import Maintenance
import Playback
import PrayerEngine
import Protocol
import Settings

struct Setup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Sets adhand up: place, method, Asr, loudspeaker, volume.",
        usage: """
            adhanctl setup [<options>]
            adhanctl setup --city <name> --yes [<options>]
            adhanctl setup --undo
            """,
        discussion: """
            Asks five questions, plays a signal until you hear it, shows today's times to compare with your mosque's, and \
            saves the answers: as root in /etc/adhand/adhand.toml, else in your own configuration. Comments and other \
            settings stay; what the file was before is kept beside it, and --undo brings it back. Where adhan-bridge is \
            installed, it also asks who learns when an adhan is not heard, sends a test message, and writes that address \
            into bridge.toml beside the configuration.

            What options answer is not asked; with --yes nothing is, and what is left open is as the file has it, or as \
            is usual in the country.
            """)

    @OptionGroup var global: GlobalOptions

    @OptionGroup(title: "Answers") var answers: SetupArguments

    @Flag(help: "Ask nothing and save.")
    var yes = false

    @Flag(help: "Bring back what the file was before the last setup.")
    var undo = false

    @Option(
        help: ArgumentHelp("The configuration to write.", valueName: "file"), completion: .configurations)
    var config: String?

    func validate() throws {
        if undo, yes || answers.isAny {
            throw ValidationError("--undo stands alone, or with --config")
        }
    }

    func run() throws {
        if undo { return try restorePrevious() }
        guard yes || isatty(STDIN_FILENO) == 1 else {
            throw CommandError(
                .usage,
                "setup asks its questions on a terminal, and this is none; give the answers as options: --city NAME, "
                    + "or --latitude and --longitude; --method, --asr, --device, --volume; and --yes to save")
        }
        if config == nil { try SetupTarget.refuseForeign(global.daemon) }
        let target = try SetupTarget(named: config)
        // Check before the first question, not after the last one.
        try LostParts(of: target, global.daemon).refuse()
        let keeper = PlaceKeeper(of: target, global.daemon)
        let inputs = try SetupSurroundings.collect(
            for: target, keeper.belongings(), isAlertGiven: answers.alert != nil)
        let draft = try answers.draft(in: inputs)
        let saving = SetupSaving(
            target: target, daemon: global.daemon, keeper: keeper, isUnattended: yes,
            isUntested: answers.untested)
        if yes {
            let completed = try complete(draft)
            let outcome: SetupSaving.Outcome
            do throws(SetupRefusal) {
                outcome = try saving.save(completed)
            } catch {
                throw error.error
            }
            guard case .saved(let saved) = outcome else { return }
            return try finish(completed, saved)
        }
        let (finished, saved) = try converse(SetupConversation(draft), saving)
        try finish(finished, saved)
        // Offer nothing to a person who named a file and so has other plans.
        if config == nil, geteuid() != 0 { offerSession(target.path) }
    }

    private func offerSession(_ file: String) {
        let (service, questioner) = (SessionService(file: file), Questioner(toStandardError: global.json))
        switch service.offer(global.daemon) {
        case .none: return
        case .note(let note): questioner.show(["", note])
        case .question(let question):
            guard case .line(let answer) = questioner.ask("\n\(question) [Y/n]"),
                ["", "y", "yes"].contains(answer.lowercased())
            else { return questioner.show(["Later: \(SessionOffer.typed)"]) }
            let result = service.start()
            questioner.show([result.message] + (result.fix.map { ["Try: \($0)"] } ?? []))
        }
    }

    private func complete(_ draft: SetupDraft) throws(CommandError) -> SetupDraft {
        guard answers.hasPlace || draft.inputs.config.location != nil, let completed = draft.completed else {
            throw CommandError(
                .usage, "--yes needs a place: give --city NAME, or --latitude and --longitude")
        }
        let isDecided = completed.timetable != nil || completed.timetableKeeping != nil
        let refusal = completed.placeMove?.refusal(
            timetable: isDecided, exceptions: completed.exceptionsKeeping != nil)
        if let refusal { throw .usage("\(refusal); nothing was changed") }
        return completed
    }

    /// Seconds to wait for a receiver's position.
    private static let receiverPatienceSeconds = 5.0

    // MARK: - The conversation

    /// Holds the conversation; returns the answers to be saved.
    private func converse(
        _ conversation: SetupConversation, _ saving: SetupSaving
    ) throws(CommandError) -> (SetupDraft, SetupSaving.Saved) {
        let questioner = Questioner(toStandardError: global.json)
        var conversation = conversation
        if let note = SetupSurroundings.otherDaemon(config: config) { questioner.show([note, ""]) }
        questioner.show(SetupDropIns(beside: conversation.draft.inputs.file).notes)
        if config == nil, geteuid() == 0,
            case .note(let note) = SessionService(file: conversation.draft.inputs.file).offer(global.daemon)
        {
            questioner.show([note, ""])
        }
        var added: String?
        var overtaken: [ConfigDifference] = []
        var turn = conversation.begin()
        while true {
            questioner.show(turn.lines)
            switch turn.next {
            case .ask(let prompt):
                switch questioner.ask(prompt) {
                case .line(let line): turn = conversation.answer(line)
                case .ended: throw Self.endError("the input ended", .failed, added)
                case .interrupted: throw Self.endError("interrupted", .interrupted, added)
                }
            case .play(let device, let volume):
                turn = conversation.played(
                    TestSignal.play(on: device, volume: volume) { questioner.isInterrupted })
                questioner.discardTyped()
                if questioner.isInterrupted { throw Self.endError("interrupted", .interrupted, added) }
            case .sendMessage(let address):
                turn = conversation.messageSent(
                    MessageSetup(beside: conversation.draft.inputs.file).send(to: address))
                questioner.discardTyped()
                if questioner.isInterrupted { throw Self.endError("interrupted", .interrupted, added) }
            case .importSound(let file):
                let outcome = RecordingImport.add(file, global.daemon)
                if case .added(let name, _) = outcome { added = name }
                turn = conversation.imported(outcome)
            case .readTimetable(let file):
                let draft = conversation.draft
                turn = conversation.timetableRead(
                    TimetableUnderstanding.read(file, draft.site, draft.inputs.now))
                questioner.discardTyped()
            case .locate:
                turn = conversation.located(
                    Gpsd().position(within: Self.receiverPatienceSeconds) { questioner.isInterrupted })
                if questioner.isInterrupted { throw Self.endError("interrupted", .interrupted, added) }
            case .save:
                if questioner.isInterrupted { throw Self.endError("interrupted", .interrupted, added) }
                let draft = conversation.draft
                do throws(SetupRefusal) {
                    switch try saving.save(draft, knowing: overtaken) {
                    case .saved(let saved): return (draft, saved)
                    case .overtaken(let changes):
                        overtaken += changes
                        turn = conversation.overtaken(by: changes)
                    }
                } catch {
                    if error.error.status == .notPermitted { throw error.error }
                    turn = conversation.refused(error.error.message, key: error.key)
                }
            case .leave: throw Self.endError("setup ended before it was done", .failed, added)
            }
        }
    }

    /// Makes the error of an ended conversation, printed on a line below the prompt.
    private static func endError(_ why: String, _ status: ExitStatus, _ added: String?) -> CommandError {
        StandardError.write("")
        let rest = added.map { " but that the sound \"\($0)\" was added" } ?? ""
        return CommandError(status, "\(why); nothing was changed\(rest)")
    }

    /// The outputs on which nothing can be heard now; `nil` if a device opens for each output.
    private static func silence(of config: Config) -> String? {
        let isSilent = { (devices: [String]) in devices.allSatisfy { TestSignal.fault(of: $0) != nil } }
        guard !config.outputs.isEmpty else {
            return isSilent(config.devices) ? "No sound device can be opened here now." : nil
        }
        let names = config.outputs.filter { isSilent($0.devices) }.map { "\"\($0.name)\"" }
        return names.isEmpty ? nil : "No device can be opened here now for \(names.joined(separator: ", "))."
    }

    // MARK: - Saving

    private func finish(_ draft: SetupDraft, _ saved: SetupSaving.Saved) throws(CommandError) {
        var result = saved.result
        // A person who answered questions has read this before saving.
        if yes, let sentence = draft.highLatitudeSentence { result.message += " " + sentence }
        if yes, let sentence = draft.asrSentence { result.message += " " + sentence }
        if yes, let sentence = draft.adjustmentsSentence { result.message += " " + sentence }
        result.message = (draft.readings + saved.sentences + [result.message]).joined(separator: " ")
        if let effect = saved.effect { result.message += " " + effect.apply().message }
        // Warn about a silent device, because no signal was played.
        if yes, answers.device.isEmpty, let sentence = Self.silence(of: draft.config) {
            result.message += " " + sentence
            result.fix = result.fix ?? "sudo adhanctl doctor"
        }
        let alert = draft.message.map { MessageSetup(beside: draft.inputs.file).save($0) }
        guard let document = SetupDocument(draft, backup: saved.backup, result, alert: alert)
        else { throw CommandError(.failed, "the place is not known") }
        let isTerminal = global.output.isTerminal
        try global.output.show(document) { style in
            let text = SetupText.render(document, style)
            guard isTerminal else { return text }
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            return lines.flatMap { FittedLines.of(String($0), width: Questioner.width(of: STDOUT_FILENO)) }
                .joined(separator: "\n")
        }
        // The answers are saved and reported; the exit status shows a script that the alert failed.
        if alert?.isGood == false { Glibc.exit(ExitStatus.failed.rawValue) }
    }

    private func restorePrevious() throws(CommandError) {
        let document = try ConfigurationWriter(own: config, global.daemon).undo(isUntested: answers.untested)
        try global.output.show(document) { _ in document.text }
    }
}
