import AdhanCore
import Glibc
import Host
import Playback
import PrayerEngine
import Recording

/// Devices and sound files, tried as this user.
extension Gathering {
    /// Seconds before an announcement from which on no device is touched: the sound card may be nobody's but adhand's then.
    private static let quietTime = 60.0
    /// Seconds for one sound, and for all of them: ten minutes of sound take about one.
    private static let soundPatience = 10.0
    private static let allSoundsPatience = 30.0

    mutating func lookAtSound() {
        guard let config = facts.config else { return }
        facts.sound.untried = reasonNotToTry
        if facts.sound.untried == nil { facts.sound.devices = Self.tryDevices(config.devices) }
        facts.sound.files = files(config)
        let nodes = Self.cardNodes
        facts.sound.hasCards = !nodes.isEmpty
        facts.sound.mayOpenCards = nodes.isEmpty || nodes.contains { unsafe access($0, W_OK) == 0 }
    }

    /// The device nodes of all outputs of sound cards. `/proc/asound/pcm` has lines such as
    /// `00-03: HDMI 0 : HDMI 0 : playback 1`: card, device, names, directions.
    private static var cardNodes: [String] {
        let table = (try? FileBytes.read("/proc/asound/pcm", limit: 1 << 16)) ?? []
        return String(decoding: table, as: UTF8.self).split(separator: "\n").compactMap { line in
            let numbers = line.prefix { $0 != ":" }.split(separator: "-").compactMap { Int($0) }
            guard numbers.count == 2, line.contains(": playback ") else { return nil }
            return "/dev/snd/pcmC\(numbers[0])D\(numbers[1])p"
        }
    }

    private var reasonNotToTry: String? {
        guard let status = facts.status else { return nil }
        if status.playback.state != .idle { return "adhand is using it" }
        guard let next = status.timers.compactMap({ InstantText.parse($0.at) }).min(),
            next - facts.now < Self.quietTime
        else { return nil }
        return "adhand is about to call, and needs it"
    }

    private static func tryDevices(_ names: [String]) -> [SoundFacts.Device] {
        names.prefix(8).map { name in
            switch DeviceProbe.open(name) {
            case .opens: .init(name: name, outcome: .opens, silence: MixerState.silence(of: name))
            case .fails(let reason, let isBusy):
                .init(name: name, outcome: .fails(reason: reason, isBusy: isBusy))
            case .hangs: .init(name: name, outcome: .hangs)
            }
        }
    }

    /// Every file that the configuration leads to, once, with the prayers that use it.
    private func files(_ config: Config) -> [SoundFacts.File] {
        var files: [SoundFacts.File] = []
        func add(_ name: String, _ prayer: Prayer, isReminder: Bool) {
            guard name != AdhanSettings.silent else { return }
            let (path, missing) = find(name, for: prayer)
            if let index = files.firstIndex(where: {
                $0.name == name && $0.path == path && $0.isReminder == isReminder
            }) {
                files[index].prayers.append(prayer)
                return
            }
            var file = SoundFacts.File(
                name: name, prayers: [prayer], path: path, outcome: missing)
            file.isReminder = isReminder
            file.isShipped = path.map(folders.isShipped) ?? false
            files.append(file)
        }
        for prayer in Prayer.allCases where config[prayer].enabled {
            for name in config[prayer].sound { add(name, prayer, isReminder: false) }
            if !config[prayer].reminders.isEmpty {
                add(config[prayer].reminderSound, prayer, isReminder: true)
            }
        }
        return examined(files)
    }

    private func examined(_ files: [SoundFacts.File]) -> [SoundFacts.File] {
        let deadline = WallClock.monotonic() + Self.allSoundsPatience
        var known: [String: SoundFacts.File.Outcome] = [:]
        return files.map { file in
            guard let path = file.path else { return file }
            let left = min(Self.soundPatience, deadline - WallClock.monotonic())
            let outcome = known[path] ?? (left > 0 ? Bounded.run(left) { Self.examine(path) } : nil)
            known[path] = outcome ?? .unread
            var file = file
            file.outcome = outcome ?? .unread
            return file
        }
    }

    private static func examine(_ path: String) -> SoundFacts.File.Outcome {
        guard unsafe access(path, R_OK) == 0 else { return .hidden }
        do throws(RecordingError) {
            return .decodes(seconds: try SoundProbe.inspect(path: path).duration)
        } catch {
            return .broken(reason: error.description)
        }
    }

    private var folders: SoundFolders {
        let audio =
            facts.status?.audioDirectory ?? Paths(Paths.Options(), in: environment).audioDirectory
        return SoundFolders(stateDirectory: stateDirectory, audioDirectory: audio)
    }

    /// The file that a name leads to, and what to say where there is none.
    private func find(
        _ name: String, for prayer: Prayer
    ) -> (path: String?, missing: SoundFacts.File.Outcome) {
        let folders = folders
        // A path may lead to a server that is gone.
        guard let finding = Bounded.run(3, { folders.find(name, for: prayer) }) else { return (nil, .unread) }
        if case .file(let path) = finding { return (path, .missing) }
        // The system's state directory is closed to strangers.
        let isClosed = unsafe access(folders.added, X_OK) != 0 && errno == EACCES
        return (nil, isClosed ? .hidden : .missing)
    }
}
