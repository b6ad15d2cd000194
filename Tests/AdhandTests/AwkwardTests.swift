import Foundation
import LabSupport
import PrayerEngine
import Protocol
import Testing
import Texts

@Suite("Awkward moments", .serialized) struct AwkwardTests {
    enum Moment: CaseIterable {
        case prepared, atTheInstant, playing

        /// Seconds from the announcement's instant.
        var offset: Double {
            switch self {
            case .prepared: -3
            case .atTheInstant: 0
            case .playing: 1
            }
        }
    }

    enum Action: CaseIterable {
        case reload, disable, mute

        func perform(in box: LabBox, at place: Spot) throws {
            switch self {
            case .reload:
                try box.configure(AwkwardTests.configuration + "volume = 20\n", place: place)
                try box.change(.reload, ReloadParameters())
            case .disable:
                try box.change(.disablePrayers, PrayersParameters(prayers: [place.prayer.rawValue]))
            case .mute: try box.change(.mute, MuteParameters())
            }
        }

        /// The history's possible words about the announcement; at the instant either may come first.
        func outcomes(_ moment: Moment) -> Set<Outcome> {
            let never: Outcome = self == .mute ? .muted : .disabled
            switch (self, moment) {
            case (.reload, _): return [.played]
            case (_, .prepared): return [never]
            case (_, .atTheInstant): return [never, .interrupted]
            case (_, .playing): return [.interrupted]
            }
        }
    }

    /// Two seconds of sound.
    private static let configuration =
        "[audio]\nfade-out = \"0s\"\n[adhan]\n"
        + "sound = \"\(LabBox.audio.appending(path: "signal.mp3").path)\"\n"

    @Test(
        "A reload, a switch and a mute do what they say before, at and after the instant; one entry each",
        arguments: Action.allCases)
    func awkward(_ action: Action) async throws {
        try await withThrowingTaskGroup { group in
            for moment in Moment.allCases {
                group.addTask { try await Self.run(action, moment) }
            }
            try await group.waitForAll()
        }
    }

    private static func run(_ action: Action, _ moment: Moment) async throws {
        let place = Spot(noonIn: 7)
        // Where the sound is to be cut it is ten seconds long, for machines that are slow to cut it.
        let text = action == .reload ? configuration : "[audio]\nfade-out = \"0s\"\n"
        let box = try LabBox(text, place: place)
        let program = try await box.start()
        let wait = place.noon.unixSeconds + moment.offset - Date().timeIntervalSince1970
        try await Task.sleep(for: .seconds(max(0, wait)))
        try action.perform(in: box, at: place)
        // On a machine that is busy, what was to be done before the instant may be done after it.
        let isLate = moment == .prepared && Date().timeIntervalSince1970 >= place.noon.unixSeconds
        let reached = isLate ? .atTheInstant : moment
        // An announcement that is switched off has no timer: it is recorded when the daemon looks the next time.
        try await Task.sleep(for: .seconds(max(0.5, 0.5 - moment.offset)))
        try box.change(.enablePrayers, PrayersParameters(prayers: ["fajr"]))
        let entry = try await box.entry(place.id)
        let what: Comment = "\(action) \(reached): \(entry)"
        #expect(action.outcomes(reached).contains(entry.outcome), what)
        let isHeard = entry.outcome == .played || entry.outcome == .interrupted
        #expect(box.card.starts.count == (isHeard ? 1 : 0), what)
        if let start = box.card.starts.first { #expect(abs(start - place.noon.unixSeconds) < 0.1, what) }
        if entry.outcome == .interrupted {
            #expect(entry.endedBy == (action == .mute ? "adhanctl mute" : "adhanctl disable"), what)
        }
        // A while later, and after a restart, it is still that.
        try await Task.sleep(for: .seconds(1))
        program.send(SIGTERM)
        #expect(try await program.exitStatus() == 0)
        try await box.start()
        #expect(box.history.count { $0.id == place.id } == 1, what)
        #expect(box.card.starts.count == (isHeard ? 1 : 0), what)
    }

    @Test("Killed while calling and back when it would be over, it records one call that was interrupted")
    func tooLate() async throws {
        let place = Spot(noonIn: 4)
        let box = try LabBox(place: place)
        let program = try await box.start()
        #expect(try await box.isPlaying())
        try await Task.sleep(for: .milliseconds(300))
        program.send(SIGKILL)
        #expect(try await program.exitStatus() == nil)
        try await Task.sleep(
            for: .seconds(max(0, place.noon.unixSeconds + 12 - Date().timeIntervalSince1970)))
        try await box.start()
        let entry = try await box.entry(place.id)
        #expect(entry.outcome == .interrupted)
        #expect(entry.reason == "adhand ended while calling it and came back too late to go on")
        #expect(entry.started != nil)
        try await Task.sleep(for: .seconds(1))
        #expect(box.history.count == 1)
        #expect(box.card.starts.count == 1)
        #expect(try box.status.prayers.first { $0.prayer == place.prayer.rawValue }?.state == .interrupted)
    }

    @Test("Killed while it was prepared, it is called at its instant all the same")
    func killedWhilePrepared() async throws {
        let place = Spot(noonIn: 6)
        let box = try LabBox(Self.configuration, place: place)
        let program = try await box.start()
        try await Task.sleep(for: .seconds(max(0, place.noon.unixSeconds - 3 - Date().timeIntervalSince1970)))
        program.send(SIGKILL)
        #expect(try await program.exitStatus() == nil)
        try await box.start()
        let entry = try await box.entry(place.id)
        #expect(entry.outcome == .played)
        #expect(try #require(entry.latenessMs) < 50)
        #expect(box.history.count == 1)
        #expect(box.card.starts.count == 1)
    }
}
