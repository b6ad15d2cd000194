import CommandKit
import Console
import ControlClient
import DisplayFeed
import Host
import Maintenance
import PrayerEngine
import ScreenPlan
import Settings
import Texts

/// `display scene --json`: the scene of an instant, and the following ones.
struct SceneDocument: Encodable {
    let at: String
    let scene: String
    @Nullable var prayer: String?
    let reason: String
    let from: String
    /// The end of the scene; `null` if it lasts for both days that are computed.
    @Nullable var until: String?
    @Nullable var next: String?
    @Nullable var target: String?

    init(at text: String?, view: String?, config file: String?, daemon: ControlClient) throws(CommandError) {
        let read: DisplayFile
        do throws(DisplayFileError) {
            read = try DisplayFile.read(file, in: .process)
        } catch {
            switch error {
            case .mistakes(let mistake): throw CommandError(mistake)
            case .file(let failure): throw CommandError(.failed, failure.message)
            }
        }
        let name = view ?? View.wall
        guard read.config.seen(as: name) != nil else {
            throw CommandError.usage(
                "there is no view \"\(PlainText.visible(name))\"; there are: \(read.config.viewNames.joined(separator: ", "))"
            )
        }
        let zones = ZoneFiles(in: .process)
        let zone = try Self.asking { () throws(ControlClientError) in
            try DaemonAnswers.zone(asking: daemon, zones: zones)
        }
        guard let instant = MomentText.read(text ?? "now", now: WallClock.now(), in: zone) else {
            throw CommandError.usage("--at must be \(MomentText.allowed), not \"\(text ?? "")\"")
        }
        let answers = try Self.asking { () throws(ControlClientError) in
            try DaemonAnswers(asking: daemon, zones: zones, now: instant)
        }
        // Include the settings made by command.
        let whole = read.with(answers.settings ?? [])
        let config = whole.seen(as: name) ?? whole
        let inputs = answers.inputs(now: instant)
        let screens = ScreenSchedule(inputs.schedule, config.display, inputs.facts, now: instant)
        func written(_ instant: Instant) -> String { InstantText.rfc3339(instant, in: zone) }
        guard let shown = screens.scene(at: instant) else {
            throw CommandError(.failed, "nothing is known about that time")
        }
        let following = screens.scenes.first { instant < $0.from }
        at = written(instant)
        scene = shown.kind.rawValue
        prayer = shown.prayer?.rawValue
        reason = shown.reason
        from = written(shown.from)
        until = following.map { written($0.from) }
        next = following.map(\.kind.rawValue)
        target = shown.target.map(written)
    }

    private static func asking<Answer>(
        _ question: () throws(ControlClientError) -> Answer
    ) throws(CommandError) -> Answer {
        do throws(ControlClientError) {
            return try question()
        } catch {
            throw CommandError(error)
        }
    }

    func text(_ style: Style) -> String {
        let name = style([scene, prayer].compactMap(\.self).joined(separator: ", "), .heading)
        let end = until.map { " until \(LocalText.spoken($0, now: at))" } ?? ""
        let after = next.map { ", then \($0)" } ?? ""
        return "\(at.prefix(10)) \(LocalText.minute(at)): \(name)\(end)\(after)\n\(reason)\n"
    }
}
