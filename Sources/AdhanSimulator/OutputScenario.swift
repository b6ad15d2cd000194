import Announcements
import Daemon
import PrayerEngine
import Protocol
import Settings
import Texts

/// A box with one to four outputs and their faults, which depend on the seed alone, so that two runs differ in nothing else.
struct OutputScenario {
    /// Faults of one part of an announcement.
    enum Fault: String, CaseIterable {
        case failsAtCue, failsMidway, hangs, hangsMidway, answersLate, opensLate, lostAndFound
    }

    enum ClockChange {
        /// The clock is set, or the machine sleeps and its clock may be set when it wakes up. In seconds.
        case step(Double)
        case sleep(Double, setBySeconds: Double)
    }

    let seed: UInt64
    let days: Int
    /// Whether the first output plays everything at any hour. Two runs with and without faults of the others are then compared.
    let isComparable: Bool
    let config: Config
    /// Whether clocks are set and the machine sleeps while something sounds.
    let hasClockChanges: Bool
    /// Unix seconds.
    let epoch: Double
    /// Seconds after the epoch at which the program dies, and seconds until it is back.
    let deaths: [(at: Double, away: Double)]
    /// Requests, in seconds after the epoch.
    let requests: [(at: Double, request: ControlRequest)]

    init(seed: UInt64, days: Int) {
        var random = Random(seed: seed &* 0x9E37_79B9 &+ 7)
        (self.seed, self.days) = (seed, days)
        hasClockChanges = seed.isMultiple(of: 3)
        // An output that slept through its own start joins the first of the others, whichever that is.
        isComparable = random.chance(0.5) && !hasClockChanges
        epoch = 1_798_000_000 + Double(Int.random(in: 0..<365, using: &random)) * 86_400
        let count = Int.random(in: 1...4, using: &random)
        var config = Config.default
        config.prerollSeconds = random.pick([0, 0, 0.5, 2])
        config.fadeOutSeconds = random.pick([0, 1, 3])
        for prayer in Prayer.allCases {
            config[prayer].reminderSeconds = random.pick([[], [600], [63, 5]])
            config[prayer].volumePercent = random.pick([40, 80])
        }
        config.iqama.rules = [
            .fajr: IqamaRule(at: .after(nil, minutes: 20)), .maghrib: IqamaRule(at: .after(nil, minutes: 3)),
            .asr: IqamaRule(at: .after(nil, minutes: 0)),
        ]
        config.iqamaAnnouncement.sound = ["signal"]
        let names = ["hall", "horn", "women", "yard"]
        for index in 0..<count {
            let isFree = index == 0 && isComparable
            config.outputs.append(Self.output(names[index], isFree: isFree, &random))
        }
        if random.chance(0.7) {
            config.quiet = Self.windows(Array(names[(isComparable ? 1 : 0)..<max(count, 1)]), &random)
        }
        self.config = config
        let end = Double(days) * 86_400
        deaths = (0..<(days / 3)).map { _ in
            (Double.random(in: 0..<end, using: &random), random.logUniform(1, 90))
        }.sorted { $0.0 < $1.0 }
        let isBounded = isComparable
        let asked = (0..<days).map { _ -> (Double, ControlRequest) in
            let name = random.pick(Array(names[..<count]))
            let request: ControlRequest =
                isBounded && name == names[0]
                ? .getOutputs
                : random.pick([
                    .muteOutput(MuteOutputParameters(output: name, duration: random.pick(["20m", "5h"]))),
                    .unmuteOutput(name), .getOutputs,
                ])
            return (Double.random(in: 0..<end, using: &random), request)
        }
        requests = asked.sorted { $0.0 < $1.0 }
    }

    private static func output(_ name: String, isFree: Bool, _ random: inout Random) -> OutputSettings {
        var output = OutputSettings()
        (output.name, output.devices) = (name, ["hw:\(name)", "default"])
        output.latencySeconds = random.pick([0, 0, 0.2, 1, 10])
        output.prerollSeconds = random.pick([nil, 0, 1])
        output.keepAwakeSeconds = random.pick([nil, nil, nil, 60, 600, 3600])
        output.isRequired = random.chance(0.8)
        guard !isFree else { return output }
        output.kinds = random.pick([[], [], [.adhan], [.adhan, .reminder], [.iqama]])
        if random.chance(0.5) { output.except = [random.pick(Array(Prayer.allCases))] }
        output.volumePercent = random.pick([nil, 60, 20])
        if random.chance(0.4) { output.prayerVolumes = [.fajr: random.pick([0, 30, 90]), .dhuhr: 50] }
        output.mostPercent = random.pick([100, 100, 33])
        return output
    }

    private static func windows(_ names: [String], _ random: inout Random) -> [QuietWindow] {
        guard !names.isEmpty else { return [] }
        return (0..<Int.random(in: 1...3, using: &random)).map { index in
            var window = QuietWindow()
            window.name = "w\(index)"
            window.fromMinutes = Int.random(in: 0..<1440, using: &random)
            window.untilMinutes = Int.random(in: 0..<1440, using: &random)
            window.volumePercent = random.pick([0, 0, 25])
            window.outputs = [random.pick(names)]
            window.kinds = random.pick([[], [.adhan], [.iqama, .reminder]])
            return window
        }
    }

    /// The fault of an order, which does not depend on other outputs.
    func fault(of id: AnnouncementID, on output: String) -> Fault? {
        var random = Random(seed: hash(id.description + "/" + output))
        guard random.chance(0.25) else { return nil }
        return random.pick(Fault.allCases)
    }

    /// Seconds of an announcement's sound.
    func durationSeconds(of id: AnnouncementID) -> Double {
        var random = Random(seed: hash(id.description))
        return random.pick([3, 4.5, 8, 28.5, 75, 200])
    }

    /// A change of the clock this many seconds after an announcement is first prepared, while it is prepared or plays.
    func clockChange(around id: AnnouncementID) -> (afterSeconds: Double, change: ClockChange)? {
        var random = Random(seed: hash("clock/" + id.description))
        guard hasClockChanges, random.chance(0.25) else { return nil }
        let after =
            random.chance(0.5) ? Double.random(in: 0...25, using: &random) : random.pick([9.9, 10.5, 20])
        let change: ClockChange =
            random.chance(0.3)
            ? .sleep(
                random.pick([0.3, 2, 9, 40, 3600]),
                setBySeconds: random.chance(0.3) ? random.pick([-40, -2, 2, 40]) : 0)
            : .step(random.pick([0.02, 0.3, 2, 9, 40, 3600]) * random.pick([-1, 1]))
        return (after, change)
    }

    /// A mute of one output, or of the next adhan, this many seconds after the preparation of an announcement begins.
    func muteJustBefore(_ id: AnnouncementID) -> (afterSeconds: Double, request: ControlRequest)? {
        var random = Random(seed: hash("mute/" + id.description))
        guard !isComparable, random.chance(0.1) else { return nil }
        let after = Double.random(in: 0...20, using: &random)
        let output = random.pick(config.outputs).name
        return random.chance(0.2)
            ? (after, .mute(MuteParameters(next: true)))
            : (after, .muteOutput(MuteOutputParameters(output: output, duration: "20m")))
    }

    /// The program dies this many seconds after an announcement is first prepared, while it plays; and the seconds until it
    /// restarts.
    func death(around id: AnnouncementID) -> (afterSeconds: Double, awaySeconds: Double)? {
        var random = Random(seed: hash("death/" + id.description))
        guard !isComparable, random.chance(0.05) else { return nil }
        return (Double.random(in: 5..<50, using: &random), random.logUniform(0.5, 18))
    }

    private func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(seed ^ 0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
