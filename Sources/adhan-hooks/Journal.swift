internal import CommandKit
internal import HookPlan
internal import Texts

typealias Journal = TopicJournal<HookTopic>

/// The topics of adhan-hooks's journal.
enum HookTopic: JournalTopic {
    case adhand

    static let program = "adhan-hooks"
}

extension TopicJournal where Topic == HookTopic {
    /// Logs a program's output line by line, and its failure.
    static func log(_ name: String, _ result: CommandRunner.Result, limitBytes: Int) {
        let text = String(decoding: result.output.utf8.suffix(limitBytes), as: UTF8.self)
        for line in text.split(whereSeparator: \.isNewline) {
            log("\(name): \(PlainText.visible(String(line)))")
        }
        if let failure = result.failure { log("\(name): \(failure)") }
    }

    static func log(_ report: HookReport) {
        switch report {
        case .dropped(let hook, let event):
            log(
                "the hook \"\(hook)\" still runs and others wait for it, so its event \(event.rawValue) is left out"
            )
        case .relayFailed(let name, let drive, let isOn, let reason):
            log(
                "\(drive.title(name)) could not be switched \(isOn ? "on" : "off"): \(reason); it is tried again in "
                    + DurationText.format(RelayDrive.retrySeconds))
        case .relayGivenUp(let name, let drive):
            log(
                "\(drive.title(name)) is no longer in the file and cannot be switched off; look whether it is on"
            )
        }
    }
}
