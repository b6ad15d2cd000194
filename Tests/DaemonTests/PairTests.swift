import Announcements
import BoxSupport
import PrayerEngine
import Protocol
import Settings
import StateFile
import Testing
import Texts
import Times

@testable import Daemon

/// A box with two outputs and a loudspeaker for its tests.
private struct PairBox {
    private static let config = """
        [[output]]
        name = "hall"
        devices = ["hw:1"]
        [[output]]
        name = "bedroom"
        devices = ["hw:2"]

        """

    private static let noon = "2026-11-20T12:30:00-05:00"

    private(set) var box: Box
    /// The outputs of the test that sounds.
    private var sounding: (token: Int, outputs: [String])?

    init() throws { box = try Box(text: Self.config, clock: Self.noon) }

    /// Killed and started again at the same moment, with the same files.
    func restarted() throws -> PairBox {
        var again = self
        again.sounding = nil
        again.box = try Box(
            Self.noon, config: box.state.inputs.config, disk: try kept(), inputs: try inputs())
        return again
    }

    /// The state as a new start reads it.
    func kept() throws -> SavedState {
        try SavedState(fileBytes: try #require(box.disk).fileBytes())
    }

    private func inputs() throws -> DaemonInputs {
        var inputs = try Box.inputs(box.state.inputs.config)
        inputs.site = inputs.site.applying(table: box.state.inputs.site.times.table)
        return inputs
    }

    /// - Returns: whether it is refused.
    mutating func apply(_ command: KeptCommand) throws -> Bool {
        guard let request = command.request else {
            let date = try #require(CivilDate(KeptCommand.friday))
            var table = PublishedTimetable()
            if command == .publish {
                table.dated[date] = .init(cellMinutes: [.begins(.asr): 14 * 60 + 45], sources: [])
            }
            box.handle(.timetableRead(.table(table), for: nil))
            return false
        }
        var reply: Reply?
        let done = box.during { reply = $0.ask(request) }
        for effect in done {
            switch effect {
            case .readInputs(let change): box.handle(.inputsLoaded(try inputs(), change))
            case .cue(let order) where done.started.contains(order.token): begin(order)
            case .stop(let token, _) where token == sounding?.token: end()
            default: break
            }
        }
        return reply?.refusal != nil
    }

    private mutating func begin(_ order: JobOrder) {
        sounding = (order.token, order.outputs.map(\.name))
        for output in order.outputs.map(\.name) {
            for event in [
                JobEvent.cued(device: output, durationSeconds: 10.8), .began(at: box.now, device: output),
            ] {
                box.handle(.playback(token: order.token, output: output, event))
            }
        }
    }

    private mutating func end() {
        guard let sounding else { return }
        self.sounding = nil
        for output in sounding.outputs {
            let result = JobResult(
                end: .stopped, startedAt: box.now, endedAt: box.now, device: output, rateHz: 44_100,
                framesWritten: 0, framesPlayed: 0, dropouts: 0, gainDb: 0)
            box.handle(.playback(token: sounding.token, output: output, .ended(result)))
        }
    }

    private static func clock(_ instant: String) -> String { String(instant.dropFirst(11).prefix(5)) }

    func time(of prayer: String) throws -> String {
        let status = box.state.status(at: box.now)
        return Self.clock(try #require(status.prayers.first { $0.prayer == prayer }).at)
    }

    func standing() throws -> Standing {
        let (status, saved) = (box.state.status(at: box.now), box.state.saved)
        let mute = status.mute
        var standing = Standing()
        if let scope = mute.scope {
            let prayer = mute.id.flatMap { AnnouncementID($0) }?.prayer.rawValue
            standing.mute = scope == "next" ? prayer ?? "?" : mute.until.map(Self.clock) ?? "endless"
        }
        (standing.isMuted, standing.obstacle) = (mute.active, mute.obstacle)
        let hall = try #require(status.audio.outputs?.first { $0.name == "hall" })
        if let until = hall.quietUntil { standing.hall = Self.clock(until) }
        standing.off = Set(
            Prayer.allCases.filter { !saved.toggles.isEnabled($0, in: box.state.inputs.config) })
        standing.skips = (status.skips ?? []).map { "\($0.prayer) \($0.date)" }
        if let exception = saved.exceptions.all.first {
            let minutes = [exception.adhanMinutes, exception.iqamaMinutes]
            standing.exception = minutes.map { $0.map(ClockText.format) ?? "-" }.joined(separator: " ")
        }
        let asr = try #require(status.prayers.first { $0.prayer == "asr" })
        standing.asr = "\(Self.clock(asr.at)) \(asr.state.rawValue)"
        standing.next = try #require(status.next).prayer
        if let pin = saved.pins.values.first { standing.month = pin.description }
        standing.isPlaying = status.playback.state == .playing
        return standing
    }
}

/// Every command that leaves something behind, before and after every other: a person may give any two in any order.
@Suite("Two commands in a row")
struct PairTests {
    private func start() throws -> (box: PairBox, reference: ReferenceStanding) {
        let box = try PairBox()
        return (box, ReferenceStanding(usualAsr: try box.time(of: "asr"), isha: try box.time(of: "isha")))
    }

    @Test(
        "Both hold, the later one where they contradict each other, also with a restart between them and after them",
        arguments: KeptCommand.allCases, [false, true])
    func pairs(first: KeptCommand, isRestarted: Bool) throws {
        var (box, reference) = try start()
        #expect(try box.standing() == reference.standing)
        let (isRefused, isToBe) = (try box.apply(first), reference.apply(first))
        #expect(isRefused == isToBe)
        #expect(try box.standing() == reference.standing)
        if isRestarted {
            box = try box.restarted()
            reference.restart()
            #expect(try box.standing() == reference.standing)
        }
        for second in KeptCommand.allCases {
            var (after, expected) = (box, reference)
            let (isRefused, isToBe) = (try after.apply(second), expected.apply(second))
            #expect(isRefused == isToBe, "\(first), \(second)")
            #expect(try after.standing() == expected.standing, "\(first), \(second)")
            let (kept, saved) = (try after.kept(), after.box.state.saved)
            #expect(kept.mute == saved.mute && kept.outputMutes == saved.outputMutes, "\(first), \(second)")
            #expect(kept.toggles == saved.toggles && kept.pins == saved.pins, "\(first), \(second)")
            #expect(kept.exceptions == saved.exceptions, "\(first), \(second)")
        }
    }

    @Test(
        "Whatever two commands are undone, in whichever order, nothing of them is left",
        arguments: KeptCommand.leaving)
    func undone(first: KeptCommand) throws {
        let (untouched, reference) = try start()
        var box = untouched
        _ = try box.apply(first)
        for second in KeptCommand.leaving {
            var both = box
            _ = try both.apply(second)
            for undo in [[second, first], [first, second]] {
                var after = both
                // The second of two that undo the same is refused: there is nothing left to be undone.
                for command in undo.compactMap(\.undo) { _ = try after.apply(command) }
                let (state, before) = (after.box.state.saved, untouched.box.state.saved)
                #expect(try after.standing() == reference.standing, "\(first), \(second), undone \(undo)")
                #expect(state.toggles == before.toggles, "\(first), \(second), undone \(undo)")
                #expect(state.mute == nil && state.outputMutes == [], "\(first), \(second), undone \(undo)")
                #expect(state.exceptions.isEmpty && state.pins.isEmpty, "\(first), \(second), undone \(undo)")
            }
        }
    }

    @Test("Jumu'ah that somebody switches off while Dhuhr is off stays off when Dhuhr is on again")
    func jumuaIsKept() throws {
        var (box, _) = try start()
        for command in [KeptCommand.disableDhuhr, .disableJumua] { _ = try box.apply(command) }
        box = try box.restarted()
        _ = try box.apply(.enableDhuhr)
        #expect(try box.standing().off == [.jumua])
        _ = try box.apply(.enableJumua)
        #expect(box.box.state.saved.toggles == Toggles())
    }
}
